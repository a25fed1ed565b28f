/**
 * An app may send this many messages at once, and this many a second; beyond, they are dropped. After `over` drops in a second
 * its frame is removed: each message costs the window time, even to drop it.
 */
const rate = { burst: 200, perSecond: 100, over: 2_000 };

/** Milliseconds between two reports of what was dropped. */
const reportMs = 1_000;

/** Lets through as many messages of an app as the window has time for. */
export interface MessageGate {
  /** @param now milliseconds */
  passes(now: number): boolean;
  /** Counts a message that is dropped for another reason. */
  drop(): void;
  end(): void;
}

/** @param report called after messages were dropped, with `isOver` if there were too many */
export function createMessageGate(report: (count: number, isOver: boolean) => void): MessageGate {
  let left = rate.burst;
  let last = 0;
  let dropped = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (isOver: boolean): void => {
    clearTimeout(timer);
    timer = undefined;
    const count = dropped;
    dropped = 0;
    report(count, isOver);
  };
  const drop = (): void => {
    dropped += 1;
    if (dropped >= rate.over) return tell(true);
    timer ??= setTimeout(() => tell(false), reportMs);
  };
  return {
    drop,
    passes(now) {
      left = Math.min(rate.burst, left + ((now - last) / 1_000) * rate.perSecond);
      last = now;
      if (left < 1) {
        drop();
        return false;
      }
      left -= 1;
      return true;
    },
    end: () => clearTimeout(timer),
  };
}
