import type { Clock } from './clock.ts';

/** Milliseconds of work before the event loop has its turn. */
const sliceMs = 8;

/** Called between two pieces of work. @returns what to wait for where the work has taken a slice of time already */
export type NextSlice = () => Promise<void> | undefined;

/** @param pause ends in a later turn of the event loop */
export function createSlices(clock: Pick<Clock, 'now'>, pause: () => Promise<void>): NextSlice {
  let startedAt = clock.now();
  return () => {
    if (clock.now() - startedAt < sliceMs) return undefined;
    return pause().then(() => void (startedAt = clock.now()));
  };
}
