import { createHash } from 'node:crypto';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { isRecord, type JsonObject, type JsonValue, toJsonText } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { CallHistoryFiles, type HistoryBounds, toCallId } from './callHistoryFiles.ts';
import { type EndedCall, type PastCall, type RecordRules, type WholePastCall, writeCall } from './callRecord.ts';

/** Whose calls have changed; absent: of every server, or of every tool. */
export interface ForgottenOrKept {
  readonly identity?: string | undefined;
  readonly tool?: string | undefined;
}

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
  readonly bounds?: HistoryBounds;
}

const usualBounds: HistoryBounds = { perTool: 50, all: 500, bytes: 20 * 1024 * 1024 };

/** Values that are offered for one field, the JSON characters of one, and the calls that are looked at. */
const recentLimits = { values: 10, characters: 2_000, calls: 30 } as const;

/**
 * The calls of tools that were made in this workspace. Reads and makes no file before it is used. Nothing here fails: what cannot be kept
 * or read is logged. `identity` is always that of the server, see `Server.identity`.
 */
export class CallHistory implements Disposable {
  readonly #options: CallHistoryOptions;
  readonly #files: CallHistoryFiles;
  readonly #didChange = new Emitter<ForgottenOrKept>();
  /** Heads that were read and are still there: their files never change. */
  #heads: ReadonlyMap<string, PastCall> = new Map();
  #lastAt = 0;
  #hasWarned = false;
  /** Everything that reads or changes the folder, one after the other. */
  #work: Promise<unknown> = Promise.resolve();

  /** This window has kept or forgotten calls: of that tool or server, or of any. */
  readonly onDidChange = this.#didChange.event;

  constructor(options: CallHistoryOptions) {
    this.#options = options;
    this.#files = new CallHistoryFiles(options.folder);
  }

  /** Keeps a call. @returns its id, or `undefined` if it was not kept */
  async record(call: EndedCall): Promise<string | undefined> {
    const { isEnabled, keepsResults, hasSecret = () => false, createId, now, bounds = usualBounds } = this.#options;
    if (!isEnabled()) return undefined;
    const rules = { keepsResults: keepsResults(), hasSecret };
    const { identity, tool } = call;
    // Two calls of one millisecond stay in the order in which they ended.
    this.#lastAt = Math.max(now(), this.#lastAt + 1);
    const id = toCallId(this.#lastAt, digest(identity), digest(tool), createId());
    const isKept = await this.#enqueue(async () => {
      await this.#files.add(id, await writeCall(call, rules), bounds, now());
      return true;
    });
    if (isKept !== true) return undefined;
    this.#didChange.fire({ identity, tool });
    return id;
  }

  /** The calls of one tool, the newest first; `more`: how many there are beyond `limit`. */
  async list(
    identity: string,
    tool: string,
    limit: number,
  ): Promise<{ readonly calls: readonly PastCall[]; readonly more: number }> {
    const ids = await this.#idsOf(identity, tool);
    const known = this.#heads;
    const read = await Promise.all(ids.slice(0, limit).map(async (id) => known.get(id) ?? (await this.#head(id))));
    const calls = read.flatMap((call) => (call?.identity === identity && call.tool === tool ? [call] : []));
    // Those of the tool that was looked at last.
    this.#heads = new Map(calls.map((call) => [call.id, call]));
    return { calls, more: Math.max(0, ids.length - limit) };
  }

  /** One call with its answer. @param id any text */
  async get(id: string): Promise<WholePastCall | undefined> {
    return this.#try(() => this.#files.read(id));
  }

  /** @param id any text */
  async forget(id: string): Promise<void> {
    const call = await this.#head(id);
    await this.#enqueue(() => this.#files.remove([id]));
    this.#didChange.fire(call === undefined ? {} : { identity: call.identity, tool: call.tool });
  }

  /** Forgets the calls of one tool, of one server, or all. @returns how many there were */
  async forgetAll(identity?: string, tool?: string): Promise<number> {
    const ids = await this.#idsOf(identity, tool);
    await this.#enqueue(() => this.#files.remove(ids));
    this.#didChange.fire({ identity, tool });
    return ids.length;
  }

  async lastArguments(identity: string, tool: string): Promise<JsonObject | undefined> {
    const { calls } = await this.list(identity, tool, recentLimits.calls);
    return calls.find(({ args }) => args !== undefined)?.args;
  }

  /** What was given at a place of the arguments, each value once, the latest first. An index stands for all items of a list. */
  async recentValues(
    identity: string,
    tool: string,
    path: readonly (string | number)[],
  ): Promise<readonly JsonValue[]> {
    const { calls } = await this.list(identity, tool, recentLimits.calls);
    const found = new Map<string, JsonValue>();
    for (const value of calls.flatMap(({ args }) => valuesAt(args, path))) {
      const text = toJsonText(value);
      if (text.length <= recentLimits.characters && !found.has(text)) found.set(text, value);
    }
    return [...found.values()].slice(0, recentLimits.values);
  }

  dispose(): void {
    this.#didChange.dispose();
  }

  async #idsOf(identity: string | undefined, tool: string | undefined): Promise<readonly string[]> {
    const ids = (await this.#enqueue(() => this.#files.ids())) ?? [];
    const [serverPart, toolPart] = [identity, tool].map((name) => (name === undefined ? undefined : digest(name)));
    return ids.filter((id) => {
      const [, ofServer, ofTool] = id.split('-');
      return (serverPart ?? ofServer) === ofServer && (toolPart ?? ofTool) === ofTool;
    });
  }

  async #head(id: string): Promise<PastCall | undefined> {
    return this.#try(() => this.#files.readHead(id));
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
