import { createManualClock, type ManualClock } from '../../fixtures/manualClock.ts';

/** A manual clock with a way to wait for timers, so that a test advances it only when one is set. */
export interface AwaitedClock extends ManualClock {
  /** Resolves once a timer of `milliseconds` is set, after it has run out. Each timer is given once. */
  pass(milliseconds: number): Promise<void>;
}

export function createAwaitedClock(): AwaitedClock {
  const clock = createManualClock();
  const set: number[] = [];
  const waiters: { readonly milliseconds: number; readonly resolve: () => void }[] = [];

  function match(): void {
    for (const waiter of waiters.slice()) {
      const index = set.indexOf(waiter.milliseconds);
      if (index === -1) continue;
      set.splice(index, 1);
      waiters.splice(waiters.indexOf(waiter), 1);
      waiter.resolve();
    }
  }

  return {
    now: () => clock.now(),
    get waiting() {
      return clock.waiting;
    },
    advance: (milliseconds) => clock.advance(milliseconds),
    after(milliseconds, callback) {
      const timer = clock.after(milliseconds, callback);
      set.push(milliseconds);
      match();
      return timer;
    },
    async pass(milliseconds) {
      await new Promise<void>((resolve) => {
        waiters.push({ milliseconds, resolve });
        match();
      });
      await clock.advance(milliseconds);
    },
  };
}
