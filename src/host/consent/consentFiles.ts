import type { Disposable } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import { isRecord, isString, parseJson } from '../../base/json.ts';
import { modelLimits } from '../../base/modelLimits.ts';
import type { SharedStore } from '../../base/sharedStore.ts';
import type { SamplingRule } from '../../client/sampling/samplingRules.ts';
import type { DayUse } from '../../client/sampling/tokenBudget.ts';
import { maximumGrants, type ToolGrant } from '../../client/toolCalls/toolGrants.ts';
import {
  checked,
  listOf,
  objectOf,
  oneOf,
  optional,
  readValue,
  truth,
  wholeNumber,
} from '../../shared/messageReader.ts';
import { type FileLockOptions, withFileLock } from '../platform/fileLock.ts';
import { readPlainFile, removeFile, replaceFile, statIfThere } from '../platform/plainFiles.ts';

/** Another version could have terms that narrow a rule, and that this one would not keep to. */
const version = 1;

/** Of one file; `texts` in characters. The names of servers and models are not bounded where they are configured. */
const maximum = { bytes: 1024 ** 2, rules: 100, uses: 1_000, texts: 2_000 } as const;

/** A clock that was set back a little does not end a rule. */
const clockToleranceMs = 24 * 3_600_000;

/**
 * Keeps rules in a file that the windows of a workspace share. An entry that Patchbay would not have written so is left out.
 * @param path of the file, which is there only while there are rules
 */
export function createRuleFile(path: string, lock: FileLockOptions): SharedStore<readonly SamplingRule[]> & Disposable {
  const now = (): number => lock.clock.now();
  const format: SharedFileFormat<readonly SamplingRule[]> = {
    maximumBytes: maximum.bytes,
    parse: (content) => readRules(content, now()),
    serialize: (rules) => (rules.length === 0 ? undefined : { version, rules: requireReadable(rules, now()) }),
    isChanged: (before, after) => JSON.stringify(before) !== JSON.stringify(after),
  };
  return createSharedFile(path, format, lock);
}

function readRules(content: unknown, now: number): readonly SamplingRule[] {
  if (!isRecord(content) || content['version'] !== version || !Array.isArray(content['rules'])) return [];
  const entries: readonly unknown[] = content['rules'].slice(-maximum.rules);
  const rules = new Map<string, SamplingRule>();
  for (const entry of entries) {
    const rule = readRule(entry, now);
    if (rule !== undefined && !rules.has(rule.id)) rules.set(rule.id, rule);
  }
  return [...rules.values()];
}

/** A rule that could not be read again would end without a word. */
function requireReadable(rules: readonly SamplingRule[], now: number): readonly SamplingRule[] {
  const readable = rules.flatMap((rule) => readRule(rule, now) ?? []);
  if (readable.length < rules.length || rules.length > maximum.rules)
    throw new Error('This rule cannot be kept: a text or a number in it is too large');
  return readable;
}

const someText = checked((value): value is string => isString(value) && value.length <= maximum.texts);

const amount = checked(
  (value): value is number => typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER,
);

const { rule: ruleBounds } = modelLimits;

const storedRule = objectOf({
  id: someText,
  server: someText,
  definition: someText,
  madeAt: amount,
  requestsPerHour: wholeNumber(ruleBounds.requestsPerHour.minimum, ruleBounds.requestsPerHour.maximum),
  tokensPerHour: wholeNumber(ruleBounds.tokensPerHour.minimum, ruleBounds.tokensPerHour.maximum),
  expiresAt: amount,
  reviewsAnswer: truth,
  isKept: checked((value): value is true => value === true),
  model: objectOf({ id: someText, name: someText, family: someText, destination: optional(someText) }),
  seen: objectOf({ maxTokens: amount, characters: amount, frame: someText }),
  uses: listOf(objectOf({ at: amount, tokens: amount })),
});

function readRule(entry: unknown, now: number): SamplingRule | undefined {
  const rule = readValue(storedRule, entry);
  if (rule === undefined || rule.uses.length > maximum.uses) return undefined;
  // The oldest first, as the time that a rule goes by is that of its last use.
  const isSorted = rule.uses.every(({ at }, index) => at >= (rule.uses[index - 1]?.at ?? 0));
  const latestEnd = now + ruleBounds.minutes.maximum * 60_000 + clockToleranceMs;
  return isSorted && rule.expiresAt <= latestEnd ? rule : undefined;
}

const storedGrant = objectOf({
  server: someText,
  identity: someText,
  tool: someText,
  digest: someText,
  reach: oneOf('own', 'everyone'),
  app: optional(someText),
  coversUnchecked: truth,
});

const grantFormat: SharedFileFormat<readonly ToolGrant[]> = {
  maximumBytes: maximum.bytes,
  parse(content) {
    if (!isRecord(content) || content['version'] !== version || !Array.isArray(content['grants'])) return [];
    const entries: readonly unknown[] = content['grants'].slice(-maximumGrants);
    return entries.flatMap((entry) => readValue(storedGrant, entry) ?? []);
  },
  serialize(grants) {
    // One that could not be read again would end without a word.
    if (grants.some((grant) => readValue(storedGrant, grant) === undefined))
      throw new Error('This approval cannot be kept: a text in it is too long');
    return grants.length === 0 ? undefined : { version, grants };
  },
  isChanged: (before, after) => JSON.stringify(before) !== JSON.stringify(after),
};

/** Keeps what may be called without a question in a file that the windows of a workspace share. */
export function createGrantFile(path: string, lock: FileLockOptions): SharedStore<readonly ToolGrant[]> & Disposable {
  return createSharedFile(path, grantFormat, lock);
}

const isDay = (value: unknown): value is string => isString(value) && /^\d{4}-\d\d-\d\d$/.test(value);

const storedUse = objectOf({ day: checked(isDay), tokens: amount });

const budgetFormat: SharedFileFormat<DayUse | undefined> = {
  maximumBytes: 1_000,
  parse: (content) => readValue(storedUse, content),
  serialize: (use) => use,
  // A day without tokens needs no file.
  isChanged: (before, after) => (before?.day === after?.day ? before?.tokens !== after?.tokens : after?.tokens !== 0),
};

/** Milliseconds to wait for another window: a person waits too. */
const budgetPatienceMs = 2_000;

/** Keeps the day's tokens in a file that all windows share. */
export function createBudgetFile(path: string, lock: FileLockOptions): SharedStore<DayUse | undefined> & Disposable {
  return createSharedFile(path, budgetFormat, lock, budgetPatienceMs);
}

interface SharedFileFormat<T> {
  /** Bytes. A larger file is not read, and not written. */
  readonly maximumBytes: number;
  /** @param content checked in no way; `undefined` where there is no file, or none that can be used */
  parse(content: unknown): T;
  /** @returns what is stored as JSON; `undefined` for a value that needs no file */
  serialize(value: T): unknown;
  /** False where `after` says nothing that `before` does not say: then nothing is written. */
  isChanged(before: T, after: T): boolean;
}

/**
 * Keeps a value in a JSON file that several windows read and change. Each write replaces the whole file at once, so that it can be read without the lock.
 * @param path in a folder that is made with the first write. Only an ordinary file is read or replaced there
 * @param patienceMs milliseconds to wait for another window; absent: as long as that window may have the lock
 */
function createSharedFile<T>(
  path: string,
  format: SharedFileFormat<T>,
  lock: FileLockOptions,
  patienceMs?: number,
): SharedStore<T> & Disposable {
  const { clock } = lock;
  const disposal = new AbortController();
  let work: Promise<unknown> = Promise.resolve();

  async function tryChange(change: (value: T) => T): Promise<{ readonly isChanged: boolean; readonly after: T }> {
    const before = format.parse(await readJson(path, format.maximumBytes));
    const after = change(before);
    return { isChanged: format.isChanged(before, after), after };
  }

  async function update(change: (value: T) => T): Promise<T> {
    disposal.signal.throwIfAborted();
    const seen = await tryChange(change);
    if (!seen.isChanged) return seen.after;
    const storeChange = async (): Promise<T> => {
      const { isChanged, after } = await tryChange(change);
      if (isChanged) await store(path, toText(format, after), lock.owner);
      return after;
    };
    const impatience = new AbortController();
    const tooLong = new Error('another window has locked the file for too long');
    const timer = patienceMs === undefined ? undefined : clock.after(patienceMs, () => impatience.abort(tooLong));
    const signal = AbortSignal.any([disposal.signal, impatience.signal]);
    return withFileLock(`${path}.lock`, lock, storeChange, signal).finally(() => timer?.dispose());
  }

  return {
    update(change) {
      const done = work.then(() => update(change));
      work = done.catch(() => {});
      return done;
    },
    dispose: () => disposal.abort(new CancelledError('The window is closing')),
  };
}

/** @returns `undefined` where there is no ordinary file with JSON of at most `maximumBytes` */
async function readJson(path: string, maximumBytes: number): Promise<unknown> {
  if ((await statIfThere(path))?.isFile() !== true) return undefined;
  // What cannot be read may be there, and be right: that throws.
  const text = await readPlainFile(path, maximumBytes);
  // What cannot be parsed is replaced by the next write.
  return parseJson(text ?? '');
}

function toText<T>(format: SharedFileFormat<T>, value: T): string | undefined {
  const content = format.serialize(value);
  if (content === undefined) return undefined;
  const text = `${JSON.stringify(content)}\n`;
  if (Buffer.byteLength(text) > format.maximumBytes) throw new Error('there is too much to store');
  return text;
}

/** @param text `undefined` removes the file */
async function store(path: string, text: string | undefined, owner: string): Promise<void> {
  const found = await statIfThere(path);
  if (found !== undefined && !found.isFile()) throw new Error(`${path} is not an ordinary file`);
  if (text === undefined) {
    await removeFile(path);
    return;
  }
  await replaceFile(path, text, { temporary: `${path}.${owner}.new`, isSynced: true });
}
