import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import type { RequestId } from './jsonRpc.ts';

export interface PatienceOptions<Request extends Wait> {
  readonly clock: Clock;
  /** The requests that are open, kept by their owner. */
  readonly waits: ReadonlyMap<RequestId, Request>;
  /** Milliseconds for one request altogether, whatever happens meanwhile. */
  readonly maximumMs: number;
  /** Told which request took too long, to close it, and the limit that ran out, in milliseconds. */
  readonly onEnd: (id: RequestId, request: Request, limitMs: number) => void;
}

/** How long a request has been waiting; times are the clock's. */
export interface Wait {
  /** Milliseconds of silence after which it is over; `Infinity`, with no limit at all, for one that is open-ended. */
  readonly idleMs: number;
  startedAt: number;
  heardAt: number;
  /** Silence ran out while it did not count. */
  isForgiven: boolean;
  /** How many hold it, and since when the first of them does: no time passes for it meanwhile. */
  holds: number;
  heldSince: number;
}

/**
 * How long the other side may take for each request it was sent.
 *
 * One timer serves all requests: it goes off when the first of them may be due, and looks at those still open. Nearly
 * all are answered long before, and none pays for a timer of its own. The timer outlasts them, by one limit at most; it
 * does not keep the process alive, what a request waits for does.
 */
export class Patience<Request extends Wait> implements Disposable {
  readonly #options: PatienceOptions<Request>;
  #suspensions = 0;
  #hasForgiven = false;
  #timer: Disposable | undefined;
  #timerDueAt = Infinity;

  constructor(options: PatienceOptions<Request>) {
    this.#options = options;
  }

  /** Minds a request that has just been opened. */
  begin({ startedAt, idleMs }: Wait): void {
    this.#lookAt(startedAt + idleMs);
  }

  /** The other side showed that it is at work: silence counts from now. */
  restart(wait: Wait): void {
    wait.heardAt = this.#options.clock.now();
  }

  /** Until disposed the other side waits for an answer of ours, and silence does not count. */
  suspend(): Disposable {
    this.#suspensions += 1;
    return toDisposable(() => {
      this.#suspensions -= 1;
      if (this.#suspensions === 0 && this.#hasForgiven) this.#startSilenceAnew();
    });
  }

  /**
   * Until disposed a person is at something that the requests open now wait for: no time passes for these, that of
   * `maximumMs` neither. What is sent meanwhile has its own time.
   */
  hold(): Disposable {
    const { clock, waits } = this.#options;
    const held = [...waits].filter(([, { idleMs }]) => idleMs !== Infinity);
    for (const [, wait] of held) {
      if (wait.holds === 0) wait.heldSince = clock.now();
      wait.holds += 1;
    }
    return toDisposable(() => {
      for (const [id, wait] of held) {
        wait.holds -= 1;
        if (wait.holds === 0 && waits.get(id) === wait) this.#goOn(wait);
      }
    });
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  /** The time a request was held has not passed for it. */
  #goOn(wait: Wait): void {
    const now = this.#options.clock.now();
    const held = now - wait.heldSince;
    wait.startedAt += held;
    // It may have been heard of meanwhile.
    wait.heardAt = Math.min(now, wait.heardAt + held);
    this.#lookAt(Math.min(wait.heardAt + wait.idleMs, wait.startedAt + this.#options.maximumMs));
  }

  #lookAt(dueAt: number): void {
    if (dueAt >= this.#timerDueAt) return;
    const { clock } = this.#options;
    this.#timer?.dispose();
    this.#timerDueAt = dueAt;
    this.#timer = clock.after(Math.max(0, dueAt - clock.now()), () => this.#look(), { isBackground: true });
  }

  #look(): void {
    const { clock, maximumMs, onEnd } = this.#options;
    this.#timerDueAt = Infinity;
    const now = clock.now();
    let next = Infinity;
    for (const [id, wait] of this.#options.waits) {
      if (wait.idleMs === Infinity || wait.holds > 0) continue;
      const silentAt = wait.heardAt + wait.idleMs;
      const lastAt = wait.startedAt + maximumMs;
      if (silentAt <= now && this.#suspensions > 0) this.#forgive(wait);
      const dueAt = wait.isForgiven ? lastAt : Math.min(silentAt, lastAt);
      if (dueAt > now) {
        next = Math.min(next, dueAt);
        continue;
      }
      onEnd(id, wait, lastAt <= now ? maximumMs : wait.idleMs);
    }
    this.#lookAt(next);
  }

  #forgive(wait: Wait): void {
    wait.isForgiven = true;
    this.#hasForgiven = true;
  }

  #startSilenceAnew(): void {
    this.#hasForgiven = false;
    const now = this.#options.clock.now();
    for (const wait of this.#options.waits.values()) {
      if (!wait.isForgiven) continue;
      wait.isForgiven = false;
      wait.heardAt = now;
      this.#lookAt(now + wait.idleMs);
    }
  }
}
