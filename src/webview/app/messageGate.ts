/**
 * An app may send this many messages at once, and this many a second; beyond, they are dropped. After `over` drops in a second
 * its frame is removed: each message costs the window time, even to drop it.
 */
const rate = { burst: 200, perSecond: 100, over: 2_000 };

/** The same for members and characters of messages as JSON. */
const volume = { burst: 10_000_000, perSecond: 1_000_000 };

/** Members and characters of one message as JSON; a longer one is dropped. */
export const maximumMessage = 5_000_000;

/** Milliseconds between two reports of what was dropped. */
const reportMs = 1_000;

/**
 * Lets through as many messages of an app as the window has time for. Times are in milliseconds.
 * @param report called after messages were dropped, with `isOver` if there were too many
 */
export function createMessageGate(report: (count: number, isOver: boolean) => void) {
  const messages = createBucket(rate);
  const contents = createBucket(volume);
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
    /** Counts a message that is dropped for another reason. */
    drop,
    passes(now: number): boolean {
      const isLet = messages.left(now) >= 1;
      if (isLet) messages.take(1);
      else drop();
      return isLet;
    },
    /**
     * True where the window has time for the content of a message too. To count it takes time as well, so what was counted is gone.
     * @param costOf counts members and characters, to no more than it gets
     */
    takes(costOf: (most: number) => number, now: number): boolean {
      const most = Math.min(maximumMessage, contents.left(now));
      const cost = costOf(most);
      contents.take(cost);
      if (cost > most) drop();
      return cost <= most;
    },
    end: () => clearTimeout(timer),
  };
}

function createBucket({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }) {
  let left = burst;
  let last = 0;
  return {
    left(now: number): number {
      left = Math.min(burst, left + ((now - last) / 1_000) * perSecond);
      last = now;
      return left;
    },
    take(amount: number): void {
      left = Math.max(0, left - amount);
    },
  };
}
