import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';

/** Lets so many through in each period, counts the rest. */
export interface FloodGate extends Disposable {
  /** Runs `write` unless the period is used up. */
  pass(write: () => void): void;
}

export interface FloodLimit {
  readonly count: number;
  readonly periodMs: number;
}

/** @param onLeftOut called at the end of each period that had more, with how many were left out */
export function createFloodGate(clock: Clock, limit: FloodLimit, onLeftOut: (count: number) => void): FloodGate {
  let passed = 0;
  let leftOut = 0;
  let timer: Disposable | undefined;

  function endPeriod(): void {
    const missed = leftOut;
    timer = undefined;
    passed = 0;
    leftOut = 0;
    if (missed > 0) onLeftOut(missed);
  }

  return {
    pass(write) {
      timer ??= clock.after(limit.periodMs, endPeriod);
      if (passed >= limit.count) {
        leftOut += 1;
        return;
      }
      passed += 1;
      write();
    },
    dispose: () => timer?.dispose(),
  };
}
