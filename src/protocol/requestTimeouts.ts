import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import type { RequestId } from './jsonRpc.ts';
import type { PendingRequest, PendingRequests } from './pendingRequests.ts';

/**
 * Applies two limits to each pending request: silence (`idleMs`, restarted by progress) and total time (`maximumMs`).
 *
 * One timer serves all requests: it fires when the first may be due, then checks all that are pending. Nearly all are
 * answered earlier, so a timer for each would cost more. The timer may run on for one limit after the last request; it
 * does not keep the process alive.
 */
export class RequestTimeouts implements Disposable {
  readonly #clock: Clock;
  readonly #maximumMs: number;
  readonly #requests: PendingRequests;
  readonly #onExpired: (id: RequestId, request: PendingRequest, limitMs: number) => void;
  #suspensions = 0;
  #timer: Disposable | undefined;
  #timerDueAt = Infinity;

  /**
   * @param maximumMs maximum milliseconds for one request in total, progress included
   * @param requests the pending requests; the owner adds and removes them
   * @param onExpired called with each request that timed out, to reject it, and the limit that was exceeded, in milliseconds
   */
  constructor(
    clock: Clock,
    maximumMs: number,
    requests: PendingRequests,
    onExpired: (id: RequestId, request: PendingRequest, limitMs: number) => void,
  ) {
    this.#clock = clock;
    this.#maximumMs = maximumMs;
    this.#requests = requests;
    this.#onExpired = onExpired;
  }

  start({ startedAt, idleMs }: PendingRequest): void {
    this.#scheduleCheck(startedAt + idleMs);
  }

  /** Until disposed, the silence limit is off for all requests: the server waits for our answer. */
  suspend(): Disposable {
    this.#suspensions += 1;
    return toDisposable(() => {
      this.#suspensions -= 1;
      if (this.#suspensions === 0) this.#restartExpired();
    });
  }

  /** The user is asked: until disposed, both limits pause for the requests that are pending now. */
  pause(): Disposable {
    const paused = [...this.#requests].filter(([, { idleMs }]) => idleMs !== Infinity);
    for (const [, request] of paused) {
      if (request.pauses === 0) request.pausedSince = this.#clock.now();
      request.pauses += 1;
    }
    return toDisposable(() => {
      for (const [id, request] of paused) {
        request.pauses -= 1;
        if (request.pauses === 0 && this.#requests.get(id) === request) this.#resume(request);
      }
    });
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  /** Moves the times of a request on by the length of the pause. */
  #resume(request: PendingRequest): void {
    const now = this.#clock.now();
    const pausedMs = now - request.pausedSince;
    request.startedAt += pausedMs;
    // Progress may have come during the pause.
    request.lastActivityAt = Math.min(now, request.lastActivityAt + pausedMs);
    this.#scheduleCheck(Math.min(request.lastActivityAt + request.idleMs, request.startedAt + this.#maximumMs));
  }

  #scheduleCheck(dueAt: number): void {
    if (dueAt >= this.#timerDueAt) return;
    this.#timer?.dispose();
    this.#timerDueAt = dueAt;
    this.#timer = this.#clock.after(Math.max(0, dueAt - this.#clock.now()), () => this.#check(), {
      isBackground: true,
    });
  }

  #check(): void {
    this.#timerDueAt = Infinity;
    const now = this.#clock.now();
    let next = Infinity;
    for (const [id, request] of this.#requests) {
      if (request.idleMs === Infinity || request.pauses > 0) continue;
      const silentAt = request.lastActivityAt + request.idleMs;
      const lastAt = request.startedAt + this.#maximumMs;
      const isSuspended = this.#suspensions > 0 && silentAt <= now;
      const dueAt = isSuspended ? lastAt : Math.min(silentAt, lastAt);
      if (dueAt > now) next = Math.min(next, dueAt);
      else this.#onExpired(id, request, lastAt <= now ? this.#maximumMs : request.idleMs);
    }
    this.#scheduleCheck(next);
  }

  /** Restarts the silence limit of the requests for which it has expired while it was suspended. */
  #restartExpired(): void {
    const now = this.#clock.now();
    for (const request of this.#requests.values()) {
      // The time of one that is paused goes on later.
      const at = request.pauses > 0 ? request.pausedSince : now;
      if (request.lastActivityAt + request.idleMs > at) continue;
      request.lastActivityAt = at;
      if (request.pauses === 0) this.#scheduleCheck(now + request.idleMs);
    }
  }
}
