import { createHash } from 'node:crypto';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { isRecord, type JsonObject, type JsonValue, toJsonText } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { CallHistoryFiles, type HistoryBounds, isCallId, toCallId } from './callHistoryFiles.ts';
import {
  type EndedCall,
  type PastCall,
  readAnswer,
  readCall,
  type RecordRules,
  type WholePastCall,
  writeCall,
} from './callRecord.ts';

/** The calls of tools that were made in this workspace. Nothing here fails: what cannot be kept or read is logged. */
export interface CallHistory extends Disposable {
  /** Keeps a call. @returns its id, or `undefined` if it was not kept */
  record(call: EndedCall): Promise<string | undefined>;
  /**
   * The calls of one tool, the newest first; `more`: how many there are beyond `limit`.
   * @param identity of the server, as for all that follow: see `Server.identity`
   */
  list(identity: string, tool: string, limit: number): Promise<PastCalls>;
  /** One call with its answer. @param id any text */
  get(id: string): Promise<WholePastCall | undefined>;
  /** @param id any text */
  forget(id: string): Promise<void>;
  /** Forgets the calls of one tool, of one server, or all. @returns how many there were */
  forgetAll(identity?: string, tool?: string): Promise<number>;
  /** The arguments of the latest call of a tool. */
  lastArguments(identity: string, tool: string): Promise<JsonObject | undefined>;
  /** What was given at a place of the arguments, each value once, the latest first. An index stands for all items of a list. */
  recentValues(identity: string, tool: string, path: readonly (string | number)[]): Promise<readonly JsonValue[]>;
  /** This window has kept or forgotten calls: of that tool or server, or of any. */
  readonly onDidChange: Event<ForgottenOrKept>;
}

/** Some calls, and how many more there are. */
export interface PastCalls {
  readonly calls: readonly PastCall[];
  readonly more: number;
}

/** Whose calls have changed; absent: of every server, or of every tool. */
export interface ForgottenOrKept {
  readonly identity?: string | undefined;
  readonly tool?: string | undefined;
}

/** What the history needs of the host. */
export interface CallHistoryOptions {
  /** A folder of this workspace's state, made with the first call. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** 8 hexadecimal digits, different each time. */
  readonly createId: () => string;
  /** The settings `patchbay.history.enabled` and `patchbay.history.results`, asked with each call. */
  readonly isEnabled: () => boolean;
  readonly keepsResults: () => boolean;
  /** True for text with a secret that Patchbay knows: see `SecretCollector`. Such arguments and results are not kept. */
  readonly hasSecret?: RecordRules['hasSecret'];
  readonly logger: Logger;
  /** Other bounds, for tests. */
  readonly bounds?: HistoryBounds;
}

const usualBounds: HistoryBounds = { perTool: 50, all: 500, bytes: 20 * 1024 * 1024 };

/** Values that are offered for one field, the JSON characters of one, and the calls that are looked at. */
const recentLimits = { values: 10, characters: 2_000, calls: 30 } as const;

/** Reads and makes no file before it is used. */
export function createCallHistory(options: CallHistoryOptions): CallHistory {
  return new StoredCallHistory(options);
}

type ReadableCalls = Pick<CallHistoryFiles, 'readHead' | 'readResult'>;

class StoredCallHistory implements CallHistory {
  readonly #options: CallHistoryOptions;
  readonly #files: CallHistoryFiles;
  readonly #didChange = new Emitter<ForgottenOrKept>();
  /** Heads that were read and are still there: their files never change. */
  #heads: ReadonlyMap<string, PastCall> = new Map();
  #lastAt = 0;
  #hasWarned = false;
  /** Everything that writes, one after the other. */
  #work: Promise<unknown> = Promise.resolve();

  readonly onDidChange = this.#didChange.event;

  constructor(options: CallHistoryOptions) {
    this.#options = options;
    this.#files = new CallHistoryFiles(options.folder);
  }

  async record(call: EndedCall): Promise<string | undefined> {
    const { isEnabled, keepsResults, hasSecret = () => false, createId, now } = this.#options;
    if (!isEnabled()) return undefined;
    const rules = { keepsResults: keepsResults(), hasSecret };
    const { identity, tool } = call;
    // Two calls of one millisecond stay in the order in which they ended.
    this.#lastAt = Math.max(now(), this.#lastAt + 1);
    const id = toCallId(this.#lastAt, digest(identity), digest(tool), createId());
    const isKept = await this.#enqueue(async () => {
      await this.#files.write(id, await writeCall(call, rules));
      await this.#files.removeOldest(this.#options.bounds ?? usualBounds, now());
      return true;
    });
    if (isKept !== true) return undefined;
    this.#didChange.fire({ identity, tool });
    return id;
  }

  async list(identity: string, tool: string, limit: number): Promise<PastCalls> {
    const ids = await this.#idsOf(identity, tool);
    const known = this.#heads;
    const read = await Promise.all(ids.slice(0, limit).map(async (id) => known.get(id) ?? (await this.#head(id))));
    const calls = read.flatMap((call) => (call?.identity === identity && call.tool === tool ? [call] : []));
    // Those of the tool that was looked at last.
    this.#heads = new Map(calls.map((call) => [call.id, call]));
    return { calls, more: Math.max(0, ids.length - limit) };
  }

  async get(id: string): Promise<WholePastCall | undefined> {
    const files: ReadableCalls = {
      readHead: (each) => this.#try(() => this.#files.readHead(each)),
      readResult: (each) => this.#try(() => this.#files.readResult(each)),
    };
    return readPastCall(files, id);
  }

  async forget(id: string): Promise<void> {
    const call = await this.#head(id);
    await this.#remove([id]);
    this.#didChange.fire(call === undefined ? {} : { identity: call.identity, tool: call.tool });
  }

  async forgetAll(identity?: string, tool?: string): Promise<number> {
    const ids = await this.#idsOf(identity, tool);
    await this.#remove(ids);
    this.#didChange.fire({ identity, tool });
    return ids.length;
  }

  async lastArguments(identity: string, tool: string): Promise<JsonObject | undefined> {
    const { calls } = await this.list(identity, tool, recentLimits.calls);
    return calls.find(({ args }) => args !== undefined)?.args;
  }

  async recentValues(
    identity: string,
    tool: string,
    path: readonly (string | number)[],
  ): Promise<readonly JsonValue[]> {
    const { calls } = await this.list(identity, tool, recentLimits.calls);
    const found = new Map<string, JsonValue>();
    for (const value of calls.flatMap(({ args }) => (args === undefined ? [] : valuesAt(args, path)))) {
      const text = toJsonText(value);
      if (text.length > recentLimits.characters || found.has(text)) continue;
      found.set(text, value);
      if (found.size === recentLimits.values) break;
    }
    return [...found.values()];
  }

  dispose(): void {
    this.#didChange.dispose();
  }

  async #idsOf(identity: string | undefined, tool: string | undefined): Promise<readonly string[]> {
    await this.#work;
    const ids = (await this.#try(() => this.#files.ids())) ?? [];
    const [serverPart, toolPart] = [identity, tool].map((name) => (name === undefined ? undefined : digest(name)));
    return ids.filter((id) => {
      const [, ofServer, ofTool] = id.split('-');
      return (serverPart ?? ofServer) === ofServer && (toolPart ?? ofTool) === ofTool;
    });
  }

  async #head(id: string): Promise<PastCall | undefined> {
    return this.#try(() => readHead(this.#files, id));
  }

  async #remove(ids: readonly string[]): Promise<void> {
    await this.#enqueue(async () => this.#files.remove(ids));
  }

  /** @returns `undefined` where it failed, which is logged */
  #enqueue<T>(step: () => Promise<T>): Promise<T | undefined> {
    const done = this.#work.then(() => this.#try(step));
    this.#work = done;
    return done;
  }

  async #try<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      const { folder, logger } = this.#options;
      if (!this.#hasWarned) logger.warn(() => `The history of calls in ${folder} cannot be used: ${messageOf(error)}`);
      this.#hasWarned = true;
      return undefined;
    }
  }
}

/**
 * Reads one call with its answer, without the history around it.
 * @param id any text
 * @returns `undefined` where it is not kept any more
 */
export async function readPastCall(files: ReadableCalls, id: string): Promise<WholePastCall | undefined> {
  const call = await readHead(files, id);
  if (call === undefined) return undefined;
  const text = await files.readResult(id);
  return { ...call, answer: text === undefined ? undefined : readAnswer(text) };
}

async function readHead(files: Pick<ReadableCalls, 'readHead'>, id: string): Promise<PastCall | undefined> {
  const text = isCallId(id) ? await files.readHead(id) : undefined;
  return text === undefined ? undefined : readCall(id, text);
}

/** Stands for a name in the name of a file, which could be too long for one. */
function digest(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 12);
}

function valuesAt(value: JsonValue | undefined, path: readonly (string | number)[]): readonly JsonValue[] {
  if (value === undefined) return [];
  const [step, ...rest] = path;
  if (step === undefined) return [value];
  if (typeof step === 'number')
    return Array.isArray(value) ? (value as readonly JsonValue[]).flatMap((item) => valuesAt(item, rest)) : [];
  return isRecord(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest) : [];
}
