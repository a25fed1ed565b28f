import { readableText } from '../../base/visibleText.ts';
import { capitalized } from '../../base/truncate.ts';
import type { CallListFromPanel, CallListToPanel, ListedCall } from '../../shared/callListMessages.ts';
import { type CallOutcome, outcomeWords } from '../../shared/toolMessages.ts';
import { button, element, linkButton } from '../dom.ts';
import { connectToExtension } from '../extensionConnection.ts';
import { createChoice, createFilterBar, namesOf, type Option } from '../records/filterBar.ts';
import { createRecordCount } from '../records/recordCount.ts';
import { createRelativeTimes } from '../relativeTime.ts';
import { createCallTable } from './callRows.ts';

const outcomeOptions: readonly Option<CallOutcome | ''>[] = [
  ['', 'Any outcome'],
  ...Object.entries(outcomeWords).map(([outcome, words]) => [outcome as CallOutcome, capitalized(words)] as const),
];

/** The calls of all tools of the workspace. */
export class CallsPage {
  readonly #host = connectToExtension<CallListFromPanel>((message: CallListToPanel) => this.#receive(message));
  readonly #main = element('main');
  readonly #server = createChoice<string>('Server', [['', 'All servers']]);
  readonly #outcome = createChoice('Outcome', outcomeOptions);
  readonly #filters = createFilterBar({
    choices: [this.#server, this.#outcome],
    onChange: () => {
      this.#table.reset();
      this.#draw(true);
      this.#count.announce();
    },
  });
  readonly #table = createCallTable(
    (id, action) => this.#host.send({ type: 'history', id, action }),
    createRelativeTimes(this.#main),
  );
  readonly #count = createRecordCount({
    noun: 'call',
    empty: (kind) =>
      kind === 'nothing'
        ? { icon: 'history', text: 'No calls yet.' }
        : {
            icon: 'filter',
            text: 'No calls match these filters.',
            more: button({ label: 'Show All Calls', onClick: () => this.#filters.clear() }),
          },
  });
  readonly #forget = button({
    label: 'Forget All…',
    icon: 'trash',
    kind: 'quiet',
    onClick: () => this.#host.send({ type: 'forgetAll' }),
  });
  readonly #off = element(
    'p',
    { class: 'hint', hidden: true },
    'New calls are not kept, because the history is turned off. ',
    linkButton(() => this.#host.send({ type: 'openSetting' }), 'Open Setting'),
  );
  /** The newest first. */
  #calls: readonly ListedCall[] = [];
  #isAnnounced = false;

  constructor(root: HTMLElement) {
    const { count, status, empty } = this.#count;
    this.#main.append(this.#filters.element, this.#off, count, status, empty, this.#table.element);
    const header = element(
      'header',
      { class: 'page-header' },
      element('div', { class: 'title-row' }, element('h1', { text: 'Call History' }), this.#forget),
      element('p', { class: 'lead', text: 'Calls of all tools in this workspace, newest first.' }),
    );
    root.append(header, this.#main);
    this.#filters.element.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown' || !(event.target instanceof HTMLInputElement)) return;
      event.preventDefault();
      this.#table.focus();
    });
  }

  start(): void {
    this.#host.send({ type: 'ready' });
  }

  #receive(message: CallListToPanel): void {
    if (message.type !== 'calls') return;
    this.#calls = message.calls;
    this.#table.read(message.calls);
    this.#off.hidden = message.isKept;
    this.#server.offer(namesOf(this.#calls.map(({ server }) => server)).map((name) => [name, readableText(name)]));
    this.#draw(false);
    if (!this.#isAnnounced) this.#count.announce();
    this.#isAnnounced = true;
  }

  #draw(isByPerson: boolean): void {
    const words = this.#filters.text.toLowerCase().split(/\s+/).filter(Boolean);
    const [server, outcome] = [this.#server.value, this.#outcome.value];
    const listed = this.#calls.filter(
      (call) =>
        (server === '' || call.server === server) &&
        (outcome === '' || call.outcome === outcome) &&
        hasWords(call, words),
    );
    this.#table.show(listed, isByPerson);
    this.#count.show(listed.length, this.#calls.length);
    this.#table.element.hidden = listed.length === 0;
    this.#forget.hidden = this.#calls.length === 0;
  }
}

/** True for a call that shows all words, in whichever column. */
function hasWords(call: ListedCall, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { server, tool, words: args, at } = call;
  const shown = [
    server,
    tool,
    outcomeWords[call.outcome],
    ...args.map((each) => each.text),
    new Date(at).toLocaleString(),
  ];
  const text = shown.join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}
