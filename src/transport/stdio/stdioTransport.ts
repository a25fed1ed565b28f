import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { type CancelSignal, type LinkedAbort, linkAbort, raceAbort, waitAtMost } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import { limits, type MessageLimits } from '../../base/limits.ts';
import type { OutgoingMessage } from '../../protocol/jsonRpc.ts';
import type { DroppedAnswer } from '../../protocol/messageChannel.ts';
import { BaseTransport, notSentError } from '../baseTransport.ts';
import type { CloseReason } from '../transport.ts';
import { type ControlGroup, type CreateControlGroup, createControlGroups } from './controlGroup.ts';
import type { EnvironmentVariables } from './environment.ts';
import { OutputTail, readInTurns, StdoutReader, TextLines } from './outputReaders.ts';
import type { ProcessLedger } from './processLedger.ts';
import { PosixTree, createWindowsTree, type ProcessTree, shutDown } from './processTree.ts';
import { createProcessTable, type ProcessTable } from './processes.ts';
import { prepareLaunch, type Spawn, startProcess, type StdioCommand, systemRootOf } from './startProcess.ts';

export interface StdioPorts {
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** The environment whose safe part servers inherit, see `createLoginEnvironment`. */
  readonly environment: () => Promise<EnvironmentVariables>;
  /** Share one between all transports, so that stopping many servers lists the processes once. */
  readonly processes?: Pick<ProcessTable, 'list'>;
  /** Used on Linux. Share one between all transports too. */
  readonly controlGroups?: CreateControlGroup;
  /** Records running servers, in case this process is killed. */
  readonly ledger?: Pick<ProcessLedger, 'record' | 'forget'> | undefined;
  readonly spawn?: Spawn;
  /** Resolves when a process may be started; default: at once. */
  readonly turn?: () => Promise<void>;
  /** Milliseconds for each step of a shutdown; default: 2000. */
  readonly graceMs?: number;
  /** A message that exceeds them is skipped. */
  readonly limits?: MessageLimits | undefined;
}

const defaultGraceMs = 2_000;
const maximumLastOutput = 2_000;

interface Running {
  readonly treeId: string;
  readonly group: ControlGroup | undefined;
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  readonly systemRoot: string;
  readonly exited: Promise<void>;
  /** Resolves when its output was read. */
  readonly outputRead: Promise<unknown>;
}

/**
 * Runs a server as a child process and uses its standard streams (2025-11-25, Basic / Transports,
 * "stdio").
 *
 * When the process exits, `onDidClose` fires after its output was read, while its descendants are being stopped;
 * `dispose()` resolves when none is left. If `start` rejects, `onDidClose` fires only after `dispose()`. If this process is
 * killed, the servers see the end of their input.
 */
export class StdioTransport extends BaseTransport {
  readonly #command: StdioCommand;
  readonly #ports: StdioPorts;
  readonly #processes: Pick<ProcessTable, 'list'>;
  readonly #controlGroups: CreateControlGroup;
  readonly #graceMs: number;
  readonly #dropped = this.createEmitter<DroppedAnswer>();
  readonly #stderrTail = new OutputTail(maximumLastOutput);
  readonly #noiseTail = new OutputTail(maximumLastOutput);
  #running: Running | undefined;
  /** The start while it is in progress, and what ends it. */
  #starting: { readonly done: Promise<void>; readonly ending: LinkedAbort } | undefined;
  #shutdown: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #drain: Promise<void> | undefined;
  #isCorking = false;
  #isDisposed = false;
  /** Why the transport stopped the process on its own. */
  #fault: PatchbayError | undefined;
  #wasSignalled = false;

  constructor(command: StdioCommand, ports: StdioPorts) {
    super();
    this.#command = command;
    this.#ports = ports;
    this.#processes = ports.processes ?? createProcessTable(ports.platform);
    this.#controlGroups = ports.controlGroups ?? createControlGroups();
    this.#graceMs = ports.graceMs ?? defaultGraceMs;
  }

  get onDidDropAnswer(): Event<DroppedAnswer> {
    return this.#dropped.event;
  }

  async start(signal: CancelSignal): Promise<void> {
    this.begin();
    const ending = linkAbort(signal);
    const done = this.#start(ending.signal).finally(() => {
      ending.dispose();
      this.#starting = undefined;
    });
    this.#starting = { done, ending };
    return done;
  }

  send(message: OutgoingMessage): Promise<void> {
    const stdin = this.phase === 'open' ? this.#running?.child.stdin : undefined;
    if (stdin === undefined || !stdin.writable) return Promise.reject(this.#notSent());
    this.#corkUntilNextTick(stdin);
    if (stdin.write(`${JSON.stringify(message)}\n`)) return Promise.resolve();
    this.#drain ??= this.#nextDrain(stdin);
    return this.#drain;
  }

  /**
   * Messages that follow another in the same turn are written with one system call, which is the main cost of a small
   * message. A single message is not delayed.
   */
  #corkUntilNextTick(stdin: ChildProcessWithoutNullStreams['stdin']): void {
    if (this.#isCorking) {
      if (stdin.writableCorked === 0) stdin.cork();
      return;
    }
    this.#isCorking = true;
    process.nextTick(() => {
      this.#isCorking = false;
      stdin.uncork();
    });
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#starting?.ending.abort(new PatchbayError('disposed', 'The server was stopped while it was starting.'));
    // `start` has reported its failure.
    await this.#starting?.done.catch(() => {});
    if (this.#running !== undefined) await this.#shutDown(this.#running);
    if (this.#closing !== undefined) await waitAtMost(this.#closing, this.#ports.clock, this.#graceMs);
    this.finish({ kind: 'requested' });
  }

  async #start(signal: CancelSignal): Promise<void> {
    signal.throwIfAborted();
    const { platform, spawn, environment } = this.#ports;
    const treeId = crypto.randomUUID();
    const inherited = await raceAbort(environment(), signal);
    // Created while the program is searched for, so that the process can be added as soon as it runs.
    const grouping = platform === 'linux' ? this.#controlGroups(treeId) : undefined;
    let group: ControlGroup | undefined;
    let child: ChildProcessWithoutNullStreams;
    try {
      const launch = await prepareLaunch(this.#command, { platform, inherited, treeId });
      group = await grouping;
      await this.#ports.turn?.();
      signal.throwIfAborted();
      child = await startProcess(launch, spawn);
    } catch (error) {
      await (await grouping)?.remove();
      throw error;
    }
    const running = this.#attach(child, { treeId, group, systemRoot: systemRootOf(inherited) });
    if (signal.aborted) {
      await this.#shutDown(running);
      throw signal.reason;
    }
    this.phase = 'open';
    this.#closing = running.exited.then(() => this.#closeAfterExit(running));
  }

  #attach(
    child: ChildProcessWithoutNullStreams,
    { treeId, group, systemRoot }: Pick<Running, 'treeId' | 'group' | 'systemRoot'>,
  ): Running {
    const { pid } = child;
    // For `kill`, zero or nothing would mean the group of this process.
    if (!pid)
      throw new PatchbayError('spawnFailed', 'The server could not be started: the system gave it no process id.');
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const running: Running = { child, pid, exited, outputRead: this.#readOutput(child), treeId, group, systemRoot };
    this.#running = running;
    this.#register(running);
    child.stdout.on('close', () => this.#stopBroken(running, 'The server closed its output.'));
    child.on('error', (error) => this.note(`The process reported a problem: ${messageOf(error)}`));
    child.stdin.on('error', (error) => this.#stopBroken(running, `The server closed its input (${messageOf(error)}).`));
    return running;
  }

  /** Adds the process to its cgroup and to the record. Does not wait, to keep the start fast. */
  #register({ group, treeId, pid }: Running): void {
    const { label = this.#command.command, command } = this.#command;
    const note = (error: unknown): void => this.note(`The process was not put on record: ${messageOf(error)}`);
    // Fails if it has already ended.
    group?.add(pid).catch(() => {});
    this.#ports.ledger?.record({ label, command, pid, treeId, controlGroup: group?.path }).catch(note);
  }

  /** @returns resolves when both streams have ended and were read */
  #readOutput({ stdout, stderr }: ChildProcessWithoutNullStreams): Promise<unknown> {
    const messages = new StdoutReader(
      {
        message: (value) => this.receive(value),
        dropped: (answer) => this.#dropped.fire(answer),
        noise: (text) => {
          this.#noiseTail.add(text);
          this.log({ source: 'noise', text });
        },
        note: (text) => this.note(text),
      },
      this.#ports.limits ?? limits.message,
    );
    // A line on stderr does not mean that there is an error (2025-11-25, Basic / Transports, "stdio").
    const lines = new TextLines((text) => {
      this.#stderrTail.add(text);
      this.log({ source: 'stderr', text });
    });
    for (const stream of [stdout, stderr]) {
      stream.on('error', (error) => this.note(`Reading from the server failed: ${messageOf(error)}`));
    }
    return Promise.all([readInTurns(stdout, messages), readInTurns(stderr, lines)]);
  }

  /** The server closed a stream: gives it time to exit, then stops it. */
  #stopBroken(running: Running, problem: string): void {
    this.#fault ??= new PatchbayError('connectionClosed', `${problem} It did not exit and was stopped.`);
    void this.#shutDown(running);
  }

  #shutDown(running: Running): Promise<void> {
    this.#shutdown ??= this.#stopProcesses(running);
    return this.#shutdown;
  }

  async #stopProcesses(running: Running): Promise<void> {
    const remaining = await shutDown(
      {
        tree: this.#treeOf(running),
        exited: running.exited,
        closeInput: () => running.child.stdin.end(),
        onSignal: (signal, pids) => {
          this.#wasSignalled = true;
          this.note(`Sending ${signal} to ${pids.length === 1 ? 'process' : 'processes'} ${pids.join(', ')}.`);
        },
      },
      this.#ports.clock,
      this.#graceMs,
    );
    if (remaining.length === 0) {
      await running.group?.remove();
      await this.#ports.ledger?.forget(running.treeId);
      return;
    }
    this.note(`These processes could not be ended: ${remaining.join(', ')}.`);
    // The process may never exit, so do not wait for it.
    this.finish(this.#reason(running.child, true));
  }

  #treeOf({ child, pid, treeId, group, systemRoot }: Running): ProcessTree {
    const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
    const kill = (target: number, signal: NodeJS.Signals): boolean => process.kill(target, signal);
    return this.#ports.platform === 'win32'
      ? createWindowsTree(pid, isAlive, systemRoot)
      : new PosixTree({ leader: pid, treeId }, group, this.#processes, kill);
  }

  async #closeAfterExit(running: Running): Promise<void> {
    const wasSignalled = this.#wasSignalled;
    const shutdown = this.#shutDown(running);
    // After `dispose()`, close when no process is left; otherwise as soon as the output was read.
    if (this.#isDisposed) await shutdown;
    // A descendant may keep the output open.
    await waitAtMost(running.outputRead, this.#ports.clock, this.#graceMs);
    this.finish(this.#reason(running.child, wasSignalled));
    running.child.stdout.destroy();
    running.child.stderr.destroy();
  }

  #reason(child: ChildProcessWithoutNullStreams, wasSignalled: boolean): CloseReason {
    if (this.#isDisposed) return { kind: 'requested' };
    if (wasSignalled && this.#fault !== undefined) return { kind: 'failed', error: this.#fault };
    const lastOutput = this.#stderrTail.text || this.#noiseTail.text;
    return { kind: 'exited', code: child.exitCode, signal: child.signalCode, lastOutput };
  }

  #nextDrain(stdin: ChildProcessWithoutNullStreams['stdin']): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        stdin.off('drain', settle).off('close', settle);
        this.#drain = undefined;
        if (stdin.destroyed) reject(this.#notSent());
        else resolve();
      };
      // The stream always closes when the process ends.
      stdin.on('drain', settle).on('close', settle);
    });
  }

  #notSent(): PatchbayError {
    const isEarly = this.phase === 'new' || this.phase === 'starting';
    const problem = isEarly ? 'has not started' : 'has ended or reads no more';
    return notSentError(`the server ${problem}`);
  }
}

/** Returns a function that creates stdio transports, which share what is read of the system: fifty servers read it once. */
export function createStdioTransports({
  clock,
  platform,
  environment,
  ledger,
}: Pick<StdioPorts, 'clock' | 'platform' | 'environment' | 'ledger'>): (
  command: StdioCommand,
  limits: MessageLimits,
) => StdioTransport {
  const shared = { processes: createProcessTable(platform), controlGroups: createControlGroups(), turn: createTurns() };
  return (command, own) =>
    new StdioTransport(command, { clock, platform, environment, ledger, ...shared, limits: own });
}

/** Starting a process takes the event loop 2 to 15 ms: one of many in each turn. */
function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => new Promise((resolve) => setImmediate(resolve))));
}
