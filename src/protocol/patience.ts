import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import type { RequestId } from './jsonRpc.ts';

/** Limits of {@link RequestTimeouts}, and the requests they apply to. */
export interface PatienceOptions<Request extends Wait> {
  readonly clock: Clock;
  /** The pending requests; the owner adds and removes them. */
  readonly waits: ReadonlyMap<RequestId, Request>;
  /** Maximum milliseconds for one request in total, progress included. */
  readonly maximumMs: number;
  /** Called with each request that timed out, to reject it, and the limit that was exceeded, in milliseconds. */
  readonly onEnd: (id: RequestId, request: Request, limitMs: number) => void;
}

/** Timing of one request; times are those of the clock, in milliseconds. */
export interface Wait {
  /** Maximum milliseconds without a message; `Infinity` disables all limits. */
  readonly idleMs: number;
  startedAt: number;
  heardAt: number;
  /** The silence limit expired while timeouts were suspended. */
  isForgiven: boolean;
  /** Number of active pauses, and the start of the first. No time passes for the request meanwhile. */
  holds: number;
  heldSince: number;
}

/**
 * Applies two limits to each pending request: silence (`idleMs`, restarted by progress) and total time (`maximumMs`).
 *
 * One timer serves all requests: it fires when the first may be due, then checks all that are pending. Nearly all are
 * answered earlier, so a timer for each would cost more. The timer may run on for one limit after the last request; it
 * does not keep the process alive.
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

  /** Starts to watch a new request. */
  begin({ startedAt, idleMs }: Wait): void {
    this.#lookAt(startedAt + idleMs);
  }

  /** Restarts the silence limit, after progress. */
  restart(wait: Wait): void {
    wait.heardAt = this.#options.clock.now();
  }

  /** Until disposed, the silence limit is off for all requests: the server waits for our answer. */
  suspend(): Disposable {
    this.#suspensions += 1;
    return toDisposable(() => {
      this.#suspensions -= 1;
      if (this.#suspensions === 0 && this.#hasForgiven) this.#startSilenceAnew();
    });
  }

  /**
   * Until disposed, both limits pause for the requests that are pending now: the user is asked something. Later requests
   * are not affected.
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

  /** Moves the times of a request on by the length of the pause. */
  #goOn(wait: Wait): void {
    const now = this.#options.clock.now();
    const held = now - wait.heldSince;
    wait.startedAt += held;
    // Progress may have come during the pause.
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
