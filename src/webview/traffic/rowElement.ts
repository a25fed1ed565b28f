import { preciseTime } from '../../base/relativeTime.ts';
import type { TrafficRowView } from '../../shared/trafficMessages.ts';
import { element, formatBytes, formatDuration } from '../dom.ts';

export interface RowElement {
  readonly element: HTMLElement;
  readonly index: number;
  show(index: number, row: TrafficRowView | null | undefined, count: number, isSelected: boolean): void;
}

/** The columns of the list, with their headings. */
export const columns = ['Time', '', 'Server', 'Method', 'Subject', 'Status', 'Duration', 'Size'] as const;

export function arrowOf({ direction, isOfApp }: TrafficRowView): string {
  if (isOfApp) return direction === 'sent' ? '⇢' : '⇠';
  return direction === 'sent' ? '→' : '←';
}

/** For screen readers, which do not read arrows. */
export function directionWords({ direction, isOfApp }: TrafficRowView): string {
  const peer = isOfApp ? 'app' : 'server';
  return direction === 'sent' ? `to the ${peer}` : `from the ${peer}`;
}

/** One line of the list, which shows one row after another. Only what differs is written: it is drawn within a frame of scrolling. */
export function createRowElement(): RowElement {
  const texts = columns.map(() => document.createTextNode(''));
  const cells = texts.map((text, place) => element('span', { role: columns[place] === '' ? 'img' : undefined }, text));
  const arrow = cells[columns.indexOf('')];
  const line = element('div', { class: 'traffic-row', role: 'option', 'aria-selected': 'false' }, cells);
  let shown: TrafficRowView | null | undefined;
  let [index, of, isMarked, tone, words] = [-1, -1, false, '', ''];

  function mark(isSelected: boolean): void {
    isMarked = isSelected;
    line.ariaSelected = String(isSelected);
    line.classList.toggle('is-selected', isSelected);
  }

  function write(row: TrafficRowView | null | undefined): void {
    shown = row;
    const wanted = row === null ? ['', '', '', 'no longer kept'] : row === undefined ? ['…'] : textsOf(row);
    for (const [place, text] of texts.entries())
      if (text.data !== (wanted[place] ?? '')) text.data = wanted[place] ?? '';
    if (tone !== (row?.tone ?? 'quiet')) line.dataset['tone'] = tone = row?.tone ?? 'quiet';
    const next = row === null || row === undefined ? '' : directionWords(row);
    if (words === next) return;
    words = next;
    if (words === '') arrow?.removeAttribute('aria-label');
    else arrow?.setAttribute('aria-label', words);
  }

  return {
    element: line,
    get index() {
      return index;
    },
    show(at, row, count, isSelected): void {
      if (index !== at) {
        line.style.top = `calc(var(--row) * ${at})`;
        line.ariaPosInSet = String(at + 1);
      }
      if (of !== count) line.ariaSetSize = String(count);
      [index, of] = [at, count];
      if (isMarked !== isSelected) mark(isSelected);
      if (shown !== row || shown === undefined) write(row);
    },
  };
}

function textsOf(row: TrafficRowView): readonly string[] {
  const { at, server, method, subject, status, durationMs, size } = row;
  const duration = durationMs === undefined ? '' : formatDuration(durationMs);
  return [
    preciseTime(at),
    arrowOf(row),
    server,
    method,
    subject,
    status,
    duration,
    size === undefined ? '' : formatBytes(size),
  ];
}
