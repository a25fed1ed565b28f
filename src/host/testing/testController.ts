import {
  type CancellationToken,
  CancellationTokenSource,
  type TestController,
  type TestItem,
  TestMessage,
  type TestRun,
  type TestRunProfile,
  TestRunProfileKind,
  TestRunRequest,
  tests,
} from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { CheckResult } from '../../workshop/checks/checkResult.ts';
import { summarise } from '../../workshop/checks/summarise.ts';
import { withToken } from '../platform/cancellation.ts';
import { TestItems } from './testItems.ts';
import { report, shown } from './testReport.ts';
import type { RunOrigin, TestSource, TestTree } from './testSource.ts';

/** Creates the controller *MCP Servers*; its items are made when Test Explorer asks for them. */
export function createTestTree(logger: Logger): TestTree {
  return new ServerTests(logger);
}

interface SourceRun {
  readonly testRun: TestRun;
  readonly signal: AbortSignal;
  readonly origin: RunOrigin;
}

class ServerTests implements TestTree {
  readonly #logger: Logger;
  readonly #store = new DisposableStore();
  readonly #controller: TestController;
  readonly #profile: TestRunProfile;
  readonly #items: TestItems;
  readonly #sources = new Map<string, TestSource>();

  constructor(logger: Logger) {
    this.#logger = logger;
    const controller = this.#store.add(tests.createTestController('patchbay.servers', 'MCP Servers'));
    this.#controller = controller;
    this.#items = new TestItems(controller.items, (...about) => controller.createTestItem(...about));
    controller.resolveHandler = (item) => (item === undefined ? this.#refreshAll() : Promise.resolve());
    controller.refreshHandler = () => this.#refreshAll();
    const run = (request: TestRunRequest, token: CancellationToken): Promise<void> =>
      this.#run(request, token, request.include === undefined ? 'all' : 'selection');
    this.#profile = this.#store.add(controller.createRunProfile('Run', TestRunProfileKind.Run, run, true));
  }

  addSource(source: TestSource): Disposable {
    this.#sources.set(source.id, source);
    const refresh = (): void => void this.#refresh(source).catch((error: unknown) => this.#log(source, error));
    const changes = source.onDidChange?.(refresh);
    refresh();
    return toDisposable(() => {
      changes?.dispose();
      this.#sources.delete(source.id);
      this.#items.replace(source, []);
    });
  }

  async run(id: string, ids: readonly string[], origin: 'command' | 'restart'): Promise<void> {
    const source = this.#sources.get(id);
    if (source === undefined) return;
    await this.#refresh(source);
    const include = ids.flatMap((entry) => this.#items.find(source, entry) ?? []);
    const never = new CancellationTokenSource();
    const request = new TestRunRequest(include, undefined, this.#profile);
    await this.#run(request, never.token, origin).finally(() => never.dispose());
  }

  idsOf(id: string, argument: unknown): readonly string[] | undefined {
    // The menu of a message passes its item in an object.
    const item = isRecord(argument) && 'test' in argument ? argument['test'] : argument;
    const leaves = this.#items.leavesBelow(item);
    return leaves.length === 0 ? undefined : leaves.flatMap((leaf) => (leaf.source.id === id ? [leaf.id] : []));
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #refreshAll(): Promise<void> {
    await Promise.all([...this.#sources.values()].map((source) => this.#refresh(source)));
  }

  async #refresh(source: TestSource): Promise<void> {
    this.#items.replace(source, await source.items());
  }

  async #run(request: TestRunRequest, token: CancellationToken, origin: RunOrigin): Promise<void> {
    // Keyboard and palette can run before the tree was shown.
    if (this.#controller.items.size === 0) await this.#refreshAll();
    const leaves = this.#items.leavesOf(request);
    const testRun = this.#controller.createTestRun(request);
    try {
      await withToken(token, async (signal) => {
        for (const source of this.#sources.values()) {
          const own = leaves.filter((leaf) => leaf.source === source).map(({ id }) => id);
          if (own.length === 0 || signal.aborted) continue;
          await this.#runSource(source, own, { testRun, signal, origin });
        }
      });
    } finally {
      this.#items.showWarnings();
      testRun.end();
    }
  }

  async #runSource(source: TestSource, ids: readonly string[], { testRun, signal, origin }: SourceRun): Promise<void> {
    const open = new Map<string, TestItem>();
    const results: CheckResult[] = [];
    for (const id of ids) {
      const item = this.#items.find(source, id);
      if (item === undefined) continue;
      open.set(id, item);
      testRun.started(item);
    }
    try {
      for await (const result of source.run(ids, signal, origin)) {
        const entry = source.entryFor?.(result);
        const item = this.#items.find(source, result.id) ?? (entry && this.#items.add(source, entry));
        if (item === undefined) continue;
        open.delete(result.id);
        results.push(result);
        this.#items.setVerdict(item, result.verdict);
        report(testRun, item, result);
      }
      for (const item of open.values()) {
        item.description = 'not part of this run';
        testRun.skipped(item);
      }
      testRun.appendOutput(`${source.label}: ${summarise(results).text}\r\n`);
    } catch (error) {
      const message = new TestMessage(shown(messageOf(error)));
      if (!isCancellation(error)) this.#log(source, error);
      for (const item of open.values()) {
        if (isCancellation(error)) testRun.skipped(item);
        else testRun.errored(item, message);
      }
    }
  }

  #log({ label }: TestSource, error: unknown): void {
    this.#logger.error(`${label}: ${messageOf(error)}`);
  }
}
