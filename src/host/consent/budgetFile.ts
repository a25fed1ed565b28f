import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { isRecord, isString } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { BudgetStore, DayUse } from '../../client/sampling/tokenBudget.ts';
import type { FileLockOptions } from '../platform/fileLock.ts';
import { createSharedFile, type SharedFile, type SharedFileFormat } from './sharedFile.ts';

/** The day's tokens in a file. Updates do not fail: where the file cannot be used they are counted in memory. */
export interface BudgetFile extends BudgetStore, Disposable {
  /** Fires when this window has changed the count. */
  readonly onDidChange: Event<void>;
}

/** See {@link createBudgetFile}. */
export interface BudgetFileOptions extends FileLockOptions {
  readonly logger: Logger;
}

/** Milliseconds until a file that could not be used is tried again, and to wait for another window: a person waits too. */
const retryMs = 10_000;
const patienceMs = 2_000;

const format: SharedFileFormat<DayUse | undefined> = {
  maximumBytes: 1_000,
  parse: readDayUse,
  serialize: (use) => use,
  // A day without tokens needs no file.
  isChanged: (before, after) => (before?.day === after?.day ? before?.tokens !== after?.tokens : after?.tokens !== 0),
};

/**
 * Keeps the day's tokens in a file that all windows share. What could not be written is added to the file as soon as that is
 * possible: a full disk neither stops a person nor makes anything free.
 */
export function createBudgetFile(path: string, { logger, ...lock }: BudgetFileOptions): BudgetFile {
  const file = createSharedFile(path, format, { ...lock, patienceMs });
  return new CountedTokens(file, path, () => lock.clock.now(), logger);
}

class CountedTokens implements BudgetFile {
  readonly #file: SharedFile<DayUse | undefined>;
  readonly #path: string;
  readonly #now: () => number;
  readonly #logger: Logger;
  readonly #didChange = new Emitter<void>();
  /** As this window last saw it. */
  #known: DayUse | undefined;
  /** Those of `#known` that are not in the file. Less than 0 if more was taken than used in the end. */
  #unwritten = 0;
  #failedAt: number | undefined;
  #hasLogged = false;
  #work: Promise<unknown> = Promise.resolve();

  readonly onDidChange = this.#didChange.event;

  constructor(file: SharedFile<DayUse | undefined>, path: string, now: () => number, logger: Logger) {
    this.#file = file;
    this.#path = path;
    this.#now = now;
    this.#logger = logger;
  }

  update(change: (use: DayUse | undefined) => DayUse): Promise<DayUse> {
    const done = this.#work.then(async () => {
      const before = this.#known;
      const after = (await this.#updateFile(change)) ?? this.#updateMemory(change);
      this.#known = after;
      if (before?.day !== after.day || before.tokens !== after.tokens) this.#didChange.fire();
      return after;
    });
    this.#work = done.catch(() => {});
    return done;
  }

  dispose(): void {
    this.#file.dispose();
    this.#didChange.dispose();
  }

  /** @returns `undefined` where the file cannot be used */
  async #updateFile(change: (use: DayUse | undefined) => DayUse): Promise<DayUse | undefined> {
    const now = this.#now();
    if (this.#failedAt !== undefined && now >= this.#failedAt && now < this.#failedAt + retryMs) return undefined;
    try {
      const after = await this.#file.update((stored) => change(this.#withUnwritten(stored)));
      this.#unwritten = 0;
      this.#failedAt = undefined;
      return after;
    } catch (error) {
      this.#failedAt = this.#now();
      this.#logOnce(error);
      return undefined;
    }
  }

  #updateMemory(change: (use: DayUse | undefined) => DayUse): DayUse {
    const before = this.#known;
    const after = change(before);
    this.#unwritten = before?.day === after.day ? this.#unwritten + after.tokens - before.tokens : after.tokens;
    return after;
  }

  /** A file that was deleted, or is of an earlier day, makes nothing free. */
  #withUnwritten(stored: DayUse | undefined): DayUse | undefined {
    const known = this.#known;
    if (known === undefined || (stored !== undefined && stored.day > known.day)) return stored;
    if (stored?.day !== known.day) return known;
    // Not the larger one: another window may have given back what it had taken.
    return { ...stored, tokens: Math.max(0, stored.tokens + this.#unwritten) };
  }

  #logOnce(error: unknown): void {
    if (this.#hasLogged) return;
    this.#hasLogged = true;
    const why = messageOf(error);
    this.#logger.warn(`The tokens of today are counted in this window only, as ${this.#path} cannot be used: ${why}`);
  }
}

function readDayUse(content: unknown): DayUse | undefined {
  if (!isRecord(content)) return undefined;
  const { day, tokens } = content;
  if (!isString(day) || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  return typeof tokens === 'number' && tokens >= 0 && tokens <= Number.MAX_SAFE_INTEGER ? { day, tokens } : undefined;
}

/** @returns the day of a time in the person's time zone, `2026-11-23` */
export function localDay(milliseconds: number): string {
  const date = new Date(milliseconds);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
