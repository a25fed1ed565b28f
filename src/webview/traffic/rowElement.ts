import { preciseTime } from '../../base/relativeTime.ts';
import type { TrafficRowView } from '../../shared/trafficMessages.ts';
import { element, formatBytes, formatDuration, setText } from '../dom.ts';

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

/** One line of the list, which shows one row after another. */
export function createRowElement(): RowElement {
  const cells = columns.map((name) => element('span', { dir: 'auto', role: name === '' ? 'img' : undefined }));
  const arrow = cells[columns.indexOf('')];
  const line = element('div', { class: 'traffic-row', role: 'option' }, cells);
  let shown: TrafficRowView | null | undefined;
  let index = -1;
  return {
    element: line,
    get index() {
      return index;
    },
    show(at, row, count, isSelected): void {
      if (index !== at) line.style.top = `calc(var(--row) * ${at})`;
      index = at;
      line.ariaPosInSet = String(at + 1);
      line.ariaSetSize = String(count);
      line.ariaSelected = String(isSelected);
      line.classList.toggle('is-selected', isSelected);
      if (shown === row && shown !== undefined) return;
      shown = row;
      line.dataset['tone'] = row?.tone ?? 'quiet';
      const texts = row === null ? ['', '', '', 'no longer kept'] : row === undefined ? ['…'] : textsOf(row);
      for (const [place, cell] of cells.entries()) setText(cell, texts[place] ?? '');
      if (row === null || row === undefined) arrow?.removeAttribute('aria-label');
      else arrow?.setAttribute('aria-label', directionWords(row));
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
