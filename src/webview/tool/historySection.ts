import {
  type CallOutcome,
  type HistoryAction,
  type HistoryView,
  outcomeWords,
  type PastCallRow,
  type SavedCallView,
  type ToolFromPanel,
} from '../../shared/toolMessages.ts';
import {
  arrange,
  button,
  type Child,
  countOf,
  element,
  fill,
  formatDuration,
  icon,
  iconButton,
  markedText,
} from '../dom.ts';
import { createMenuButton, type MenuItem } from '../form/fieldMenu.ts';
import type { RelativeTimes } from '../relativeTime.ts';

/** How a call has ended, as a codicon. */
export const outcomeIcons: Readonly<Record<CallOutcome, string>> = {
  done: 'check',
  toolError: 'warning',
  error: 'error',
  cancelled: 'circle-slash',
  declined: 'shield',
};

/** The calls of this tool that were made before, the newest first; none at first. */
export function createHistorySection(send: (message: ToolFromPanel) => void, timeOf: RelativeTimes) {
  const heading = element('h2', { id: 'history', tabindex: -1, text: 'History' });
  const onClick = (): void => send({ type: 'forgetHistory' });
  const forget = button({ label: 'Forget All', icon: 'trash', kind: 'quiet', onClick });
  const title = 'Search and filter the calls of all tools';
  const openAll = (): void => send({ type: 'allCalls' });
  const all = button({ label: 'All Tools', icon: 'history', kind: 'quiet', title, onClick: openAll });
  const list = element('ul', { class: 'history' });
  const hint = element('p', { class: 'hint' });
  const lead = element('div', { class: 'section-lead' }, heading, element('div', {}, all, forget));
  let rows: ReadonlyMap<string, HistoryRow> = new Map<string, HistoryRow>();
  const draw = (call: PastCallRow): HistoryRow =>
    drawRow(call, (action) => send({ type: 'history', id: call.id, action }), timeOf);

  return {
    element: element('section', { class: 'calls', 'aria-labelledby': 'history' }, lead, list, hint),
    show({ entries, more, isKept }: HistoryView): void {
      const hadFocus = list.contains(document.activeElement);
      // A call of the history never changes, but for what it has in common with those beside it: its row stays, and with it the focus.
      rows = new Map(
        entries.map((call) => {
          const row = rows.get(call.id) ?? draw(call);
          row.showArguments(call);
          return [call.id, row];
        }),
      );
      arrange(
        list,
        [...rows.values()].map((row) => row.element),
      );
      list.hidden = rows.size === 0;
      forget.hidden = rows.size === 0;
      hint.textContent = hintOf(entries.length, more, isKept);
      if (hadFocus && !list.contains(document.activeElement)) heading.focus();
    },
  };
}

function hintOf(count: number, more: number, isKept: boolean): string {
  if (!isKept) return 'Calls are not kept, because the setting “patchbay.history.enabled” is off.';
  if (count === 0) return 'No calls yet.';
  return more === 0 ? '' : `${countOf(more, 'older call')} not listed.`;
}

interface HistoryRow {
  readonly element: HTMLElement;
  readonly showArguments: (call: PastCallRow) => void;
}

function drawRow(call: PastCallRow, act: (action: HistoryAction) => void, timeOf: RelativeTimes): HistoryRow {
  const { at, durationMs, outcome } = call;
  const took = durationMs === undefined ? '' : ` · ${formatDuration(durationMs)}`;
  const summary = element('span', { class: 'history-summary' });
  const show = element(
    'button',
    { type: 'button', class: 'history-show', title: 'Show this call', onclick: () => act('show') },
    icon(outcomeIcons[outcome]),
    element('span', { class: 'history-when' }, timeOf(at), took),
    element('span', { class: outcome === 'done' ? 'screen-reader-only' : 'muted' }, ` ${outcomeWords[outcome]}`),
    summary,
  );
  // Of a call of which nothing was sent, there are no messages.
  const exchange = durationMs !== undefined && iconButton('Show Exchange', 'arrow-swap', () => act('exchange'));
  const menu = createMenuButton(`More for the call of ${new Date(at).toLocaleString()}`, () => callMenu(act));
  return {
    element: element('li', { class: outcome }, show, exchange, menu.element),
    showArguments: (shown) => fill(summary, argumentWords(shown)),
  };
}

/** What can be done with a call of the history. */
export function callMenu(act: (action: HistoryAction) => void): readonly MenuItem[] {
  return [
    { label: 'Edit Arguments', run: () => act('edit') },
    { label: 'Call Again', run: () => act('again') },
    undefined,
    { label: 'Compare…', run: () => act('compare') },
    { label: 'Show Exchange', run: () => act('exchange') },
    undefined,
    { label: 'Copy As…', run: () => act('copyAs') },
    { label: 'Save Call…', run: () => act('save') },
    undefined,
    { label: 'Forget', run: () => act('forget') },
  ];
}

/** The arguments of a call, with what is not as in the calls before and after it in bold. */
export function argumentWords({ words }: Pick<PastCallRow, 'words'>): Child {
  if (words.length === 0) return 'no arguments';
  const isCompared = words.some(({ differs }) => differs);
  return words.map(({ text, differs }, index) => [
    index > 0 && ', ',
    element('span', { class: differs ? 'strong' : isCompared ? 'muted' : undefined }, markedText(text)),
  ]);
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
