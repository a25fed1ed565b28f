import { sep } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { canonicalJson } from '../../base/digest.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';
import { type SavedCallFile, savedCallFiles } from './savedCallFiles.ts';
import {
  describeLeft,
  type FolderPath,
  resolveArguments,
  toPortable,
  withoutSecrets,
} from '../../workshop/savedCalls/savedCallArguments.ts';
import { savedCallQuestions as questions } from './savedCallQuestions.ts';
import {
  deleteCallEdits,
  moveCallsEdits,
  keyOf,
  type ParsedCall,
  parseSavedCalls,
  type SavedCall,
  saveCallEdits,
  type SavedCallKey,
} from '../../workshop/savedCalls/savedCallText.ts';

/** Milliseconds after a change of a file before it is read: it may be being written. */
const settleMs = 300;

/** A file as it was last read. */
interface FileCalls {
  readonly file: SavedCallFile;
  readonly text: string;
  readonly calls: readonly ParsedCall[];
}

/** The calls saved in this workspace. Reads and watches nothing before {@link load} or a use. */
export class SavedCalls implements Disposable {
  readonly #secrets: Pick<WindowSecrets, 'collector'>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  readonly #didRead = this.#store.add(new Emitter<void>());
  #read: readonly FileCalls[] = [];
  #byTool: ReadonlyMap<string, readonly SavedCall[]> = new Map();
  #shown = '[]';
  /** One reading after the other, so that the last one counts. */
  #reading: Promise<void> = Promise.resolve();
  #warning = '';

  /** What rows and forms show of the calls has changed. */
  readonly onDidChange = this.#didChange.event;
  /** A text has changed, also where no row does. */
  readonly onDidRead = this.#didRead.event;

  /** @param secrets what is taken out of arguments: those of the servers that were started */
  constructor(secrets: Pick<WindowSecrets, 'collector'>, clock: Clock, logger: Logger) {
    this.#secrets = secrets;
    this.#clock = clock;
    this.#logger = logger;
  }

  get isEmpty(): boolean {
    return this.#byTool.size === 0;
  }

  get all(): readonly SavedCall[] {
    return [...this.#byTool.values()].flat();
  }

  /** Resolves when the files were read once. Never rejects. */
  readonly load = memoizeAsync(async () => {
    const changes = this.#store.add(new Coalescer(this.#clock, settleMs, () => void this.#refresh()));
    this.#store.add(savedCallFiles.watch(() => changes.postpone()));
    await this.#refresh();
  });

  /** Those of one tool, as last read: sorted by name. Reads nothing. */
  of(server: string, tool: string): readonly SavedCall[] {
    // Asked for each row of a long list.
    if (this.isEmpty) return none;
    return this.#byTool.get(toolKey(server, tool)) ?? none;
  }

  /** The files as they are now, for tests. Of the same call in two folders, that of the first one counts. */
  async read(): Promise<readonly Pick<FileCalls, 'file' | 'text'>[]> {
    await this.load();
    await this.#refresh();
    return this.#read;
  }

  /**
   * Reads a call from its file as it is now, for the form: it is never called by itself.
   * @returns the arguments with the folders of this workspace, and what the form has to say about what is left to be filled in
   * @throws {PatchbayError} `notFound`
   */
  async open(key: SavedCallKey): Promise<{ readonly args: JsonObject; readonly notice: string | undefined }> {
    const { file, call } = await this.#find(key);
    const pathSeparator = sep === '\\' ? '\\' : '/';
    const { args, left } = resolveArguments(call.arguments, { ...this.#folders(file), pathSeparator });
    return { args, notice: describeLeft(left) };
  }

  /**
   * Saves a call, after questions.
   * @returns its name, or `undefined` if the person did not want it after all
   * @throws {PatchbayError} `configuration` where there is no folder, or its file cannot be changed
   */
  async save(server: string, tool: string, args: JsonObject): Promise<string | undefined> {
    await this.load();
    const file = await this.#chooseFile();
    if (file === undefined) return undefined;
    const taken = await this.#namesIn(file, server, tool);
    const name = (await questions.askName(taken))?.trim();
    if (name === undefined || name === '') return undefined;
    if (taken.includes(name) && !(await questions.replace(name))) return undefined;
    const known = await (await this.#secrets.collector()).search();
    const { doubtful, ...written } = withoutSecrets(args, known);
    const answer = doubtful.length === 0 ? 'asIs' : await questions.aboutSecrets(doubtful);
    if (answer === undefined) return undefined;
    const kept = answer === 'placeholders' ? written.withPlaceholders : written.args;
    const call = { name, server, tool, arguments: toPortable(kept, this.#folders(file)) };
    await file.edit((text) => saveCallEdits(text, call));
    await this.#refresh();
    return name;
  }

  /** Removes a call from its file, after a question. @throws see {@link save} */
  async delete(key: SavedCallKey): Promise<void> {
    const { file } = await this.#find(key);
    if (!(await questions.delete(key.name))) return;
    await file.edit((text) => deleteCallEdits(text, key));
    await this.#refresh();
  }

  /**
   * Gives the calls of a server to another name, in each file that has some.
   * @returns false where some keep their name: that name has calls already, or a file cannot be changed
   */
  async move(server: string, to: string): Promise<boolean> {
    await this.load();
    await this.#refresh();
    const own = this.#read.filter(({ calls }) => calls.some((call) => call.server === server));
    if (own.length > 0 && this.all.some((call) => call.server === to)) return false;
    try {
      for (const { file } of own) await file.edit((text) => moveCallsEdits(text, server, to));
      return true;
    } catch (error) {
      this.#logger.warn(`The saved calls of "${server}" keep its name: ${messageOf(error)}`);
      return false;
    } finally {
      await this.#refresh();
    }
  }

  async show(key: SavedCallKey): Promise<void> {
    const { file } = await this.#find(key);
    await file.show((text) => parseSavedCalls(text).calls.find((call) => keyOf(call) === keyOf(key))?.range);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Of the same call in two folders, that of the first one. */
  async #find(key: SavedCallKey): Promise<{ readonly file: SavedCallFile; readonly call: ParsedCall }> {
    await this.load();
    await this.#refresh();
    for (const { file, calls } of this.#read) {
      const call = calls.find((each) => keyOf(each) === keyOf(key));
      if (call !== undefined) return { file, call };
    }
    throw new PatchbayError('notFound', `.vscode/mcp-calls.json no longer has a call “${key.name}” of this tool.`);
  }

  async #chooseFile(): Promise<SavedCallFile | undefined> {
    const files = savedCallFiles.files();
    const [first] = files;
    if (first === undefined)
      throw new PatchbayError('configuration', 'Calls are saved in a folder. Open a folder first.');
    if (files.length === 1) return first;
    const folder = await questions.chooseFolder(files.map((file) => file.folder));
    return files.find((file) => file.folder === folder);
  }

  async #namesIn({ folder }: SavedCallFile, server: string, tool: string): Promise<readonly string[]> {
    await this.#refresh();
    const calls = this.#read.find(({ file }) => file.folder.path === folder.path)?.calls ?? [];
    return calls.flatMap((call) => (call.server === server && call.tool === tool ? [call.name] : []));
  }

  #folders({ folder }: SavedCallFile): { readonly folder: FolderPath; readonly folders: readonly FolderPath[] } {
    return { folder, folders: savedCallFiles.files().map((file) => file.folder) };
  }

  #refresh(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readAll());
    return this.#reading;
  }

  /** Never rejects. */
  async #readAll(): Promise<void> {
    const read = await Promise.all(savedCallFiles.files().map((file) => this.#readFile(file)));
    if (this.#store.isDisposed) return;
    const isOther = read.length !== this.#read.length || read.some(({ text }, at) => text !== this.#read[at]?.text);
    this.#read = read;
    const calls = read.flatMap((each) => each.calls);
    this.#byTool = groupByTool(calls);
    const shown = canonicalJson(calls.map(({ name, server, tool, arguments: args }) => [server, tool, name, args]));
    const isShownOtherwise = shown !== this.#shown;
    this.#shown = shown;
    if (isShownOtherwise) this.#didChange.fire();
    if (isOther) this.#didRead.fire();
  }

  /** Never rejects. While a file is broken, as happens when somebody is writing it, what was read before stays. */
  async #readFile(file: SavedCallFile): Promise<FileCalls> {
    const before = this.#read.find((each) => each.file.folder.path === file.folder.path)?.calls ?? [];
    try {
      const text = (await file.read()) ?? '';
      const { calls, problems, isBroken } = parseSavedCalls(text);
      this.#warn(problems[0]?.message);
      return { file, text, calls: isBroken && calls.length < before.length ? before : calls };
    } catch (error) {
      this.#warn(messageOf(error));
      return { file, text: '', calls: [] };
    }
  }

  #warn(message: string | undefined): void {
    if (message === undefined || message === this.#warning) return;
    this.#warning = message;
    this.#logger.warn(`.vscode/mcp-calls.json: ${message}`);
  }
}

const none: readonly never[] = [];

function toolKey(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

function groupByTool(calls: readonly ParsedCall[]): ReadonlyMap<string, readonly SavedCall[]> {
  const groups = new Map<string, Map<string, SavedCall>>();
  for (const call of calls) {
    const key = toolKey(call.server, call.tool);
    const group = groups.get(key) ?? new Map<string, SavedCall>();
    if (!group.has(call.name)) group.set(call.name, call);
    groups.set(key, group);
  }
  return new Map(
    [...groups].map(([key, group]) => [key, [...group.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))]),
  );
}
