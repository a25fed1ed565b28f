import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { SharedStore } from '../../base/sharedStore.ts';
import { countTokens } from '../../base/tokenCount.ts';

export interface DayUse {
  /** The day in the person's time zone, `2026-11-23`. */
  readonly day: string;
  readonly tokens: number;
}

/** How far ahead a stored day may be, in milliseconds. */
const believedMs = 366 * 86_400_000;

/** Milliseconds until a store that could not be used is tried again: a person waits too. */
const retryMs = 10_000;

/** More tokens than any day has, and still a whole number. */
function bounded(tokens: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, tokens));
}

/**
 * The tokens of a day, of all servers and windows. Nothing here fails: what could not be stored is counted in memory, and added
 * to the store as soon as that is possible. A full disk neither stops a person nor makes anything free.
 */
export class TokenBudget implements Disposable {
  readonly #store: SharedStore<DayUse | undefined>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #dayOf: (milliseconds: number) => string;
  readonly #didChange = new Emitter<void>();
  /** As this window last saw it. */
  #known: DayUse | undefined;
  /** Those of `#known` that are not in the store. Less than 0 if more was taken than used in the end. */
  #unwritten = 0;
  #failedAt: number | undefined;
  #hasLogged = false;
  #work: Promise<unknown> = Promise.resolve();

  /** Fires when this window has changed the count. */
  readonly onDidChange = this.#didChange.event;

  /** @param dayOf the day of a time, in the person's time zone */
  constructor(store: SharedStore<DayUse | undefined>, clock: Clock, logger: Logger, dayOf = localDay) {
    this.#dayOf = dayOf;
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
  }

  async used(): Promise<number> {
    return (await this.#update((today) => today)).tokens;
  }

  /**
   * Takes tokens of today.
   * @param limit of the day; `undefined` takes them in any case
   * @returns `settle` takes what the request took in the end; `undefined` if that is more than the limit
   */
  async take(tokens: number, limit: number | undefined) {
    let day: string | undefined;
    await this.#update((today) => {
      // The store may ask again: only the last answer counts.
      const isTaken = limit === undefined || today.tokens + tokens <= limit;
      day = isTaken ? today.day : undefined;
      return isTaken ? { ...today, tokens: bounded(today.tokens + tokens) } : today;
    });
    if (day === undefined) return undefined;
    return {
      settle: (actual: number): void =>
        void this.#update((today) =>
          today.day === day ? { ...today, tokens: bounded(today.tokens - tokens + actual) } : today,
        ),
    };
  }

  dispose(): void {
    this.#didChange.dispose();
  }

  #update(change: (today: DayUse) => DayUse): Promise<DayUse> {
    const done = this.#work.then(async () => {
      const before = this.#known;
      const after = (await this.#updateStore(change)) ?? this.#updateMemory(change);
      this.#known = after;
      if (before?.day !== after.day || before.tokens !== after.tokens) this.#didChange.fire();
      return after;
    });
    this.#work = done.catch(() => {});
    return done;
  }

  /** @returns `undefined` where the store cannot be used */
  async #updateStore(change: (today: DayUse) => DayUse): Promise<DayUse | undefined> {
    const now = this.#clock.now();
    if (this.#failedAt !== undefined && now >= this.#failedAt && now < this.#failedAt + retryMs) return undefined;
    try {
      const after = await this.#store.update((stored) => change(this.#today(this.#withUnwritten(stored))));
      this.#unwritten = 0;
      this.#failedAt = undefined;
      return after;
    } catch (error) {
      this.#failedAt = this.#clock.now();
      if (!this.#hasLogged)
        this.#logger.warn(`The tokens of today are counted in this window only, as of now: ${messageOf(error)}`);
      this.#hasLogged = true;
      return undefined;
    }
  }

  #updateMemory(change: (today: DayUse) => DayUse): DayUse {
    const before = this.#known;
    const after = change(this.#today(before));
    this.#unwritten = before?.day === after.day ? this.#unwritten + after.tokens - before.tokens : after.tokens;
    return after;
  }

  /** A store that was deleted, or is of an earlier day, makes nothing free. */
  #withUnwritten(stored: DayUse | undefined): DayUse | undefined {
    const known = this.#known;
    if (known === undefined || (stored !== undefined && stored.day > known.day)) return stored;
    if (stored?.day !== known.day) return known;
    // Not the larger one: another window may have given back what it had taken.
    return { ...stored, tokens: Math.max(0, stored.tokens + this.#unwritten) };
  }

  /** A clock that was set back does not begin a day again. One that was far ahead by mistake does not hold anything up. */
  #today(use: DayUse | undefined): DayUse {
    const now = this.#clock.now();
    const day = this.#dayOf(now);
    return use !== undefined && use.day >= day && use.day <= this.#dayOf(now + believedMs) ? use : { day, tokens: 0 };
  }
}

/** @returns the day of a time in the person's time zone, `2026-11-23` */
export function localDay(milliseconds: number): string {
  const date = new Date(milliseconds);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** Characters of a text that are looked at: what follows is taken to be like them. */
const sampledCharacters = 100_000;

/** Characters that make a token at most: a text that is one long word must not count for less than it may take. */
const charactersPerToken = 4;

/**
 * Estimates the tokens of a text without a model. Each family of models counts differently: for prose in English it is within
 * a tenth or so, for other texts further off. It never takes longer than for a text of 100,000 characters.
 */
export function estimateTokens(text: string): number {
  const sample = text.slice(0, sampledCharacters);
  const ratio = sample.length === 0 ? 0 : countTokens(sample) / sample.length;
  return Math.ceil(text.length * Math.max(ratio, 1 / charactersPerToken));
}
