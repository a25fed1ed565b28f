import type { Clock } from '../../base/clock.ts';

/** The tokens of one day. */
export interface DayUse {
  /** The day in the person's time zone, `2026-11-23`. */
  readonly day: string;
  readonly tokens: number;
}

/** Port that keeps the day's tokens for all windows. */
export interface BudgetStore {
  /**
   * Makes a change of what is there at that moment; it is stored when the promise resolves.
   * @throws an error where it cannot be stored
   */
  update(change: (use: DayUse | undefined) => DayUse): Promise<DayUse>;
}

/** Tokens that were taken before a request, until it is known what it took. */
export interface BudgetShare {
  /** @param tokens what the request took; `undefined` if nobody knows: what was taken counts */
  settle(tokens: number | undefined): void;
}

/** The tokens of a day, of all servers and windows. */
export interface TokenBudget {
  /** Tokens of today. */
  used(): Promise<number>;
  /**
   * Takes tokens of today.
   * @param limit of the day; `undefined` takes them in any case
   * @returns `undefined` if that is more than the limit
   */
  take(tokens: number, limit: number | undefined): Promise<BudgetShare | undefined>;
}

/** How far ahead a stored day may be, in milliseconds. */
const believedMs = 366 * 86_400_000;

/** More tokens than any day has, and still a whole number. */
function bounded(tokens: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, tokens));
}

/** @param dayOf the day of a time, in the person's time zone */
export function createTokenBudget(store: BudgetStore, clock: Clock, dayOf: (time: number) => string): TokenBudget {
  /**
   * Today's tokens: a clock that was set back does not begin a day again. One that was far ahead by mistake holds nothing up.
   */
  const today = (use: DayUse | undefined): DayUse => {
    const day = dayOf(clock.now());
    const isKnown = use !== undefined && use.day >= day && use.day <= dayOf(clock.now() + believedMs);
    return isKnown ? use : { day, tokens: 0 };
  };
  return {
    used: async () => (await store.update(today)).tokens,
    async take(tokens, limit) {
      const taken: { day?: string } = {};
      await store.update((use) => {
        const before = today(use);
        // The store may ask again if it could not write the first answer.
        delete taken.day;
        if (limit !== undefined && before.tokens + tokens > limit) return before;
        taken.day = before.day;
        return { ...before, tokens: bounded(before.tokens + tokens) };
      });
      const { day } = taken;
      if (day === undefined) return undefined;
      return {
        settle(actual) {
          if (actual === undefined) return;
          const correct = (use: DayUse | undefined): DayUse => {
            const now = today(use);
            return now.day === day ? { ...now, tokens: bounded(now.tokens - tokens + actual) } : now;
          };
          // What was taken still counts if this cannot be stored.
          void store.update(correct).catch(() => {});
        },
      };
    },
  };
}
