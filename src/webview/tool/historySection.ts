import type {
  CallOutcome,
  HistoryAction,
  HistoryView,
  PastCallRow,
  SavedCallView,
  ToolFromPanel,
} from '../../shared/toolMessages.ts';
import { button, countOf, element, fill, formatDuration, icon, markedText } from '../dom.ts';
import { createMenuButton } from '../form/fieldMenu.ts';

const outcomes: Readonly<Record<CallOutcome, { readonly icon: string; readonly words: string }>> = {
  done: { icon: 'check', words: 'done' },
  toolError: { icon: 'warning', words: 'the tool reported an error' },
  error: { icon: 'error', words: 'failed' },
  cancelled: { icon: 'circle-slash', words: 'cancelled' },
  declined: { icon: 'shield', words: 'not allowed' },
};

/** The calls of this tool that were made before, the newest first; none at first. */
export function createHistorySection(send: (message: ToolFromPanel) => void) {
  const heading = element('h2', { id: 'history', tabindex: -1, text: 'History' });
  const onClick = (): void => send({ type: 'forgetHistory' });
  const forget = button({ label: 'Forget All', icon: 'trash', kind: 'quiet', onClick });
  const list = element('ul', { class: 'history' });
  const hint = element('p', { class: 'hint' });
  const lead = element('div', { class: 'section-lead' }, heading, forget);
  let rows: ReadonlyMap<string, HTMLElement> = new Map<string, HTMLElement>();
  const draw = (call: PastCallRow): HTMLElement =>
    drawRow(call, (action) => send({ type: 'history', id: call.id, action }));

  return {
    element: element('section', { class: 'calls', 'aria-labelledby': 'history' }, lead, list, hint),
    show({ entries, more, isKept }: HistoryView): void {
      const hadFocus = list.contains(document.activeElement);
      // A call of the history never changes: its row stays, and with it the focus.
      rows = new Map(entries.map((call) => [call.id, rows.get(call.id) ?? draw(call)]));
      list.replaceChildren(...rows.values());
      list.hidden = rows.size === 0;
      forget.hidden = rows.size === 0;
      hint.textContent = hintOf(entries.length, more, isKept);
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
    { type: 'button', class: 'history-show', title: 'Show this call again', onclick: () => act('show') },
    icon(name),
    element('span', { class: 'history-when' }, `${time}${took}`),
    element('span', { class: outcome === 'done' ? 'screen-reader-only' : 'muted' }, ` ${words}`),
    element('span', { class: 'history-summary' }, markedText(summary === '' ? 'no arguments' : summary)),
  );
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

const shownCharacters = 60;

/** The calls of this tool that were saved: each fills the form. Hidden where there are none. */
export function createSavedCallList(send: (message: ToolFromPanel) => void) {
  const list = element('ul', { 'aria-labelledby': 'saved-calls' });
  const label = element('span', { id: 'saved-calls', class: 'muted', text: 'Saved calls:' });
  const box = element('div', { class: 'saved-calls', hidden: true }, label, list);
  const draw = ({ name, description: title = 'Fill in the arguments of this call' }: SavedCallView): HTMLElement => {
    const shown = name.length > shownCharacters ? `${name.slice(0, shownCharacters)}…` : name;
    const onClick = (): void => send({ type: 'openSaved', name });
    return element('li', {}, button({ label: shown, icon: 'bookmark', kind: 'quiet', title, onClick }));
  };
  return {
    element: box,
    show(calls: readonly SavedCallView[]): void {
      box.hidden = calls.length === 0;
      fill(list, calls.map(draw));
    },
  };
}
