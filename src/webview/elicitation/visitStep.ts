import type { VisitView } from '../../shared/elicitationMessages.ts';
import { button, element, exactText, icon } from '../dom.ts';
import type { QuestionStep } from '../questionPage.ts';

/** What the person can do with the request to visit a page. */
export interface VisitActions {
  readonly onOpen: () => void;
  /** The person is done on the page, or wants to retry the request that needs it. */
  readonly onFinish: () => void;
  readonly onDecline: () => void;
  readonly onCancel: () => void;
}

/** The step of URL mode elicitation: the whole address of the page, and the buttons to decide. */
export interface VisitStep extends QuestionStep {
  /** @param isOpen whether the browser got the address */
  showOpened(isOpen: boolean): void;
}

/** Nothing is opened before the person presses a button. */
export function createVisitStep(view: VisitView, actions: VisitActions): VisitStep {
  const { onFinish, onDecline, onCancel } = actions;
  const news = element('div', { role: 'status' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  /** Disabled until the result is known: VS Code can ask before it opens the page. */
  const onOpen = (): void => {
    open.disabled = true;
    again.disabled = true;
    actions.onOpen();
  };
  const open = button({ label: 'Open in Browser', icon: 'link-external', kind: 'primary', onClick: onOpen });
  const decline = button({ label: 'Decline', onClick: onDecline });
  const cancel = button({ label: 'Cancel', title: 'Escape', onClick: onCancel });
  const again = button({ label: 'Open Again', icon: 'link-external', kind: 'quiet', onClick: onOpen });
  const finish = view.isRequired
    ? button({ label: 'I Am Done, Try Again', icon: 'refresh', kind: 'primary', onClick: onFinish })
    : button({ label: 'I Am Done', icon: 'check', kind: 'primary', onClick: onFinish });
  const keys = element('span', { class: 'keys', text: 'Esc cancels' });
  const buttons = element('div', { class: 'buttons' }, open, decline, cancel, keys);
  let isOpened = false;
  /** After the page was opened, there may be nothing left to cancel. */
  const hasCancel = (): boolean => !isOpened || view.canCancel;

  return {
    element: element(
      'div',
      { class: 'step' },
      element('div', { class: 'request' }, news, exactText(view.message, 'exact question'), addressPart(view)),
      element('div', { class: 'decision-bar' }, problem, buttons),
    ),
    shortcuts: {
      // The shortcut never opens a page; only the button does.
      accept: () => (isOpened ? onFinish() : open.focus()),
      refuse: () => (hasCancel() ? onCancel() : onFinish()),
      leaveField: () => cancel.focus(),
    },
    setDecisionsEnabled(isEnabled) {
      for (const one of [open, decline, cancel, again, finish]) one.disabled = !isEnabled;
    },
    showOpened(isOpen) {
      problem.textContent = isOpen ? '' : 'The page was not opened.';
      if (!isOpen) return;
      isOpened = true;
      news.replaceChildren(openedBanner(view));
      keys.textContent = hasCancel() ? 'Esc cancels' : 'Esc closes';
      buttons.replaceChildren(finish, again, ...(hasCancel() ? [cancel] : []), keys);
      news.querySelector<HTMLElement>('.banner')?.focus();
    },
  };
}

function addressPart(view: VisitView): HTMLElement {
  const warnings = view.warnings.map((warning) =>
    element('p', { class: 'banner warning' }, icon('warning'), exactText(warning, 'exact inline')),
  );
  return element(
    'section',
    { class: 'part', 'aria-label': 'The page' },
    element('h2', { text: 'Page' }),
    element('p', { class: 'address', dir: 'ltr' }, view.before, element('strong', { text: view.host }), view.after),
    ...warnings,
    element(
      'p',
      { class: 'hint' },
      'It opens in your own browser, at ',
      element('b', { text: view.host }),
      '. ',
      advice,
    ),
  );
}

const advice = 'Patchbay does not look at the page, and nothing of it is loaded before you choose to open it.';

function openedBanner(view: VisitView): HTMLElement {
  const { title, text } = openedNews(view);
  const words = element('span', {}, element('b', { text: `${title}.` }), ` ${text}`);
  return element('p', { class: 'banner info', tabindex: -1 }, icon('info'), words);
}

/** Says what Patchbay waits for while the person is on the page, and what happens next. */
function openedNews({ isRequired, isAnnounced, wasVisited }: VisitView): {
  readonly title: string;
  readonly text: string;
} {
  const isOpen = wasVisited
    ? 'You have been to this page, and the server asks for it still.'
    : 'The page is open in your browser.';
  if (isRequired && !isAnnounced)
    return {
      title: 'Waiting for you',
      text: `${isOpen} When you are done there, choose I Am Done, Try Again: the server cannot tell that you are.`,
    };
  const goOn = isRequired
    ? 'What you ran goes on by itself if the server says that you are done there; otherwise choose I Am Done, Try Again.'
    : isAnnounced
      ? 'Go on there; this tab closes when the server says that you are done. What you ran does not run out of time before.'
      : 'Choose I Am Done when you are; what you ran does not run out of time before.';
  return { title: 'Waiting for the server', text: `${isOpen} ${goOn}` };
}
