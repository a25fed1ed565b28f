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

  constructor(root: HTMLElement) {
    this.#page = new QuestionPage(root, 'No server is waiting for your approval.');
  }

  start(): void {
    this.#extension.send({ type: 'ready' });
  }

  #show({ turn, rows }: StartReviewToPanel): void {
    const shown = rows.map((row) => createReviewRow(row, () => update()));
    let canDecide = false;
    let isOnPage = false;
    const chosen = (): number[] => shown.flatMap(({ isChosen }, index) => (isChosen() ? [index] : []));
    const start = (): void => {
      const indexes = chosen();
      if (!canDecide || indexes.length === 0) return;
      this.#page.clear();
      this.#extension.send({ type: 'start', turn, chosen: indexes });
    };
    const cancel = (): void => this.#extension.send({ type: 'cancel' });
    const yes = acceptButton('', 'play', start);
    const no = button({ label: 'Not Now', title: 'Escape', onClick: cancel });
    const update = (): void => {
      const count = chosen().length;
      relabel(yes, `Start ${countOf(count, 'Server')}`);
      yes.disabled = !canDecide || count === 0;
      keys.textContent = keyWords(isOnPage, count);
    };
    const keys = element('span', { class: 'keys' });
    const list = element('ul', { class: 'reviews' }, ...shown.map((row) => row.element));
    this.#page.show(headerOf(rows), {
      element: element(
        'div',
        { class: 'step' },
        list,
        element('div', { class: 'decision-bar' }, element('div', { class: 'buttons' }, yes, no, keys)),
      ),
      shortcuts: { accept: start, refuse: cancel, leaveField: cancel },
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
  }
}

/** What the keys do now. */
function keyWords(isOnPage: boolean, count: number): string {
  if (count === 0) return 'Esc closes';
  return isOnPage ? `${acceptKeys()} starts, Esc closes` : `Press Tab, then ${acceptKeys()} to start, or Esc to close`;
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
