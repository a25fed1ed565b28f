import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { CloseReason, Transport } from '../../transport/transport.ts';
import { isOwnPort, reachPort } from './debugPort.ts';

/** A debugger of the editor that is attached to a process. */
export interface DebugAttachment {
  /** Fires once, whoever ended it. */
  readonly onDidEnd: (listener: () => void) => Disposable;
  end(): Promise<void>;
}

export interface DebugPorts {
  readonly port: number;
  readonly clock: Clock;
  /** @returns `undefined` where the debugger could not be attached, which the editor has said */
  readonly attach: () => Promise<DebugAttachment | undefined>;
  /** The server goes on without a debugger. `unreached`: it has answered, and no process of it has opened the port; `taken`: a process of another user has. */
  readonly ended: (why: 'detached' | 'unattached' | 'unreached' | 'taken') => void;
}

/** Milliseconds that a server gets nothing while its debugger's port is not open. */
const heldMs = 15_000;
/** Milliseconds from the first answer of a server until that port must be open. */
const unreachedMs = 2_000;
/** Milliseconds within which the end of a process is noticed. */
const noticedMs = 500;

/**
 * A process with a debugger, which is attached as soon as its port is open: until then nothing is sent, so that the first request
 * meets the breakpoints. While it is attached, timeouts pause. It ends with the process, and the process goes on without it.
 */
export class DebuggedTransport implements Transport {
  readonly #inner: Transport;
  readonly #ports: DebugPorts;
  readonly #store = new DisposableStore();
  readonly #pauses = this.#store.add(new Emitter<boolean>());
  /** Nothing is attached from now on. */
  readonly #closed = new AbortController();
  #attachment: DebugAttachment | undefined;
  #deadline: Disposable | undefined;

  readonly onDidPauseTimeouts = this.#pauses.event;
  readonly onMessage: Transport['onMessage'];
  readonly onDidDropAnswer: Transport['onDidDropAnswer'];
  readonly onDidClose: Transport['onDidClose'] = (listener) =>
    this.#inner.onDidClose((reason) => listener(explained(reason)));
  readonly onLog: Transport['onLog'];
  readonly send: Transport['send'];
  #release = (): void => {};
  readonly #released = new Promise<void>((resolve) => (this.#release = resolve));
  readonly unfinishedOutput: () => string;

  constructor(inner: Transport, ports: DebugPorts) {
    this.#inner = inner;
    this.#ports = ports;
    this.onMessage = inner.onMessage;
    this.onDidDropAnswer = inner.onDidDropAnswer;
    this.onLog = inner.onLog;
    this.send = async (...sent) => {
      await this.#released;
      return inner.send(...sent);
    };
    this.unfinishedOutput = () => inner.unfinishedOutput?.() ?? '';
    inner.onDidClose(() => {
      this.#close();
      this.#store.dispose();
    });
  }

  async start(signal: Parameters<Transport['start']>[0]): Promise<void> {
    await this.#inner.start(signal);
    void this.#attach();
  }

  async dispose(): Promise<void> {
    this.#close();
    await this.#inner.dispose();
  }

  /** The process goes on without a debugger. */
  detach(): void {
    this.#close();
  }

  async #attach(): Promise<void> {
    const { port, clock, attach } = this.#ports;
    this.#wait(heldMs, this.#release);
    const answered = this.#inner.onMessage(() => {
      answered.dispose();
      this.#deadline?.dispose();
      this.#wait(unreachedMs, () => this.#ended('unreached'));
    });
    const held = await reachPort(port, clock, this.#closed.signal);
    answered.dispose();
    this.#deadline?.dispose();
    if (held === undefined) return;
    const leave = (): void => {
      held.destroy();
      this.#pauses.fire(false);
    };
    // Until the end of the debugger or of the process.
    this.#store.add({ dispose: () => held.destroy() });
    this.#pauses.fire(true);
    const isTaken = !(await isOwnPort(port));
    const attachment = isTaken || this.#closed.signal.aborted ? undefined : await attach().catch(() => undefined);
    this.#release();
    if (attachment === undefined || this.#closed.signal.aborted) {
      leave();
      this.#ended(isTaken ? 'taken' : 'unattached');
      return attachment?.end();
    }
    this.#attachment = attachment;
    attachment.onDidEnd(() => {
      this.#attachment = undefined;
      leave();
      // It ends with its process too, which may be noticed later: then the next start has a debugger again.
      this.#wait(noticedMs, () => this.#ended('detached'));
    });
  }

  #wait(milliseconds: number, then: () => void): void {
    if (!this.#closed.signal.aborted)
      this.#deadline = this.#ports.clock.after(milliseconds, then, { isBackground: true });
  }

  #ended(why: Parameters<DebugPorts['ended']>[0]): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.#ports.ended(why);
  }

  /** Before the process: one that is paused would not end by itself. */
  #close(): void {
    this.#closed.abort();
    this.#release();
    this.#deadline?.dispose();
    const attachment = this.#attachment;
    this.#attachment = undefined;
    void attachment?.end();
  }
}

/** The program of a server says it in its own words, and in those of a script of Patchbay. */
function explained(reason: CloseReason): CloseReason {
  if (reason.kind !== 'exited' || !/No module named '?debugpy\b/.test(reason.lastOutput)) return reason;
  const message =
    'The server cannot be debugged: its Python has no debugpy. Install it there with “python -m pip install debugpy”, or install the extension “Python Debugger”.';
  return { kind: 'failed', error: new PatchbayError('crashed', message) };
}
