import type { TrafficRowView } from '../../shared/trafficMessages.ts';
import { element, setText, uniqueId } from '../dom.ts';
import { createRowElement, type RowElement } from './rowElement.ts';

/** Pixels of a row; `media/traffic.css` has the same. */
const rowHeight = 22;

/** Rows that are asked for at once. */
const blockRows = 100;

/** Rows that are drawn above and below what is visible. */
const spareRows = 8;

/** Blocks that are kept. */
const maximumBlocks = 50;

/** Blocks that are asked for ahead while the list is scrolled. */
const blocksAhead = 2;

/** Requests without an answer yet. A list that is dragged along asks for what is visible then, not for all that it passed. */
const maximumRequests = 4;

interface VirtualListOptions {
  /** Asks for rows; {@link VirtualList.take} gets them. */
  readonly request: (from: number, to: number) => void;
  /** The person has gone to a row. */
  readonly onSelect: (row: TrafficRowView) => void;
  /** Enter, or a double click. */
  readonly onOpen: () => void;
}

interface Block {
  readonly version: number;
  readonly rows: readonly (TrafficRowView | null)[];
}

/** A list of any length that draws the visible rows only, and asks for them in blocks. It has the focus; one row is its active one. */
export class VirtualList {
  readonly element: HTMLElement;
  readonly #options: VirtualListOptions;
  readonly #space = element('div', { class: 'traffic-space', role: 'presentation' });
  readonly #drawn: RowElement[] = [];
  readonly #blocks = new Map<number, Block>();
  /** Blocks that were asked for in this version, and are not here yet. */
  readonly #requested = new Set<number>();
  readonly #id = uniqueId('row');
  #count = 0;
  #version = 0;
  #selected = -1;
  /** The selection was moved by a key, and the row is not here yet. */
  #awaited = -1;
  #isFrameWanted = false;
  #active: HTMLElement | undefined;
  /** Where the list was when it was drawn. */
  #drawnTop = 0;
  /** Stays at the end while new rows come. */
  #follows = true;

  constructor(options: VirtualListOptions) {
    this.#options = options;
    this.element = element(
      'div',
      { class: 'traffic-list', role: 'listbox', tabindex: 0, 'aria-label': 'Messages' },
      this.#space,
    );
    this.element.addEventListener('scroll', () => {
      this.#follows = this.#isAtEnd();
      this.#wantFrame();
    });
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.element.addEventListener('click', ({ target }) => this.#onClick(target));
    this.element.addEventListener('dblclick', () => options.onOpen());
    new ResizeObserver(() => this.#wantFrame()).observe(this.element);
  }

  get follows(): boolean {
    return this.#follows;
  }

  set follows(follows: boolean) {
    this.#follows = follows;
    if (follows) this.#scrollToEnd();
  }

  /**
   * @param selected the place of the active row; `undefined` if it stays
   * @param moved how many rows at the beginning are gone
   */
  update(count: number, version: number, selected: number | undefined, moved: number): void {
    this.#count = count;
    if (version !== this.#version) this.#requested.clear();
    this.#version = version;
    if (this.#awaited < 0) this.#selected = selected ?? this.#selected;
    this.#space.style.height = `${count * rowHeight}px`;
    if (this.#follows) this.#scrollToEnd();
    else if (moved > 0) this.element.scrollTop -= moved * rowHeight;
    this.#wantFrame();
  }

  take(from: number, version: number, rows: readonly (TrafficRowView | null)[]): void {
    const block = Math.floor(from / blockRows);
    this.#requested.delete(block);
    this.#blocks.delete(block);
    this.#blocks.set(block, { version, rows });
    for (const old of this.#blocks.keys()) if (this.#blocks.size > maximumBlocks) this.#blocks.delete(old);
    this.#wantFrame();
    const awaited = this.#rowAt(this.#awaited);
    if (awaited === undefined || awaited === null) return;
    this.#awaited = -1;
    this.#options.onSelect(awaited);
  }

  /** Other rows: nothing that is known is of use. */
  reset(): void {
    this.#blocks.clear();
    this.#requested.clear();
    this.#selected = -1;
    this.#awaited = -1;
    this.#wantFrame();
  }

  /** Scrolls to a row, and makes it the active one. */
  select(index: number): void {
    if (this.#count === 0) return;
    const to = Math.min(Math.max(index, 0), this.#count - 1);
    this.#selected = to;
    this.show(to);
    const row = this.#rowAt(to);
    this.#awaited = row === undefined || row === null ? to : -1;
    if (row !== undefined && row !== null) this.#options.onSelect(row);
    this.#wantFrame();
  }

  show(index: number): void {
    const { clientHeight, scrollTop } = this.element;
    const top = index * rowHeight;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + rowHeight > scrollTop + clientHeight) this.element.scrollTop = top + rowHeight - clientHeight;
    this.#follows = this.#isAtEnd();
  }

  #isAtEnd(): boolean {
    const { clientHeight, scrollTop, scrollHeight } = this.element;
    return scrollTop + clientHeight >= scrollHeight - 2;
  }

  #scrollToEnd(): void {
    this.element.scrollTop = this.#count * rowHeight;
  }

  #wantFrame(): void {
    if (this.#isFrameWanted) return;
    this.#isFrameWanted = true;
    requestAnimationFrame(() => {
      this.#isFrameWanted = false;
      this.#draw();
    });
  }

  #draw(): void {
    const { clientHeight, scrollTop } = this.element;
    const moved = scrollTop - this.#drawnTop;
    this.#drawnTop = scrollTop;
    // Where nothing of the last frame is still visible, the spare rows wait for a calmer one.
    const isFar = Math.abs(moved) >= Math.max(clientHeight, 1);
    if (isFar) this.#wantFrame();
    const spare = isFar ? 0 : spareRows;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - spare);
    const last = Math.min(this.#count, Math.ceil((scrollTop + clientHeight) / rowHeight) + spare);
    this.#drawRows(first, last, isFar);
    this.#needRows(first, last, Math.sign(moved));
  }

  /** @param isFar rows that are not among these stay as they are */
  #drawRows(first: number, last: number, isFar: boolean): void {
    while (this.#drawn.length < last - first) {
      const made = createRowElement();
      this.#drawn.push(made);
      this.#space.append(made.element);
    }
    let active: HTMLElement | undefined;
    for (const [place, drawn] of this.#drawn.entries()) {
      // The row of an index stays the same element while it is scrolled.
      const index = first + ((((place - first) % this.#drawn.length) + this.#drawn.length) % this.#drawn.length);
      if (!isFar || index < last) drawn.element.hidden = index >= last;
      if (index >= last) continue;
      drawn.show(index, this.#rowAt(index), this.#count, index === this.#selected);
      if (index === this.#selected) active = drawn.element;
    }
    this.#activate(active);
  }

  /** Only the active row has an id, and another one than the last: screen readers go by it. */
  #activate(row: HTMLElement | undefined): void {
    const id = row === undefined ? '' : `${this.#id}-${this.#selected}`;
    if (this.#active === row && (row?.id ?? '') === id) return;
    this.#active?.removeAttribute('id');
    this.#active = row;
    if (row === undefined) return this.element.removeAttribute('aria-activedescendant');
    row.id = id;
    this.element.setAttribute('aria-activedescendant', id);
  }

  /** Asks for the blocks of rows that are drawn, then for those that come next. @param direction 1 downwards, -1 upwards, 0 for neither */
  #needRows(first: number, last: number, direction: number): void {
    const [from, to] = [Math.floor(first / blockRows), Math.floor((last - 1) / blockRows)];
    for (let block = from; block <= to; block += 1) this.#need(block);
    const next = direction > 0 ? to : from;
    if (direction === 0) return;
    for (let ahead = 1; ahead <= blocksAhead; ahead += 1) this.#need(next + direction * ahead);
  }

  #need(block: number): void {
    if (block < 0 || block * blockRows >= this.#count) return;
    if (this.#blocks.get(block)?.version === this.#version || this.#requested.has(block)) return;
    if (this.#requested.size >= maximumRequests) return;
    this.#requested.add(block);
    // The whole of it: there may be more rows by the time that the answer is made.
    this.#options.request(block * blockRows, (block + 1) * blockRows);
  }

  #rowAt(index: number): TrafficRowView | null | undefined {
    return this.#blocks.get(Math.floor(index / blockRows))?.rows[index % blockRows];
  }

  #onClick(target: EventTarget | null): void {
    const drawn = this.#drawn.find(({ element: row }) => target instanceof Node && row.contains(target));
    if (drawn !== undefined) this.select(drawn.index);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / rowHeight) - 1);
    const at = this.#selected;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at < 0 ? this.#count - 1 : at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: this.#count - 1,
    };
    const to = steps[event.key];
    if (event.key === 'Enter') this.#options.onOpen();
    else if (to === undefined) return;
    else this.select(to);
    event.preventDefault();
  }
}

/** Says how many rows there are. */
export function createCount() {
  const status = element('p', { class: 'traffic-count', role: 'status' });
  return { element: status, show: (words: string): void => setText(status, words) };
}
