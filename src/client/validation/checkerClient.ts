import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { type CheckJob, readCheckerMessage, type Validation } from '../../base/schemaCheck.ts';
import type { JsonSchema } from '../../protocol/mcp/tools.ts';

export interface CheckerProcess {
  /** Sends a job; without effect when the process has ended. */
  post(job: CheckJob): void;
  readonly onMessage: Event<unknown>;
  /** Fires once, when the process has ended. */
  readonly onExit: Event<ProcessEnd>;
  /** Whether the running checker keeps Patchbay's process alive. */
  keepAlive(isWanted: boolean): void;
  kill(): void;
}

/** How a process ended. `signal` is set if it was killed, `error` if it could not be started. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: string;
}

/** A schema as it is sent to the process. */
export interface CheckedSchema {
  readonly key: number;
  readonly schema: JsonSchema;
  /** Number of values in it. */
  readonly members: number;
  /** Only the first problem is searched, because searching for all took too long. */
  isFirstOnly: boolean;
  /** Why values are not checked against it; `undefined` if they are. */
  refusal: string | undefined;
}

/** A check without a complete result. The process must be replaced. */
export interface Interruption {
  readonly kind: 'interrupted';
  readonly cause: 'start' | 'time' | 'memory' | 'failure';
  /** The system's message if the process could not be started. */
  readonly detail?: string | undefined;
  /** The result up to the first problem, if it was found. */
  readonly first: Validation | undefined;
}

/** Milliseconds in which a new process must be ready. */
const startMs = 10_000;

/** Milliseconds added to each timeout: after a stall, timers fire before received messages are read. */
const graceMs = 20;

/** One checker process and its current check; it runs one check at a time. */
export class CheckerClient implements Disposable {
  readonly #process: CheckerProcess;
  readonly #clock: Clock;
  readonly #store = new DisposableStore();
  readonly #sent = new Set<number>();
  #isReady = false;
  #nextId = 1;
  #current: RunningCheck | undefined;
  hasEnded = false;
  /** Number of members of all schemas that it has compiled. */
  load = 0;

  constructor(process: CheckerProcess, clock: Clock) {
    this.#process = process;
    this.#clock = clock;
    this.#store.add(process.onMessage((message) => this.#receive(message)));
    this.#store.add(process.onExit((end) => this.#ended(end)));
  }

  /** Checks a value. @param milliseconds the time limit, without the start of the process */
  check(schema: CheckedSchema, value: unknown, milliseconds: number): Promise<Validation | Interruption> {
    return new Promise((settle) => {
      this.#process.keepAlive(true);
      this.#current = { schema, value, milliseconds, settle, id: this.#nextId++, first: undefined };
      if (this.hasEnded) this.#interrupt('failure');
      else if (this.#isReady) this.#send(this.#current);
      else this.#wait(startMs, 'start');
    });
  }

  dispose(): void {
    this.#process.kill();
    this.#interrupt('failure');
    this.hasEnded = true;
    this.#store.dispose();
  }

  #send({ id, schema: { key, schema, members, isFirstOnly }, value, milliseconds }: RunningCheck): void {
    const isKnown = this.#sent.has(key);
    if (!isKnown) this.load += members;
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
    this.hasEnded = true;
    // Out of memory, a process aborts: by a signal, or with an exit code above 128.
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
