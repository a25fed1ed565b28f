import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { type CheckJob, readCheckerMessage, type Validation } from '../../base/schemaCheck.ts';
import type { JsonSchema } from '../../protocol/mcp/tools.ts';

/** A running process of `src/checker`. */
export interface CheckerProcess {
  /** Lost when the process has ended. */
  post(job: CheckJob): void;
  /** Unchecked. */
  readonly onMessage: Event<unknown>;
  /** Fires once. */
  readonly onExit: Event<ProcessEnd>;
  /** Whether this process stays for it. */
  keepAlive(isWanted: boolean): void;
  kill(): void;
}

/** How a process ended. `signal` is set where it was aborted, `error` where it never ran. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: string;
}

/** A schema as the process knows it. */
export interface CheckedSchema {
  /** Another one for each schema. */
  readonly key: number;
  readonly schema: JsonSchema;
  /** Values of any kind in it. */
  readonly members: number;
  /** To look for more than the first problem took too long. */
  isFirstOnly: boolean;
}

/** A check without a result. The process is of no more use. */
export interface Interruption {
  readonly kind: 'interrupted';
  readonly cause: 'start' | 'time' | 'memory' | 'failure';
  /** Why a process could not be started, where the system says so. */
  readonly detail?: string | undefined;
  /** What is known so far. */
  readonly first: Validation | undefined;
}

/** A process has to load what it needs before it can check anything. */
const startMs = 10_000;

/** After a stall of this process its timers fire before what came meanwhile is read. */
const graceMs = 20;

/** One process that checks, and what is under way there: one check at a time. */
export class CheckerLink implements Disposable {
  readonly #process: CheckerProcess;
  readonly #clock: Clock;
  readonly #store = new DisposableStore();
  readonly #sent = new Set<number>();
  #load = 0;
  #isReady = false;
  #hasEnded = false;
  #nextId = 1;
  #current: RunningCheck | undefined;

  constructor(process: CheckerProcess, clock: Clock) {
    this.#process = process;
    this.#clock = clock;
    this.#store.add(process.onMessage((message) => this.#receive(message)));
    this.#store.add(process.onExit((end) => this.#ended(end)));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Members of all schemas it has compiled. */
  get load(): number {
    return this.#load;
  }

  /** @param milliseconds counted from when the process has begun; starting it comes on top */
  check(schema: CheckedSchema, value: unknown, milliseconds: number): Promise<Validation | Interruption> {
    return new Promise((settle) => {
      this.#process.keepAlive(true);
      this.#current = { schema, value, milliseconds, settle, id: this.#nextId++, first: undefined };
      if (this.#hasEnded) this.#interrupt('failure');
      else if (this.#isReady) this.#send(this.#current);
      else this.#wait(startMs, 'start');
    });
  }

  dispose(): void {
    this.#process.kill();
    this.#interrupt('failure');
    this.#hasEnded = true;
    this.#store.dispose();
  }

  #send({ id, schema: { key, schema, members, isFirstOnly }, value, milliseconds }: RunningCheck): void {
    const isKnown = this.#sent.has(key);
    if (!isKnown) this.#load += members;
    this.#sent.add(key);
    this.#process.post({ id, key, ...(!isKnown && { schema }), value, firstOnly: isFirstOnly });
    this.#wait(milliseconds, 'time');
  }

  #wait(milliseconds: number, cause: Interruption['cause']): void {
    const current = this.#current;
    if (current === undefined) return;
    current.timer?.dispose();
    current.timer = this.#clock.after(milliseconds, () => {
      current.timer = this.#clock.after(graceMs, () => this.#interrupt(cause));
    });
  }

  #receive(value: unknown): void {
    const message = readCheckerMessage(value);
    if (message === undefined) return this.#interrupt('failure');
    const current = this.#current;
    if (message.type === 'ready') {
      this.#isReady = true;
      if (current !== undefined) this.#send(current);
    } else if (message.id === current?.id) {
      if (message.isFinal) this.#settle(message.validation);
      else current.first = message.validation;
    }
  }

  #ended({ code, signal, error }: ProcessEnd): void {
    this.#hasEnded = true;
    // Without memory, a process aborts: by a signal, or by a code beyond those that programs give.
    const isAborted = signal !== null || (code ?? 0) > 128;
    this.#interrupt(!this.#isReady ? 'start' : isAborted ? 'memory' : 'failure', error);
  }

  #interrupt(cause: Interruption['cause'], detail?: string): void {
    this.#settle({ kind: 'interrupted', cause, detail, first: this.#current?.first });
  }

  #settle(outcome: Validation | Interruption): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    current.timer?.dispose();
    this.#process.keepAlive(false);
    current.settle(outcome);
  }
}

interface RunningCheck {
  readonly id: number;
  readonly schema: CheckedSchema;
  readonly value: unknown;
  readonly milliseconds: number;
  readonly settle: (outcome: Validation | Interruption) => void;
  first: Validation | undefined;
  timer?: Disposable;
}
