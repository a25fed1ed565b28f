import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import type { RequestId } from './jsonRpc.ts';

export interface PatienceOptions {
  readonly clock: Clock;
  /** Milliseconds for one request altogether, whatever happens meanwhile. */
  readonly maximumMs: number;
  /** Told which request took too long, and the limit that ran out, in milliseconds. */
  readonly onEnd: (id: RequestId, limitMs: number) => void;
}

interface Wait {
  readonly idleMs: number;
  readonly startedAt: number;
  heardAt: number;
  /** Silence ran out while it did not count. */
  isForgiven: boolean;
}

/**
 * How long the other side may take for each request it was sent.
 *
 * One timer serves all requests: it goes off when the first of them may be due, and looks at those still open. Nearly
 * all are answered long before, and none pays for a timer of its own. The timer outlasts them, by one limit at most; it
 * does not keep the process alive, what a request waits for does.
 */
export class Patience implements Disposable {
  readonly #options: PatienceOptions;
  readonly #waits = new Map<RequestId, Wait>();
  #suspensions = 0;
  #hasForgiven = false;
  #timer: Disposable | undefined;
  #timerDueAt = Infinity;

  constructor(options: PatienceOptions) {
    this.#options = options;
  }

  /** @param idleMs milliseconds of silence after which it is over */
  begin(id: RequestId, idleMs: number): void {
    const startedAt = this.#options.clock.now();
    this.#waits.set(id, { idleMs, startedAt, heardAt: startedAt, isForgiven: false });
    this.#lookAt(startedAt + idleMs);
  }

  /** The other side showed that it is at work: silence counts from now. */
  restart(id: RequestId): void {
    const wait = this.#waits.get(id);
    if (wait !== undefined) wait.heardAt = this.#options.clock.now();
  }

  end(id: RequestId): void {
    this.#waits.delete(id);
  }

  /** Until disposed the other side waits for an answer of ours, and silence does not count. */
  suspend(): Disposable {
    this.#suspensions += 1;
    return toDisposable(() => {
      this.#suspensions -= 1;
      if (this.#suspensions === 0 && this.#hasForgiven) this.#startSilenceAnew();
    });
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#waits.clear();
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
    for (const [id, wait] of this.#waits) {
      const silentAt = wait.heardAt + wait.idleMs;
      const lastAt = wait.startedAt + maximumMs;
      if (silentAt <= now && this.#suspensions > 0) this.#forgive(wait);
      const dueAt = wait.isForgiven ? lastAt : Math.min(silentAt, lastAt);
      if (dueAt > now) {
        next = Math.min(next, dueAt);
        continue;
      }
      this.#waits.delete(id);
      onEnd(id, lastAt <= now ? maximumMs : wait.idleMs);
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
    for (const wait of this.#waits.values()) {
      if (!wait.isForgiven) continue;
      wait.isForgiven = false;
      wait.heardAt = now;
      this.#lookAt(now + wait.idleMs);
    }
  }
}
