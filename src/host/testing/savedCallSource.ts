import { window, workspace } from 'vscode';
import { type CancelSignal, toAbortSignal } from '../../base/abort.ts';
import { PatchbayError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { CheckResult } from '../../workshop/checks/checkResult.ts';
import { snapshotPath } from '../../workshop/savedCalls/resultSnapshot.ts';
import { fingerprintOf, runSavedCalls, type SavedCallResult } from '../../workshop/savedCalls/runSavedCalls.ts';
import { coverageId, coverageOf } from '../../workshop/savedCalls/savedCallCoverage.ts';
import type { SavedCallKey } from '../../workshop/savedCalls/savedCallText.ts';
import { readSavedCallTests, type SavedCallTest } from '../../workshop/savedCalls/savedCallTests.ts';
import type { SavedCallFile } from '../calls/savedCallFiles.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import { countOf, escapeIcons, singleLine } from '../platform/displayText.ts';
import { SavedCallRun, type SavedCallRunPorts, sentTo, toTestFile } from './savedCallRun.ts';
import { snapshotFiles } from '../calls/snapshotFiles.ts';
import type { RunOrigin, TestEntry, TestGroup, TestSource } from './testSource.ts';

interface TestFile {
  readonly file: SavedCallFile;
  readonly text: string;
  readonly tests: readonly SavedCallTest[];
}

/** The saved calls of the workspace in Test Explorer: server → Saved Calls → call → case. */
export class SavedCallSource implements TestSource {
  readonly id = 'saved';
  readonly label = 'Saved Calls';
  readonly #ports: SavedCallRunPorts;
  readonly #calls: SavedCalls;
  readonly #didChange = new Emitter<void>();
  /** The latest result of each test. */
  readonly #results = new Map<string, SavedCallResult>();
  /** Calls that the person has seen and agreed to in this window. */
  readonly #agreed = new Set<string>();

  readonly onDidChange: Event<void> = this.#didChange.event;

  constructor(ports: SavedCallRunPorts, calls: SavedCalls) {
    this.#ports = ports;
    this.#calls = calls;
    calls.onDidRead(() => this.#didChange.fire());
  }

  async items(): Promise<readonly TestEntry[]> {
    return (await this.#files()).flatMap(({ file, tests }) => tests.map((test) => entryOf(file, test)));
  }

  entryFor({ id, subject, title, place }: CheckResult): TestEntry | undefined {
    const server = this.#ports.registry.servers.find(({ label }) => coverageId(label) === id)?.label;
    if (server !== undefined) return { id, label: title, groups: groupsOf(server) };
    const groups = [{ id: 'saved', label: 'Saved Calls' }];
    return subject.kind === 'server' ? { id, label: title, groups, ...(place && { place }) } : undefined;
  }

  async *run(ids: readonly string[], given: CancelSignal, origin: RunOrigin): AsyncIterable<CheckResult> {
    if (!workspace.isTrusted)
      throw new PatchbayError('needsTrust', 'In Restricted Mode, no saved call runs. Trust this workspace first.');
    const signal = toAbortSignal(given);
    const wanted = new Set(ids);
    const files = await this.#files();
    const tests = files.flatMap((file) => file.tests.filter(({ id }) => wanted.has(id)));
    const run = new SavedCallRun(this.#ports, this.#agreed, origin, signal);
    await run.prepare(tests);
    for (const { file, text, tests: own } of files) {
      const chosen = new Set(own.filter(({ id }) => wanted.has(id)).map(({ id }) => id));
      if (chosen.size === 0) continue;
      const isWanted = ({ id }: SavedCallTest): boolean => chosen.has(id);
      for await (const each of runSavedCalls(toTestFile(file, text), await run.portFor(file), { signal, isWanted })) {
        const result = run.marked(each);
        this.#results.set(result.id, result);
        yield result;
      }
    }
    signal.throwIfAborted();
    yield* this.#coverage(files, wanted);
  }

  /** The tests of a saved call, or of the calls of a server. */
  async idsOf({
    server,
    tool,
    name,
  }: Pick<SavedCallKey, 'server'> & Partial<SavedCallKey>): Promise<readonly string[]> {
    const tests = (await this.#files()).flatMap((file) => file.tests);
    const isIts = (test: SavedCallTest): boolean =>
      test.server === server &&
      (tool === undefined || test.tool === tool) &&
      (name === undefined || test.call === name);
    return tests.filter(isIts).map(({ id }) => id);
  }

  /**
   * The tests of a server that run again after its restart: those that the person has run in this window, with these arguments, on this
   * server, and that change nothing according to the server.
   */
  async repeatable(server: string): Promise<readonly string[]> {
    const tests = (await this.#files()).flatMap((file) => file.tests);
    return tests
      .filter(
        (test) =>
          test.server === server && this.#agreed.has(sentTo(this.#ports.registry, test)) && !this.#isDestructive(test),
      )
      .map(({ id }) => id);
  }

  /**
   * Writes what the latest run gave as the snapshots of tests, if the calls are still those that ran.
   * @param ids of tests; the person chooses without them
   * @throws {PatchbayError} `configuration`
   */
  async updateSnapshots(ids: readonly string[] | undefined): Promise<void> {
    const chosen = ids ?? (await this.#chooseSnapshots());
    if (chosen === undefined) return;
    const files = await this.#files();
    const known = new Map(files.flatMap(({ file, tests }) => tests.map((test) => [test.id, { file, test }])));
    let count = 0;
    for (const id of chosen) {
      const result = this.#results.get(id);
      const found = known.get(id);
      if (result?.snapshot === undefined || found === undefined) continue;
      const { path, text } = result.snapshot;
      const isSame = fingerprintOf(found.test) === result.fingerprint && (await snapshotPath(found.test)) === path;
      if (!isSame) {
        const name = singleLine(result.title, 60);
        throw new PatchbayError(
          'configuration',
          `The call “${name}” has changed since it ran. Run it again, then update its snapshot.`,
        );
      }
      await snapshotFiles.write(found.file.folder.path, path, text);
      this.#results.set(id, { ...result, snapshot: undefined });
      count += 1;
    }
    const hasRun = ids === undefined ? this.#results.size > 0 : ids.some((id) => this.#results.has(id));
    const written = `${countOf(count, 'snapshot')} written. The next run compares with it.`;
    await window.showInformationMessage(count > 0 ? written : nothingWritten[hasRun ? 'same' : 'notRun']);
  }

  /** @returns `undefined` if the person dismisses it */
  async #chooseSnapshots(): Promise<readonly string[] | undefined> {
    const open = [...this.#results.values()].filter(({ snapshot }) => snapshot !== undefined);
    if (open.length === 0) return [];
    const rows = open.map(({ id, title, snapshot }) => ({
      label: escapeIcons(singleLine(title, 100)),
      description: escapeIcons(snapshot?.path ?? ''),
      picked: open.length === 1,
      id,
    }));
    const shown = { title: 'Update Snapshots', placeHolder: 'Choose the results to keep', canPickMany: true } as const;
    return (await window.showQuickPick(rows, shown))?.map(({ id }) => id);
  }

  *#coverage(files: readonly TestFile[], wanted: ReadonlySet<string>): Iterable<CheckResult> {
    const tests = files.flatMap((file) => file.tests);
    for (const server of new Set(tests.map((test) => test.server))) {
      const isWhole = tests.every((test) => test.server !== server || wanted.has(test.id));
      const host = this.#ports.registry.get(server)?.server;
      if (!isWhole || host?.state.kind !== 'running') continue;
      yield coverageOf(
        server,
        host.contents.tools.map(({ name }) => name),
        tests,
      );
    }
  }

  #isDestructive({ server, tool }: SavedCallTest): boolean {
    const tools = this.#ports.registry.get(server)?.server.contents.tools ?? [];
    return tools.some(({ name, annotations }) => name === tool && annotations?.destructiveHint === true);
  }

  /** Of the same test in two folders, that of the first one. */
  async #files(): Promise<readonly TestFile[]> {
    const seen = new Set<string>();
    return (await this.#calls.read()).map(({ file, text }) => {
      const tests = readSavedCallTests(text).tests.filter(({ id }) => !seen.has(id));
      for (const { id } of tests) seen.add(id);
      return { file, text, tests };
    });
  }
}

const nothingWritten = {
  same: 'Nothing to write: in the last run, no snapshot was missing or different.',
  notRun: 'Nothing to write: run the saved calls first. Then this writes the snapshots that are missing or different.',
};

function groupsOf(server: string): readonly TestGroup[] {
  return [
    { id: server, label: singleLine(server, 100) },
    { id: 'saved', label: 'Saved Calls' },
  ];
}

function entryOf(
  { path }: SavedCallFile,
  { id, server, tool, call, line, callLine, ...test }: SavedCallTest,
): TestEntry {
  const place = { path, line };
  const groups = groupsOf(server);
  const label = singleLine(test.case ?? call, 100);
  if (test.case === undefined) return { id, label, description: singleLine(tool, 60), groups, place };
  const group = { id: JSON.stringify([tool, call]), label: singleLine(call, 100), place: { path, line: callLine } };
  return { id, label, groups: [...groups, group], place };
}
