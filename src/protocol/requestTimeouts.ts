import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import type { RequestId } from './jsonRpc.ts';

/** Limits of {@link RequestTimeouts}, and the requests they apply to. */
export interface RequestTimeoutsOptions<Request extends TimedRequest> {
  readonly clock: Clock;
  /** The pending requests; the owner adds and removes them. */
  readonly requests: ReadonlyMap<RequestId, Request>;
  /** Maximum milliseconds for one request in total, progress included. */
  readonly maximumMs: number;
  /** Called with each request that timed out, to reject it, and the limit that was exceeded, in milliseconds. */
  readonly onExpired: (id: RequestId, request: Request, limitMs: number) => void;
}

/** Timing of one request; times are those of the clock, in milliseconds. */
export interface TimedRequest {
  /** Maximum milliseconds without a message; `Infinity` disables all limits. */
  readonly idleMs: number;
  startedAt: number;
  lastActivityAt: number;
  /** The silence limit expired while timeouts were suspended. */
  expiredWhileSuspended: boolean;
  /** Number of active pauses, and the start of the first. No time passes for the request meanwhile. */
  pauses: number;
  pausedSince: number;
}

/**
 * Applies two limits to each pending request: silence (`idleMs`, restarted by progress) and total time (`maximumMs`).
 *
 * One timer serves all requests: it fires when the first may be due, then checks all that are pending. Nearly all are
 * answered earlier, so a timer for each would cost more. The timer may run on for one limit after the last request; it
 * does not keep the process alive.
 */
export class RequestTimeouts<Request extends TimedRequest> implements Disposable {
  readonly #options: RequestTimeoutsOptions<Request>;
  #suspensions = 0;
  #hasExpiredWhileSuspended = false;
  #timer: Disposable | undefined;
  #timerDueAt = Infinity;

  constructor(options: RequestTimeoutsOptions<Request>) {
    this.#options = options;
  }

  start({ startedAt, idleMs }: TimedRequest): void {
    this.#scheduleCheck(startedAt + idleMs);
  }

  /** Restarts the silence limit, after progress. */
  restart(request: TimedRequest): void {
    request.lastActivityAt = this.#options.clock.now();
  }

  /** Until disposed, the silence limit is off for all requests: the server waits for our answer. */
  suspend(): Disposable {
    this.#suspensions += 1;
    return toDisposable(() => {
      this.#suspensions -= 1;
      if (this.#suspensions === 0 && this.#hasExpiredWhileSuspended) this.#restartExpired();
    });
  }

  /**
   * Until disposed, both limits pause for the requests that are pending now: the user is asked something. Later requests
   * are not affected.
   */
  pause(): Disposable {
    const { clock, requests } = this.#options;
    const paused = [...requests].filter(([, { idleMs }]) => idleMs !== Infinity);
    for (const [, request] of paused) {
      if (request.pauses === 0) request.pausedSince = clock.now();
      request.pauses += 1;
    }
    return toDisposable(() => {
      for (const [id, request] of paused) {
        request.pauses -= 1;
        if (request.pauses === 0 && requests.get(id) === request) this.#resume(request);
      }
    });
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  /** Moves the times of a request on by the length of the pause. */
  #resume(request: TimedRequest): void {
    const now = this.#options.clock.now();
    const pausedMs = now - request.pausedSince;
    request.startedAt += pausedMs;
    // Progress may have come during the pause.
    request.lastActivityAt = Math.min(now, request.lastActivityAt + pausedMs);
    this.#scheduleCheck(Math.min(request.lastActivityAt + request.idleMs, request.startedAt + this.#options.maximumMs));
  }

  #scheduleCheck(dueAt: number): void {
    if (dueAt >= this.#timerDueAt) return;
    const { clock } = this.#options;
    this.#timer?.dispose();
    this.#timerDueAt = dueAt;
    this.#timer = clock.after(Math.max(0, dueAt - clock.now()), () => this.#check(), { isBackground: true });
  }

  #check(): void {
    const { clock, maximumMs, onExpired } = this.#options;
    this.#timerDueAt = Infinity;
    const now = clock.now();
    let next = Infinity;
    for (const [id, request] of this.#options.requests) {
      if (request.idleMs === Infinity || request.pauses > 0) continue;
      const silentAt = request.lastActivityAt + request.idleMs;
      const lastAt = request.startedAt + maximumMs;
      if (silentAt <= now && this.#suspensions > 0) this.#markExpiredWhileSuspended(request);
      const dueAt = request.expiredWhileSuspended ? lastAt : Math.min(silentAt, lastAt);
      if (dueAt > now) {
        next = Math.min(next, dueAt);
        continue;
      }
      onExpired(id, request, lastAt <= now ? maximumMs : request.idleMs);
    }
    this.#scheduleCheck(next);
  }

  #markExpiredWhileSuspended(request: TimedRequest): void {
    request.expiredWhileSuspended = true;
    this.#hasExpiredWhileSuspended = true;
  }

  #restartExpired(): void {
    this.#hasExpiredWhileSuspended = false;
    const now = this.#options.clock.now();
    for (const request of this.#options.requests.values()) {
      if (!request.expiredWhileSuspended) continue;
      request.expiredWhileSuspended = false;
      request.lastActivityAt = now;
      this.#scheduleCheck(now + request.idleMs);
    }
  }
}
