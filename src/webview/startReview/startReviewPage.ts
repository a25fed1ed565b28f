import type { StartReviewFromPanel, StartReviewToPanel, StartRow } from '../../shared/startReviewMessages.ts';
import { acceptButton, acceptKeys } from '../decisionGuard.ts';
import { button, countOf, element, icon, relabel } from '../dom.ts';
import { connectToExtension } from '../extensionConnection.ts';
import { QuestionPage } from '../questionPage.ts';
import { createReviewRow } from './reviewRow.ts';

/** One page for all servers that need a yes: the person leaves those chosen that are to start, and says so once. */
export class StartReviewPage {
  readonly #extension = connectToExtension<StartReviewFromPanel>((message: StartReviewToPanel) => this.#show(message));
  readonly #page: QuestionPage;
  /** Notes which of the servers are on the screen. */
  #look = (): void => {};

  constructor(root: HTMLElement) {
    this.#page = new QuestionPage(root, 'No server is waiting for your approval.');
  }

  start(): void {
    document.addEventListener('scroll', () => this.#look(), { capture: true, passive: true });
    document.addEventListener('visibilitychange', () => this.#look());
    // Also where rows get their height late, or the window changes.
    new ResizeObserver(() => this.#look()).observe(document.body);
    this.#extension.send({ type: 'ready' });
  }

  #show({ turn, rows }: StartReviewToPanel): void {
    const shown = rows.map((row) => createReviewRow(row, () => update()));
    let canDecide = false;
    let isOnPage = false;
    let unseen = 0;
    const next = (): void => {
      const indexes = shown.flatMap(({ isChosen }, index) => (isChosen() ? [index] : []));
      if (!canDecide || indexes.length === 0) return;
      const hidden = shown.find((row) => row.isChosen() && !row.isSeen());
      if (hidden !== undefined) return hidden.show(height());
      this.#look = () => {};
      this.#page.clear();
      this.#extension.send({ type: 'start', turn, chosen: indexes });
    };
    const cancel = (): void => this.#extension.send({ type: 'cancel' });
    const yes = acceptButton('', 'play', next);
    const no = button({ label: 'Not Now', title: 'Escape', onClick: cancel });
    const update = (): void => {
      const chosen = shown.filter(({ isChosen }) => isChosen());
      const before = unseen;
      unseen = chosen.filter(({ isSeen }) => !isSeen()).length;
      relabel(yes, unseen > 0 ? `Show ${unseen} More` : `Start ${countOf(chosen.length, 'Server')}`);
      yes.disabled = !canDecide || chosen.length === 0;
      keys.textContent = keyWords(isOnPage, chosen.length, unseen > 0 ? 'show' : 'start');
      // What the button does now is another thing.
      if (before > 0 && unseen === 0) this.#page.restartDelay();
    };
    const keys = element('span', { class: 'keys always' });
    const list = element('ul', { class: 'reviews' }, ...shown.map((row) => row.element));
    const bar = element('div', { class: 'decision-bar' }, element('div', { class: 'buttons' }, yes, no, keys));
    // Nothing below the bar can be seen, as it covers the end of the page.
    const height = (): number => Math.floor(bar.getBoundingClientRect().top);
    this.#look = () => {
      if (document.visibilityState !== 'visible') return;
      for (const row of shown) row.look(height());
      update();
    };
    this.#page.show(headerOf(rows), {
      element: element('div', { class: 'step' }, list, bar),
      shortcuts: { accept: next, refuse: cancel, leaveField: cancel },
      setDecisionsEnabled: (isEnabled) => {
        canDecide = isEnabled;
        update();
      },
      // Nothing is lost: the person can choose Start All again.
      isRefusedAsOpened: true,
      onDidInteract: () => {
        isOnPage = true;
        update();
      },
    });
    this.#look();
  }
}

/** What the keys do now. */
function keyWords(isOnPage: boolean, count: number, verb: string): string {
  if (count === 0) return 'Esc closes';
  return isOnPage
    ? `${acceptKeys()} ${verb}s, Esc closes`
    : `Press Tab, then ${acceptKeys()} to ${verb}, or Esc to close`;
}

function headerOf(rows: readonly StartRow[]): HTMLElement[] {
  const title = `${countOf(rows.length, 'MCP server')} ${rows.length === 1 ? 'needs' : 'need'} your approval to start`;
  const hasDoubtful = rows.some(({ isChosen }) => !isChosen);
  const lead = `Select the servers that you trust.${hasDoubtful ? ' Those that need a closer look come first and are not selected.' : ''}`;
  return [
    element('div', { class: 'title-row' }, icon('shield'), element('h1', { tabindex: -1, text: title })),
    element('p', { class: 'lead', text: lead }),
  ];
}
