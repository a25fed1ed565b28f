import {
  type CancellationToken,
  commands,
  Location,
  Position,
  Range,
  type TestController,
  type TestItem,
  type TestItemCollection,
  TestMessage,
  type TestRun,
  TestRunProfileKind,
  TestRunRequest,
  tests,
  Uri,
} from 'vscode';
import { DisposableStore, toDisposable } from '../../base/disposable.ts';
import { CancelledError, isCancellation, messageOf } from '../../base/errors.ts';
import { getOrMake } from '../../base/memoize.ts';
import type { Logger } from '../../base/logger.ts';
import { isRecord } from '../../base/json.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { readableText } from '../../base/visibleText.ts';
import type { CheckFailure, CheckResult } from '../../workshop/checks/checkResult.ts';
import type { TestEntry, TestSource, TestTree } from './testController.ts';

interface Leaf {
  readonly source: TestSource;
  readonly id: string;
}

/** Characters of one message and of one side of a difference. */
const shown = { message: 4_000, side: 100_000 };

/** The test controller *MCP Servers*: the entries of all sources as one tree, by their groups. */
export function createTestTree(logger: Logger): TestTree {
  return new Tree(logger);
}

class Tree implements TestTree {
  readonly #logger: Logger;
  readonly #store = new DisposableStore();
  readonly #controller: TestController;
  readonly #sources = new Map<TestSource, readonly TestEntry[]>();
  readonly #leaves = new WeakMap<TestItem, Leaf>();

  constructor(logger: Logger) {
    this.#logger = logger;
    this.#controller = this.#store.add(tests.createTestController('patchbay.servers', 'MCP Servers'));
    const run = (request: TestRunRequest, token: CancellationToken): Promise<void> => this.#run(request, token);
    this.#controller.createRunProfile('Run', TestRunProfileKind.Run, run, true);
    this.#controller.refreshHandler = async () => {
      for (const source of this.#sources.keys()) await this.#read(source);
    };
  }

  addSource(source: TestSource) {
    this.#sources.set(source, []);
    const changes = source.onDidChange?.(() => void this.#read(source));
    void this.#read(source);
    return this.#store.add(
      toDisposable(() => {
        changes?.dispose();
        this.#sources.delete(source);
        this.#draw();
      }),
    );
  }

  async run(id: string, ids: readonly string[], { isQuiet } = { isQuiet: false }): Promise<void> {
    const source = [...this.#sources.keys()].find((each) => each.id === id);
    if (source === undefined) return;
    await this.#read(source);
    const wanted = new Set(ids);
    const items = this.#leavesBelow(this.#controller.items).filter((item) => {
      const leaf = this.#leaves.get(item);
      return leaf?.source === source && wanted.has(leaf.id);
    });
    if (items.length === 0) return;
    if (!isQuiet) await commands.executeCommand('workbench.view.testing.focus');
    await this.#run(new TestRunRequest(items, undefined, undefined, false, isQuiet), undefined);
  }

  idsOf(id: string, argument: unknown): readonly string[] | undefined {
    const item = (isRecord(argument) && 'test' in argument ? argument['test'] : argument) as TestItem | undefined;
    const isOwn = item !== undefined && this.#itemsBelow(this.#controller.items).includes(item);
    if (!isOwn) return undefined;
    const leaves = [item, ...this.#leavesBelow(item.children)].map((each) => this.#leaves.get(each));
    return leaves.flatMap((leaf) => (leaf?.source.id === id ? [leaf.id] : []));
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #read(source: TestSource): Promise<void> {
    try {
      const entries = await source.items();
      if (this.#sources.has(source)) this.#sources.set(source, entries);
      this.#draw();
    } catch (error) {
      this.#logger.warn(`${source.label}: ${messageOf(error)}`);
    }
  }

  #draw(): void {
    const kept = new Set<TestItem>();
    for (const [source, entries] of this.#sources) for (const entry of entries) this.#place(source, entry, kept);
    this.#drop(this.#controller.items, kept);
  }

  /** The item of an entry, with those above it. An item that is there already stays the same, as runs refer to it. */
  #place(source: TestSource, entry: TestEntry, kept: Set<TestItem>): TestItem {
    let items = this.#controller.items;
    for (const group of entry.groups) {
      const item = this.#itemIn(items, `group:${group.id}`, group);
      kept.add(item);
      items = item.children;
    }
    const leaf = this.#itemIn(items, `${source.id}:${entry.id}`, entry);
    if (entry.description !== undefined) leaf.description = entry.description;
    this.#leaves.set(leaf, { source, id: entry.id });
    kept.add(leaf);
    return leaf;
  }

  #itemIn(items: TestItemCollection, id: string, { label, place }: Pick<TestEntry, 'label' | 'place'>): TestItem {
    const uri = place && Uri.file(place.path);
    const known = items.get(id);
    const item =
      known !== undefined && known.uri?.toString() === uri?.toString()
        ? known
        : this.#controller.createTestItem(id, label, uri);
    item.label = label;
    item.range = place && new Range(place.line - 1, 0, place.line - 1, 0);
    if (item !== known) items.add(item);
    return item;
  }

  #drop(items: TestItemCollection, kept: ReadonlySet<TestItem>): void {
    for (const [id, item] of items) {
      if (kept.has(item)) this.#drop(item.children, kept);
      else items.delete(id);
    }
  }

  #itemsBelow(items: TestItemCollection): readonly TestItem[] {
    return [...items].flatMap(([, item]) => [item, ...this.#itemsBelow(item.children)]);
  }

  #leavesBelow(items: TestItemCollection): readonly TestItem[] {
    return this.#itemsBelow(items).filter((item) => this.#leaves.has(item));
  }

  async #run(request: TestRunRequest, token: CancellationToken | undefined): Promise<void> {
    const excluded = new Set(request.exclude);
    const included = request.include ?? [...this.#controller.items].map(([, item]) => item);
    const chosen = included.flatMap((item) => [item, ...this.#leavesBelow(item.children)]);
    const bySource = new Map<TestSource, Map<string, TestItem>>();
    const run = this.#controller.createTestRun(request);
    for (const item of new Set(chosen)) {
      const leaf = this.#leaves.get(item);
      if (leaf === undefined || isExcluded(item, excluded)) continue;
      getOrMake(bySource, leaf.source, () => new Map<string, TestItem>()).set(leaf.id, item);
      run.enqueued(item);
    }
    const controller = new AbortController();
    const abort = (): void => controller.abort(new CancelledError());
    const cancels = [token, run.token].map((each) => each?.onCancellationRequested(abort));
    try {
      for (const [source, items] of bySource) await this.#runSource(source, items, run, controller.signal);
    } finally {
      for (const cancel of cancels) cancel?.dispose();
      run.end();
    }
  }

  async #runSource(source: TestSource, items: Map<string, TestItem>, run: TestRun, signal: AbortSignal): Promise<void> {
    const left = new Map(items);
    for (const item of items.values()) run.started(item);
    try {
      for await (const result of source.run([...items.keys()], signal)) {
        const item = items.get(result.id) ?? this.#added(source, result);
        left.delete(result.id);
        if (item !== undefined) report(run, item, result);
      }
    } catch (error) {
      if (isCancellation(error)) return;
      for (const item of left.values()) run.errored(item, new TestMessage(readable(messageOf(error))));
      left.clear();
    } finally {
      for (const item of left.values()) run.skipped(item);
    }
  }

  /** A result may be of an entry that is known only by now. */
  #added(source: TestSource, result: CheckResult): TestItem | undefined {
    const entry = source.entryFor?.(result);
    if (entry === undefined) return undefined;
    const others = (this.#sources.get(source) ?? []).filter(({ id }) => id !== entry.id);
    this.#sources.set(source, [...others, entry]);
    return this.#place(source, entry, new Set());
  }
}

function isExcluded(item: TestItem, excluded: ReadonlySet<TestItem>): boolean {
  return excluded.has(item) || (item.parent !== undefined && isExcluded(item.parent, excluded));
}

function report(run: TestRun, item: TestItem, result: CheckResult): void {
  const { verdict, message = '', durationMs } = result;
  const said = [verdict === 'passed' ? '✓' : verdict === 'failed' ? '✗' : '•', result.title, message];
  run.appendOutput(`${readable(said.filter(Boolean).join(' ')).replaceAll(/\r?\n/g, '\r\n  ')}\r\n`, undefined, item);
  if (verdict === 'failed') run.failed(item, messagesOf(result), durationMs);
  else if (verdict === 'passed' || verdict === 'warning') run.passed(item, durationMs);
  else run.skipped(item);
}

function messagesOf({ message, title, failures, place }: CheckResult): TestMessage[] {
  const all: readonly CheckFailure[] = failures ?? [{ message: message ?? title }];
  return all.map((failure) => {
    const { expected, actual } = failure;
    const text = readable(failure.message);
    const isCompared = expected !== undefined && actual !== undefined;
    const made = isCompared ? TestMessage.diff(text, side(expected), side(actual)) : new TestMessage(text);
    const line = failure.line ?? place?.line;
    if (place !== undefined && line !== undefined)
      made.location = new Location(Uri.file(place.path), new Position(line - 1, 0));
    return made;
  });
}

function readable(text: string): string {
  return readableText(truncateWithCount(text, shown.message));
}

function side(text: string): string {
  return readableText(truncateWithCount(text, shown.side));
}
