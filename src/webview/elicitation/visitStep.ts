import type { ElicitationFromPanel, VisitView } from '../../shared/elicitationMessages.ts';
import { banner, button, element, exactText, fill, inlineText } from '../dom.ts';

export type VisitStep = ReturnType<typeof createVisitStep>;

/** The step of URL mode elicitation: the whole address of the page. Nothing is opened before the person presses a button. */
export function createVisitStep(id: number, view: VisitView, act: (message: ElicitationFromPanel) => void) {
  const news = element('div', { role: 'status' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  /** Disabled until the result is known: VS Code can ask before it opens the page. */
  const onOpen = (): void => {
    open.disabled = true;
    again.disabled = true;
    act({ type: 'open', id });
  };
  const onFinish = (): void => act({ type: 'finish', id });
  const onCancel = (): void => act({ type: 'cancel', id });
  const open = button({ label: 'Open in Browser', icon: 'link-external', kind: 'primary', onClick: onOpen });
  const decline = button({ label: 'Decline', onClick: () => act({ type: 'decline', id }) });
  const cancel = button({ label: 'Cancel', title: 'Escape', onClick: onCancel });
  const again = button({ label: 'Open Again', icon: 'link-external', kind: 'quiet', onClick: onOpen });
  const [label, icon] = view.isRequired ? ['I Am Done, Try Again', 'refresh'] : ['I Am Done', 'check'];
  const finish = button({ label, icon, kind: 'primary', onClick: onFinish });
  const keys = element('span', { class: 'keys', text: 'Esc cancels' });
  const buttons = element('div', { class: 'buttons' }, open, decline, cancel, keys);
  let isOpened = false;
  /** After the page was opened, there may be nothing left to cancel. */
  const hasCancel = (): boolean => !isOpened || view.canCancel;

  return {
    element: element(
      'div',
      { class: 'step' },
      element('div', { class: 'request' }, news, exactText(view.message, 'exact question'), addressPart(view.address)),
      element('div', { class: 'decision-bar' }, problem, buttons),
    ),
    shortcuts: {
      // The shortcut never opens a page; only the button does.
      accept: () => (isOpened ? onFinish() : open.focus()),
      refuse: () => (hasCancel() ? onCancel() : onFinish()),
      leaveField: () => cancel.focus(),
    },
    setDecisionsEnabled(isEnabled: boolean) {
      for (const one of [open, decline, cancel, again, finish]) one.disabled = !isEnabled;
    },
    /** @param isOpen whether the browser got the address */
    showOpened(isOpen: boolean) {
      problem.textContent = isOpen ? '' : 'The page was not opened.';
      if (!isOpen) return;
      isOpened = true;
      news.replaceChildren(openedBanner(view));
      keys.textContent = hasCancel() ? 'Esc cancels' : 'Esc closes';
      fill(buttons, finish, again, hasCancel() && cancel, keys);
      news.querySelector<HTMLElement>('.banner')?.focus();
    },
  };
}

function addressPart({ before, host, after, warnings }: VisitView['address']): HTMLElement {
  const advice = 'Patchbay does not read the page. Nothing of it is loaded until you open it.';
  const name = element('b', { text: host });
  return element(
    'section',
    { class: 'part', 'aria-label': 'The page' },
    element('h2', { text: 'Page' }),
    element('p', { class: 'address', dir: 'ltr' }, before, element('strong', { text: host }), after),
    warnings.map((warning) => banner('warning', inlineText(warning))),
    element('p', { class: 'hint' }, 'It opens in your own browser, at ', name, '. ', advice),
  );
}

/** Says what Patchbay waits for while the person is on the page, and what happens next. */
function openedBanner({ isRequired, isAnnounced, wasVisited }: VisitView): HTMLElement {
  const waitsForPerson = isRequired && !isAnnounced;
  const title = waitsForPerson ? 'Waiting for you' : 'Waiting for the server';
  const isOpen = wasVisited
    ? 'You have visited this page, but the server still asks for it.'
    : 'The page is open in your browser.';
  const next = waitsForPerson
    ? 'When you are done there, choose I Am Done, Try Again. The server does not notice by itself.'
    : isRequired
      ? 'What you ran continues when the server reports that you are done. Otherwise choose I Am Done, Try Again.'
      : isAnnounced
        ? 'Continue there. This tab closes when the server reports that you are done. There is no time limit until then.'
        : 'Choose I Am Done when you have finished. There is no time limit until then.';
  const made = banner('info', element('span', {}, element('b', { text: `${title}.` }), ` ${isOpen} ${next}`));
  made.tabIndex = -1;
  return made;
}
