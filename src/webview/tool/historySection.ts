import type { CallOutcome, HistoryAction, HistoryView, PastCallRow, SavedCallView } from '../../shared/toolMessages.ts';
import { button, countOf, element, formatDuration, icon, markedText } from '../dom.ts';
import { createMenuButton } from '../form/fieldMenu.ts';

/** What the buttons of the history do. */
export interface HistoryActions {
  readonly onAction: (id: string, action: HistoryAction) => void;
  readonly onForgetAll: () => void;
}

/** The calls of this tool that were made before, the newest first. */
export interface HistorySection {
  readonly element: HTMLElement;
  show(history: HistoryView): void;
}

const outcomes: Readonly<Record<CallOutcome, { readonly icon: string; readonly words: string }>> = {
  done: { icon: 'check', words: 'done' },
  toolError: { icon: 'warning', words: 'the tool reported an error' },
  error: { icon: 'error', words: 'failed' },
  cancelled: { icon: 'circle-slash', words: 'cancelled' },
  declined: { icon: 'shield', words: 'not allowed' },
};

/** Creates the section without calls. */
export function createHistorySection(actions: HistoryActions): HistorySection {
  const heading = element('h2', { id: 'history', tabindex: -1, text: 'History' });
  const forget = button({ label: 'Forget All', icon: 'trash', kind: 'quiet', onClick: actions.onForgetAll });
  const list = element('ul', { class: 'history' });
  const hint = element('p', { class: 'hint' });
  const lead = element('div', { class: 'section-lead' }, heading, forget);
  const rows = new Map<string, HTMLElement>();

  function rowOf(call: PastCallRow): HTMLElement {
    const known = rows.get(call.id);
    if (known !== undefined) return known;
    const row = drawRow(call, (action) => actions.onAction(call.id, action));
    rows.set(call.id, row);
    return row;
  }

  return {
    element: element('section', { class: 'calls', 'aria-labelledby': 'history' }, lead, list, hint),
    show({ entries, more, isKept }) {
      const hadFocus = list.contains(document.activeElement);
      // A call of the history never changes: its row stays, and with it the focus.
      const shown = entries.map(rowOf);
      list.replaceChildren(...shown);
      for (const [id, row] of rows) if (!row.isConnected) rows.delete(id);
      list.hidden = shown.length === 0;
      forget.hidden = shown.length === 0;
      hint.textContent = hintOf(entries.length, more, isKept);
      hint.hidden = hint.textContent === '';
      if (hadFocus && !list.contains(document.activeElement)) heading.focus();
    },
  };
}

function hintOf(count: number, more: number, isKept: boolean): string {
  if (!isKept) return 'No calls are kept: the setting “patchbay.history.enabled” is off.';
  if (count === 0) return 'Calls of this tool are listed here: to look at again, to repeat, to compare.';
  return more === 0 ? '' : `${countOf(more, 'older call')} not listed.`;
}

function drawRow(call: PastCallRow, act: (action: HistoryAction) => void): HTMLElement {
  const { at, durationMs, outcome, summary } = call;
  const { icon: name, words } = outcomes[outcome];
  const time = new Date(at).toLocaleString();
  const took = durationMs === undefined ? '' : ` · ${formatDuration(durationMs)}`;
  const show = element(
    'button',
    { type: 'button', class: 'history-show', title: 'Show this call again' },
    icon(name),
    element('span', { class: 'history-when' }, `${time}${took}`),
    element('span', { class: outcome === 'done' ? 'screen-reader-only' : 'muted' }, ` ${words}`),
    element('span', { class: 'history-summary' }, ...markedText(summary === '' ? 'no arguments' : summary)),
  );
  show.addEventListener('click', () => act('show'));
  const menu = createMenuButton(`More for the call of ${time}`, () => [
    { label: 'Edit Arguments', run: () => act('edit') },
    { label: 'Call Again', run: () => act('again') },
    { label: 'Compare With…', run: () => act('compare') },
    undefined,
    { label: 'Copy As…', run: () => act('copyAs') },
    { label: 'Save Call…', run: () => act('save') },
    undefined,
    { label: 'Forget', run: () => act('forget') },
  ]);
  return element('li', { class: outcome }, show, menu.element);
}

/** The calls of this tool that were saved: each fills the form. */
export interface SavedCallList {
  readonly element: HTMLElement;
  show(calls: readonly SavedCallView[]): void;
}

/** Characters of a name. */
const shownCharacters = 60;

/** Creates the list without calls, which is hidden. */
export function createSavedCallList(onOpen: (name: string) => void): SavedCallList {
  const list = element('ul', { 'aria-labelledby': 'saved-calls' });
  const label = element('span', { id: 'saved-calls', class: 'muted', text: 'Saved calls:' });
  const box = element('div', { class: 'saved-calls', hidden: true }, label, list);
  return {
    element: box,
    show(calls) {
      box.hidden = calls.length === 0;
      list.replaceChildren(
        ...calls.map(({ name, description }) => {
          const shown = name.length > shownCharacters ? `${name.slice(0, shownCharacters)}…` : name;
          const title = description ?? 'Fill in the arguments of this call';
          return element(
            'li',
            {},
            button({ label: shown, icon: 'bookmark', kind: 'quiet', title, onClick: () => onOpen(name) }),
          );
        }),
      );
    },
  };
}
