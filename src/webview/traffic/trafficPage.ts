import { isRecord, isString } from '../../base/json.ts';
import type { TrafficFromPanel, TrafficToPanel } from '../../shared/trafficMessages.ts';
import { button, countOf, element, formatNumber, uniqueId } from '../dom.ts';
import { connectToExtension } from '../extensionConnection.ts';
import { createDetailPane } from './detailPane.ts';
import { columns } from './rowElement.ts';
import { createCount, VirtualList } from './virtualList.ts';

type State = Extract<TrafficToPanel, { readonly type: 'state' }>;

const help = 'server: method: tool: status: text:   “-” leaves out, quotes keep words together';

/** Everything that went over the wire, as rows with the messages of one of them below. */
export class TrafficPage {
  readonly #host = connectToExtension<TrafficFromPanel>((message: TrafficToPanel) => this.#receive(message));
  readonly #filter = element('input', {
    id: uniqueId('filter'),
    type: 'search',
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: 'server: method: tool: status: text:',
    title: help,
    oninput: () => this.#sendView(true),
  });
  readonly #slowest = this.#toggle('Slowest First', 'sort-precedence', true);
  readonly #pings = this.#toggle('Show Pings', 'pulse', true);
  readonly #pause = this.#toggle('Pause', 'debug-pause', false);
  readonly #count = createCount();
  readonly #list = new VirtualList({
    request: (from, to) => this.#host.send({ type: 'rows', from, to }),
    onSelect: ({ id }) => {
      this.#selectedId = id;
      this.#host.send({ type: 'select', id });
    },
    onOpen: () => this.#detail.focus(),
  });
  readonly #detail = createDetailPane({
    act: (id, action) => this.#host.send({ type: 'act', id, action }),
    copy: (text) => this.#host.send({ type: 'copy', text }),
  });
  readonly #empty = element('p', { class: 'hint traffic-empty' });
  #selectedId: number | undefined;
  #wanted: number | undefined;
  #state: State | undefined;

  constructor(root: HTMLElement) {
    const kept = this.#host.getState();
    if (isRecord(kept) && isString(kept['filter'])) this.#filter.value = kept['filter'];
    root.classList.add('traffic-page');
    root.append(
      element(
        'header',
        { class: 'traffic-bar' },
        element('h1', { class: 'screen-reader-only', text: 'Traffic' }),
        element('label', { class: 'screen-reader-only', for: this.#filter.id, text: 'Filter' }),
        this.#filter,
        element(
          'div',
          { class: 'traffic-buttons', role: 'group', 'aria-label': 'View' },
          [this.#slowest, this.#pings, this.#pause],
          button({ label: 'Clear', icon: 'clear-all', kind: 'quiet', onClick: () => this.#clear() }),
          button({
            label: 'JSON Lines…',
            icon: 'export',
            kind: 'quiet',
            title: 'Export what is shown as JSON Lines',
            onClick: () => this.#export('jsonl'),
          }),
          button({
            label: 'HAR…',
            icon: 'export',
            kind: 'quiet',
            title: 'Export what is shown as HAR 1.2',
            onClick: () => this.#export('har'),
          }),
        ),
      ),
      element(
        'main',
        { class: 'traffic-main' },
        element(
          'div',
          { class: 'traffic-rows' },
          this.#count.element,
          element(
            'div',
            { class: 'traffic-head', 'aria-hidden': 'true' },
            columns.map((text) => element('span', { text })),
          ),
          this.#list.element,
          this.#empty,
        ),
        this.#detail.element,
      ),
    );
    root.addEventListener('keydown', (event) => this.#onKey(event));
  }

  start(): void {
    this.#host.setState({ filter: this.#filter.value });
    this.#host.send({ type: 'ready' });
    this.#sendView(true);
  }

  #toggle(label: string, icon: string, isReset: boolean): HTMLButtonElement {
    const made = button({
      label,
      icon,
      kind: 'quiet',
      onClick: () => {
        made.ariaPressed = String(made.ariaPressed !== 'true');
        this.#sendView(isReset);
      },
    });
    made.ariaPressed = 'false';
    return made;
  }

  /** @param isReset other rows will match */
  #sendView(isReset: boolean): void {
    const filter = this.#filter.value;
    const sort = isOn(this.#slowest) ? 'slowest' : 'time';
    if (isReset) {
      this.#list.reset();
      this.#state = undefined;
      this.#list.follows = sort === 'time' && this.#wanted === undefined;
      this.#host.setState({ filter });
    }
    this.#host.send({ type: 'view', filter, showsPings: isOn(this.#pings), sort, isPaused: isOn(this.#pause) });
  }

  #receive(message: TrafficToPanel): void {
    switch (message.type) {
      case 'state':
        return this.#update(message);
      case 'rows':
        return this.#list.take(message.from, message.version, message.rows);
      case 'detail':
        if (message.detail.row.id === this.#selectedId) this.#detail.show(message.detail);
        return undefined;
      case 'filter':
        this.#filter.value = message.filter;
        this.#wanted = message.select;
        if (message.select !== undefined) {
          this.#slowest.ariaPressed = 'false';
          this.#selectedId = message.select;
          this.#host.send({ type: 'select', id: message.select });
        }
        return this.#sendView(true);
    }
  }

  #update(state: State): void {
    const before = this.#state;
    this.#state = state;
    const { count, total, version, isCut, isSearching } = state;
    // A key may have gone to another row meanwhile.
    const selected = state.selected?.id === this.#selectedId ? state.selected?.index : undefined;
    if (isOn(this.#slowest)) this.#list.follows = false;
    this.#list.update(count, version, selected, before === undefined ? 0 : state.removed - before.removed);
    if (this.#wanted !== undefined && selected !== undefined && selected >= 0) {
      this.#wanted = undefined;
      this.#list.select(selected);
      this.#list.element.focus();
    }
    const shown = count === total ? countOf(total, 'row') : `${formatNumber(count)} of ${countOf(total, 'row')}`;
    const cut = isCut ? ' · older rows are no longer kept' : '';
    this.#count.show(`${shown}${isSearching ? ' · searching…' : ''}${isOn(this.#pause) ? ' · paused' : ''}${cut}`);
    this.#empty.hidden = count > 0 || isSearching;
    this.#empty.textContent = this.#emptyText(state);
  }

  #emptyText({ total, isRestored }: State): string {
    if (total > 0) {
      const field = unknownField(this.#filter.value);
      const wrong =
        field === undefined
          ? ''
          : ` “${field}” is searched for as a word: fields are server: method: tool: status: text:.`;
      return `No row matches.${wrong} Press Escape in the filter to clear it; pings are hidden unless you show them.`;
    }
    const start = 'Nothing has gone over the wire yet. Start a server, or call a tool.';
    return isRestored ? `The window was reloaded: what was here before is no longer kept. ${start}` : start;
  }

  #clear(): void {
    this.#selectedId = undefined;
    this.#list.reset();
    this.#detail.hide();
    this.#host.send({ type: 'clear' });
  }

  #export(format: 'jsonl' | 'har'): void {
    this.#host.send({ type: 'export', format });
  }

  #onKey(event: KeyboardEvent): void {
    const isTyping = event.target === this.#filter;
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === '/' && !isTyping) this.#filter.focus();
    else if (event.key === 'ArrowDown' && isTyping) this.#list.element.focus();
    else if (event.key === 'Escape' && isTyping && this.#filter.value !== '') {
      this.#filter.value = '';
      this.#sendView(true);
    } else if (event.key === 'Escape') this.#list.element.focus();
    else return;
    event.preventDefault();
  }
}

/** What looks like a field of a filter, and is none. */
function unknownField(filter: string): string | undefined {
  const words = [...filter.replaceAll(/"[^"]*"?/g, '').matchAll(/(?:^|\s)-?([a-z]{2,20}:)/gi)];
  return words.map(([, field = '']) => field).find((field) => !/^(?:server|method|tool|status|text):$/i.test(field));
}

function isOn(toggle: HTMLButtonElement): boolean {
  return toggle.ariaPressed === 'true';
}
