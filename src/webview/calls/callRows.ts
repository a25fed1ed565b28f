import type { ListedCall } from '../../shared/callListMessages.ts';
import { type HistoryAction, outcomeWords } from '../../shared/toolMessages.ts';
import { decisionDelayMs } from '../decisionGuard.ts';
import { element, fill, formatDuration, icon, iconButton } from '../dom.ts';
import { createMenuButton } from '../form/fieldMenu.ts';
import { type Column, createRecordTable, shortText } from '../records/recordTable.ts';
import type { RelativeTimes } from '../relativeTime.ts';
import { argumentWords, callMenu, outcomeIcons } from '../tool/historySection.ts';

const columns: readonly Column[] = [['When'], ['Server'], ['Tool'], ['Outcome'], ['Arguments'], ['Actions', 'number']];

/** Rows that the keys for pages go on by. */
const pageRows = 10;

interface DrawnCall {
  readonly line: HTMLElement;
  readonly controls: readonly HTMLElement[];
  readonly openMenu: () => void;
  readonly update: (call: ListedCall) => void;
}

/** The table of calls. One row has the keys: arrows go to others, Tab goes through what can be done with it. */
export function createCallTable(act: (id: string, action: HistoryAction) => void, timeOf: RelativeTimes) {
  const drawn = new WeakMap<Element, DrawnCall>();
  /** By id, of all calls that the page has: a row that comes back is the same one, with its focus. */
  let known: ReadonlyMap<string, DrawnCall> = new Map<string, DrawnCall>();
  const table = createRecordTable<DrawnCall>({
    label: 'Calls',
    columns,
    draw: (row) => {
      const body = element('tbody', {}, row.line);
      drawn.set(body, row);
      return body;
    },
  });
  const body = table.table;
  const rows = (): readonly DrawnCall[] => Array.from(body.tBodies).flatMap((each) => drawn.get(each) ?? []);
  const keepCurrent = followRows(body, rows);
  let movedAt = -Infinity;
  // A call that ends, here or in another window, moves all rows below it: a click then may be meant for another row. A key goes to the
  // row that has the focus.
  const isMistaken = ({ detail }: MouseEvent): boolean =>
    detail > 1 || (detail === 1 && performance.now() - movedAt < decisionDelayMs);

  return {
    element: table.element,
    reset: (): void => table.reset(),
    /** Takes all calls that there are. */
    read(calls: readonly ListedCall[]): void {
      known = new Map(
        calls.map((call) => {
          const row = known.get(call.id) ?? drawCall(call, (action) => act(call.id, action), timeOf, isMistaken);
          row.update(call);
          return [call.id, row];
        }),
      );
    },
    /** Lists some of them. @param calls the newest first @param isByPerson the person has filtered them */
    show(calls: readonly ListedCall[], isByPerson: boolean): void {
      const before = rows();
      table.show(calls.flatMap(({ id }) => known.get(id) ?? []).toReversed());
      const after = rows();
      if (!isByPerson && before.some((row, index) => after[index] !== row)) movedAt = performance.now();
      keepCurrent();
    },
    focus: (): void => rows()[0]?.controls[0]?.focus(),
  };
}

/** Gives the keys to one row of a table. @returns what is to be called when other rows are there */
function followRows(body: HTMLTableElement, rows: () => readonly DrawnCall[]): () => void {
  let current: DrawnCall | undefined;
  const rowOf = (target: EventTarget | null): DrawnCall | undefined =>
    target instanceof Element ? rows().find(({ line }) => line.contains(target)) : undefined;

  function choose(row: DrawnCall | undefined): void {
    if (row === current) return;
    current?.line.classList.remove('is-current');
    for (const control of current?.controls ?? []) control.tabIndex = -1;
    current = row;
    row?.line.classList.add('is-current');
    for (const control of row?.controls ?? []) control.tabIndex = 0;
  }

  function onKey(event: KeyboardEvent): void {
    const row = rowOf(event.target);
    if (row === undefined || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const wantsMenu = event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10');
    if (wantsMenu) row.openMenu();
    else if (event.shiftKey || !moveFrom(row, rows(), event.key)) return;
    event.preventDefault();
  }

  body.addEventListener('keydown', onKey);
  body.addEventListener('focusin', ({ target }) => choose(rowOf(target)));
  body.addEventListener('click', ({ target }) => {
    const isControl = target instanceof Element && target.closest('button') !== null;
    if (!isControl && document.getSelection()?.isCollapsed !== false) rowOf(target)?.controls[0]?.focus();
  });
  body.addEventListener('contextmenu', (event) => {
    const row = rowOf(event.target);
    if (row === undefined) return;
    event.preventDefault();
    row.openMenu();
  });
  return () => {
    const all = rows();
    if (current === undefined || !all.includes(current)) choose(all[0]);
  };
}

/** @returns whether the key is one that goes to another row */
function moveFrom(row: DrawnCall, all: readonly DrawnCall[], key: string): boolean {
  const at = all.indexOf(row);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: Math.min(at + pageRows, all.length - 1),
    PageUp: Math.max(at - pageRows, 0),
    Home: 0,
    End: all.length - 1,
  };
  const to = steps[key];
  if (to === undefined) return false;
  all[to]?.controls[0]?.focus();
  return true;
}

/** @param isMistaken a click may be meant for another row, or belong to the one before */
function drawCall(
  call: ListedCall,
  act: (action: HistoryAction) => void,
  timeOf: RelativeTimes,
  isMistaken: (click: MouseEvent) => boolean,
): DrawnCall {
  const { at, server, tool, outcome, durationMs } = call;
  const open = element(
    'button',
    { type: 'button', class: 'toggle', tabindex: -1, onclick: () => act('show') },
    timeOf(at),
  );
  const again = iconButton('Call Again', 'debug-restart', () => act('again'));
  again.addEventListener('click', (event) => isMistaken(event) && event.stopImmediatePropagation(), { capture: true });
  const buttons = [
    again,
    iconButton('Compare…', 'diff', () => act('compare')),
    iconButton('Show Exchange', 'arrow-swap', () => act('exchange')),
  ];
  const name = `More for the call of ${new Date(at).toLocaleString()}`;
  const menu = createMenuButton(name, () => [{ label: 'Open', run: () => act('show') }, ...callMenu(act)]);
  const controls = [open, ...buttons, menu.button];
  for (const control of controls) control.tabIndex = -1;
  const args = element('div');
  const replaced = element('span', { class: 'muted' });
  const took = durationMs === undefined ? '' : ` · ${formatDuration(durationMs)}`;
  const group = { done: 'allowed', toolError: 'failed', error: 'failed', cancelled: 'refused', declined: 'refused' };
  const line = element(
    'tr',
    { ondblclick: () => act('show') },
    element('th', { scope: 'row' }, open),
    element('td', {}, shortText(server), replaced),
    element('td', {}, shortText(tool)),
    element(
      'td',
      {},
      element(
        'span',
        { class: `outcome ${group[outcome]}` },
        icon(outcomeIcons[outcome]),
        element('span', { text: `${outcomeWords[outcome]}${took}` }),
      ),
    ),
    element('td', { class: 'call-arguments' }, args),
    element('td', { class: 'call-actions' }, element('div', {}, buttons, menu.element)),
  );
  return {
    line,
    controls,
    openMenu: menu.open,
    update(shown): void {
      fill(args, argumentWords(shown));
      replaced.textContent = shown.since === 'same' ? '' : ` (${shown.since} since)`;
    },
  };
}
