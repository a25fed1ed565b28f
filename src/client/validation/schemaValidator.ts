import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { getOrMake } from '../../base/memoize.ts';
import type { Validation } from '../../base/schemaCheck.ts';
import type { JsonSchema } from '../../protocol/mcp/tools.ts';
import { findSchemaFault } from '../../schema/schemaFault.ts';
import { compilePlainSchema, type PlainCheck } from '../../schema/plainSchema.ts';
import { type CheckedSchema, CheckerClient, type CheckerProcess, type Interruption } from './checkerClient.ts';

/** Checks values against JSON Schemas of servers: 2020-12 unless `$schema` names 2019-09, draft-07 or draft-06. */
export interface SchemaValidator {
  /**
   * Validates a value. Never rejects, for any schema and value; fetches nothing, and changes neither.
   * @param server owner of the schema: servers take turns, so that slow schemas of one do not block the others
   * @param schema compiled once for each object
   * @returns the result itself if this process can decide it: a promise would take longer than the check
   */
  validate(server: string, schema: JsonSchema, value: unknown): Validation | Promise<Validation>;
}

interface ValidatorOptions {
  readonly clock: Clock;
  /** Starts the checker process, which may end by itself when one check takes longer than `milliseconds`. */
  readonly startChecker: (milliseconds: number) => CheckerProcess;
  readonly milliseconds: () => number;
}

interface Entry extends CheckedSchema {
  readonly plain: PlainCheck | undefined;
}

interface Check {
  readonly schema: CheckedSchema;
  readonly value: unknown;
  readonly settle: (validation: Validation) => void;
}

/** Milliseconds until an idle process is ended: it uses about 45 MB. */
const idleMs = 60_000;

/** Milliseconds until the next attempt after a process could not be started. */
const restartPauseMs = 60_000;

/** Maximum members of all schemas that one process compiles before it is replaced: compiled code is never freed. */
const maximumLoad = 2 * limits.schema.members;

/** Refused schemas that are kept by their text: a server may send the same one again in a new list. */
const maximumRememberedRefusals = 100;

const closing = 'Patchbay is closing';
const notStarted = 'the process that checks could not be started';

const valid: Validation = { kind: 'valid' };

/**
 * Decides values that {@link compilePlainSchema} accepts at once. All others are checked one after the other in a separate
 * process; servers take turns. A check that takes too much time or memory ends the process, and its schema is refused from then
 * on. Disposing ends the process too; open checks then return `unsupported`.
 */
export class QueuedValidator implements SchemaValidator, Disposable {
  readonly #options: ValidatorOptions;
  readonly #entries = new WeakMap<JsonSchema, Entry>();
  #nextKey = 1;
  /** Waiting checks by server, the next server first; the current server keeps its place until its check is done. */
  readonly #waiting = new Map<string, Check[]>();
  /** Reasons for refused schemas, by the text of the schema. */
  readonly #refusals = new Map<string, string>();
  #link: CheckerClient | undefined;
  #isWorking = false;
  #isDisposed = false;
  /** When the next process may be started, in milliseconds of the clock. */
  #restartsAt = -Infinity;
  #idle: Disposable | undefined;

  constructor(options: ValidatorOptions) {
    this.#options = options;
  }

  validate(server: string, schema: JsonSchema, value: unknown): Validation | Promise<Validation> {
    let entry = this.#entries.get(schema);
    if (entry === undefined) {
      entry = this.#createEntry(schema);
      this.#entries.set(schema, entry);
    }
    if (entry.plain?.(value) === true) return valid;
    if (entry.refusal !== undefined) return unsupported(entry.refusal);
    if (membersWithin(value, limits.checkedValue) === undefined) return unsupported('it is too large to be checked');
    return this.#check(server, entry, value);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#idle?.dispose();
    this.#endProcess();
  }

  #check(server: string, schema: CheckedSchema, value: unknown): Promise<Validation> {
    return new Promise((settle) => {
      getOrMake(this.#waiting, server, () => []).push({ schema, value, settle });
      if (!this.#isWorking) void this.#work();
    });
  }

  #createEntry(schema: JsonSchema): Entry {
    const known = { key: this.#nextKey++, schema, isFirstOnly: false };
    const members = membersWithin(schema, limits.schema);
    if (members === undefined) return { ...known, members: 0, refusal: 'the schema is too large', plain: undefined };
    // A schema with the same text may have been refused.
    const refusal = this.#refusals.size === 0 ? undefined : this.#refusals.get(JSON.stringify(schema));
    return { ...known, members, refusal, plain: compilePlainSchema(schema) };
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    this.#idle?.dispose();
    for (const [server, checks] of this.#waiting) {
      // Added again at the end of the map, the server is visited again in this loop, after the others.
      const check = checks.shift();
      if (check !== undefined) check.settle(await this.#run(check));
      this.#waiting.delete(server);
      if (checks.length > 0) this.#waiting.set(server, checks);
    }
    this.#isWorking = false;
    if (this.#isDisposed) return;
    this.#idle = this.#options.clock.after(idleMs, () => this.#endProcess(), { isBackground: true });
  }

  async #run({ schema, value }: Check): Promise<Validation> {
    if (schema.refusal !== undefined) return unsupported(schema.refusal);
    const isAlone = this.#link === undefined || this.#link.hasEnded;
    let outcome = await this.#tryOnce(schema, value);
    // Earlier checks may have used the memory: try once more in a new process.
    if (outcome.kind === 'interrupted' && outcome.cause === 'memory' && !isAlone)
      outcome = await this.#tryOnce(schema, value);
    return outcome.kind === 'interrupted' ? this.#afterInterruption(schema, outcome) : outcome;
  }

  async #tryOnce(schema: CheckedSchema, value: unknown): Promise<Validation | Interruption> {
    const { clock, startChecker, milliseconds } = this.#options;
    if (this.#isDisposed) return unsupported(closing);
    if (this.#link?.hasEnded === true || (this.#link?.load ?? 0) + schema.members > maximumLoad) this.#endProcess();
    if (this.#link === undefined && clock.now() < this.#restartsAt) return unsupported(notStarted);
    try {
      this.#link ??= new CheckerClient(startChecker(milliseconds()), clock);
    } catch (error) {
      return { kind: 'interrupted', cause: 'start', detail: messageOf(error), first: undefined };
    }
    const outcome = await this.#link.check(schema, value, milliseconds());
    if (outcome.kind === 'interrupted') this.#endProcess();
    if (outcome.kind !== 'unsupported') return outcome;
    // In words for the author of the server, and with its place, where it can be told.
    const fault = findSchemaFault(schema.schema);
    if (fault === undefined) return outcome;
    return unsupported(`the schema is invalid: ${fault.text}${fault.place === '' ? '' : ` (at ${fault.place})`}`);
  }

  #afterInterruption(schema: CheckedSchema, { cause, detail, first }: Interruption): Validation {
    if (this.#isDisposed) return first ?? unsupported(closing);
    if (cause === 'start') {
      this.#restartsAt = this.#options.clock.now() + restartPauseMs;
      return unsupported(detail === undefined ? notStarted : `${notStarted}: ${detail}`);
    }
    if (first !== undefined) {
      schema.isFirstOnly = true;
      return first;
    }
    const reason = this.#reasonOf(cause);
    this.#refuse(schema, `${reason} before`);
    return unsupported(reason);
  }

  #reasonOf(cause: 'time' | 'memory' | 'failure'): string {
    if (cause === 'time') return `checking took longer than ${this.#options.milliseconds() / 1_000} s`;
    if (cause === 'memory') return `checking took more than ${limits.check.megabytes} MB of memory`;
    return 'checking ended the process that does it';
  }

  #refuse(schema: CheckedSchema, refusal: string): void {
    schema.refusal = refusal;
    const [oldest] = this.#refusals.keys();
    if (oldest !== undefined && this.#refusals.size >= maximumRememberedRefusals) this.#refusals.delete(oldest);
    this.#refusals.set(JSON.stringify(schema.schema), refusal);
  }

  #endProcess(): void {
    this.#link?.dispose();
    this.#link = undefined;
  }
}

function unsupported(reason: string): Validation {
  return { kind: 'unsupported', reason };
}

/** Limits of a JSON value: number of values, characters of strings and keys, and nesting depth. */
interface Bounds {
  members: number;
  characters: number;
  readonly depth: number;
}

/** The number of values in `value`, including itself; `undefined` if it is beyond `bounds`. Stops at the first limit. */
function membersWithin(value: unknown, bounds: Readonly<Bounds>): number | undefined {
  const remaining = { ...bounds };
  return fitsInBudget(remaining, value, bounds.depth) ? bounds.members - remaining.members : undefined;
}

/** Subtracts the size of `value` from `remaining`. @returns false when a limit is exceeded */
function fitsInBudget(remaining: Bounds, value: unknown, depth: number): boolean {
  remaining.members -= 1;
  if (typeof value === 'string') remaining.characters -= value.length;
  if (remaining.members < 0 || remaining.characters < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => fitsInBudget(remaining, item, depth - 1));
  for (const key in value) {
    remaining.characters -= key.length;
    if (!fitsInBudget(remaining, (value as Record<string, unknown>)[key], depth - 1)) return false;
  }
  return true;
}
