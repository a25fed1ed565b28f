import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { type CancelSignal, type LinkedAbort, linkAbort, raceAbort, waitAtMost } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import type { MessageLimits } from '../../base/limits.ts';
import type { OutgoingMessage } from '../../protocol/jsonRpc.ts';
import { type DroppedAnswer, type SendHints, wasSent } from '../../protocol/messageChannel.ts';
import { BaseTransport, notSentError } from '../baseTransport.ts';
import type { CloseReason, Transport } from '../transport.ts';
import { type ControlGroup, type CreateControlGroup, createControlGroups } from './controlGroup.ts';
import { type EnvironmentVariables, systemRootOf } from './environment.ts';
import { createStdoutReader, OutputTail, readInTurns, TextLines } from './outputReaders.ts';
import { startError } from './findCommand.ts';
import type { ProcessLedger } from './processLedger.ts';
import { ListedTree, createWindowsTree, type ProcessTree, shutDown, type StopSignal } from './processTree.ts';
import { createProcessTable, type ProcessTable } from './processes.ts';
import { prepareLaunch, type Spawn, startProcess, type StdioCommand } from './startProcess.ts';
import { stringifyExactly } from '../../base/exactIntegers.ts';

export interface StdioPorts {
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** The environment whose safe part servers inherit, see `createLoginEnvironment`. */
  readonly environment: () => Promise<EnvironmentVariables>;
  readonly processes: Pick<ProcessTable, 'list'>;
  /** Used on Linux. */
  readonly controlGroups: CreateControlGroup;
  /** Records running servers, in case this process is killed. */
  readonly ledger: Pick<ProcessLedger, 'record' | 'forget'> | undefined;
  readonly spawn: Spawn;
  readonly turn: () => Promise<void>;
  readonly graceMs: number;
}

const maximumLastOutput = 2_000;

interface Running {
  readonly treeId: string;
  readonly group: ControlGroup | undefined;
  readonly child: ChildProcessWithoutNullStreams;
  readonly tree: ProcessTree;
  readonly exited: Promise<void>;
  /** Resolves when both streams have ended and were read. */
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
class StdioTransport extends BaseTransport {
  readonly #command: StdioCommand;
  readonly #ports: StdioPorts;
  readonly #limits: MessageLimits;
  readonly #dropped = this.createEmitter<DroppedAnswer>();
  readonly onDidDropAnswer: Event<DroppedAnswer> = this.#dropped.event;
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
  unfinishedOutput: NonNullable<Transport['unfinishedOutput']> = () => '';

  /** @param messageLimits a message that exceeds them is skipped */
  constructor(command: StdioCommand, ports: StdioPorts, messageLimits: MessageLimits) {
    super();
    this.#command = command;
    this.#ports = ports;
    this.#limits = messageLimits;
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

  send(message: OutgoingMessage, hints?: SendHints): Promise<void> {
    const stdin = this.phase === 'open' ? this.#running?.child.stdin : undefined;
    if (stdin === undefined || !stdin.writable) return Promise.reject(this.#notSent());
    this.#corkUntilNextTick(stdin);
    if (stdin.write(`${hints?.text ?? stringifyExactly(message)}\n`)) return wasSent;
    return (this.#drain ??= this.#nextDrain(stdin));
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
    if (this.#closing !== undefined) await waitAtMost(this.#closing, this.#ports.clock, this.#ports.graceMs);
    this.finish({ kind: 'requested' });
  }

  async #start(signal: CancelSignal): Promise<void> {
    signal.throwIfAborted();
    const { platform, environment, controlGroups } = this.#ports;
    const treeId = crypto.randomUUID();
    const inherited = await raceAbort(environment(), signal);
    // Created while the program is searched for, so that the process can be added as soon as it runs.
    const grouping = platform === 'linux' ? controlGroups(treeId) : undefined;
    let group: ControlGroup | undefined;
    let child: ChildProcessWithoutNullStreams;
    try {
      const launch = await prepareLaunch(this.#command, inherited, treeId, platform);
      group = await grouping;
      await this.#ports.turn();
      signal.throwIfAborted();
      child = await startProcess(launch, this.#ports.spawn);
    } catch (error) {
      await (await grouping)?.remove();
      throw error;
    }
    const running = this.#attach(child, treeId, group, systemRootOf(inherited));
    if (signal.aborted) {
      await this.#shutDown(running);
      throw signal.reason;
    }
    this.phase = 'open';
    this.#closing = running.exited.then(() => this.#closeAfterExit(running));
  }

  #attach(
    child: ChildProcessWithoutNullStreams,
    treeId: string,
    group: ControlGroup | undefined,
    systemRoot: string,
  ): Running {
    const { pid } = child;
    // For `kill`, zero or nothing would mean the group of this process.
    if (!pid) throw startError('the system gave it no process id.');
    const { platform, processes, ledger } = this.#ports;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
    const kill = (target: number, signal: NodeJS.Signals): boolean => process.kill(target, signal);
    const tree =
      platform === 'win32'
        ? createWindowsTree(pid, isAlive, systemRoot, () => void child.kill('SIGKILL'))
        : new ListedTree({ leader: pid, treeId }, group, processes, kill);
    const running: Running = { child, tree, exited, outputRead: this.#readOutput(child), treeId, group };
    this.#running = running;
    // Neither is waited for, to keep the start fast. The first fails if the process has already ended.
    group?.add(pid).catch(() => {});
    const { label = this.#command.command, command } = this.#command;
    const record = ledger?.record({ label, command, pid, treeId, controlGroup: group?.path });
    record?.catch((error: unknown) => this.note(`The process was not put on record: ${messageOf(error)}`));
    child.stdout.on('close', () => this.#stopBroken(running, 'The server closed its output.'));
    child.on('error', (error) => this.note(`The process reported a problem: ${messageOf(error)}`));
    child.stdin.on('error', (error) => this.#stopBroken(running, `The server closed its input (${messageOf(error)}).`));
    return running;
  }

  #readOutput({ stdout, stderr }: ChildProcessWithoutNullStreams): Promise<unknown> {
    const onDropped = (answer: DroppedAnswer): void => this.#dropped.fire(answer);
    const onNoise = (text: string): void => {
      this.#noiseTail.add(text);
      this.log({ source: 'noise', text });
    };
    const messages = createStdoutReader(this, onDropped, onNoise, this.#limits, this.#ports.clock);
    this.unfinishedOutput = () => lines.rest || messages.rest;
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
    return (this.#shutdown ??= this.#stopProcesses(running));
  }

  async #stopProcesses({ tree, exited, child, group, treeId }: Running): Promise<void> {
    const { clock, graceMs, ledger, platform } = this.#ports;
    const closeInput = (): void => void child.stdin.end();
    const onSignal = (signal: StopSignal, pids: readonly number[]): void => {
      this.#wasSignalled = true;
      const processes = `${pids.length === 1 ? 'process' : 'processes'} ${pids.join(', ')}`;
      // Windows has no signals.
      this.note(platform === 'win32' ? `Ending ${processes} and its children.` : `Sending ${signal} to ${processes}.`);
    };
    const remaining = await shutDown({ tree, exited, closeInput, onSignal }, clock, graceMs);
    if (remaining.length === 0) {
      await group?.remove();
      await ledger?.forget(treeId);
      return;
    }
    this.note(`These processes could not be ended: ${remaining.join(', ')}.`);
    // The process may never exit, so do not wait for it.
    this.finish(this.#reason(child, true));
  }

  async #closeAfterExit(running: Running): Promise<void> {
    const wasSignalled = this.#wasSignalled;
    const shutdown = this.#shutDown(running);
    // After `dispose()`, close when no process is left; otherwise as soon as the output was read.
    if (this.#isDisposed) await shutdown;
    // A descendant may keep the output open.
    await waitAtMost(running.outputRead, this.#ports.clock, this.#ports.graceMs);
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
export function createStdioTransports(
  given: Pick<StdioPorts, 'clock' | 'platform' | 'environment'> & Partial<StdioPorts>,
): (command: StdioCommand, limits: MessageLimits) => StdioTransport {
  const ports: StdioPorts = {
    processes: createProcessTable(given.platform),
    controlGroups: createControlGroups(),
    turn: createTurns(),
    spawn,
    graceMs: 2_000,
    ledger: undefined,
    ...given,
  };
  return (command, limits) => new StdioTransport(command, ports, limits);
}

/** Starting a process takes the event loop 2 to 15 ms: one of many in each turn. */
function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => new Promise((resolve) => setImmediate(resolve))));
}
