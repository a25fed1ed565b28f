import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { isOptional, isRecord, isString } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { type ControlGroup, openControlGroup } from './controlGroup.ts';
import type { ProcessEntry, ProcessTable } from './processes.ts';
import { createPosixTree, findMembers, identify, type TreeMarks } from './processTree.ts';
import { shutDown } from './shutdownLadder.ts';

/** A server's process, as it is written down when it starts. Holds nothing secret. */
export interface StartedProcess {
  /** The server's name, for people. */
  readonly label: string;
  /** The program, for people; its arguments may be secret. */
  readonly command: string;
  readonly pid: number;
  /** Marks all it starts, see `treeVariable`. */
  readonly treeId: string;
  /** Path of its control group, where it has one. */
  readonly controlGroup: string | undefined;
}

/** What a host that was killed left running. */
export interface LeftoverServer {
  readonly label: string;
  readonly command: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly pids: readonly number[];
  /** SIGTERM, then SIGKILL. @returns ids of the processes that could not be ended */
  end(): Promise<readonly number[]>;
}

/**
 * A record, outside of this process, of the servers it runs. A host that ends properly ends its servers and takes them off
 * the record; what is on it after a host was killed may still run, and is found by the next one. All windows share it.
 */
export interface ProcessLedger {
  /** Rejects when it cannot be written; the process itself is not affected. */
  record(process: StartedProcess): Promise<void>;
  /** Nothing of this tree is left. */
  forget(treeId: string): Promise<void>;
  /** Servers of hosts that are gone. Entries of which nothing is left are taken off. */
  leftovers(): Promise<readonly LeftoverServer[]>;
}

export interface ProcessLedgerOptions {
  /** Absolute; made when first needed. One file for each server in it. */
  readonly folder: string;
  readonly processes: ProcessTable;
  readonly clock: Clock;
  /** Id of this process. */
  readonly pid: number;
  /** As `process.kill`. */
  readonly kill: (pid: number, signal: NodeJS.Signals) => void;
}

interface LedgerEntry extends StartedProcess {
  /** Of the server and of its host: `pid@start`, which no later process with the same id shares. */
  readonly identity: string;
  readonly host: string;
  readonly startedAt: number;
}

/** For a server to end on SIGTERM. */
const graceMs = 2_000;

export function createProcessLedger(options: ProcessLedgerOptions): ProcessLedger {
  return new Ledger(options);
}

class Ledger implements ProcessLedger {
  readonly #options: ProcessLedgerOptions;
  readonly #writing = new Map<string, Promise<void>>();
  #host: Promise<string> | undefined;

  constructor(options: ProcessLedgerOptions) {
    this.#options = options;
  }

  record(started: StartedProcess): Promise<void> {
    const written = this.#write(started);
    this.#writing.set(started.treeId, written);
    return written;
  }

  async forget(treeId: string): Promise<void> {
    // It may have ended before it was written down.
    await this.#writing.get(treeId)?.catch(() => {});
    this.#writing.delete(treeId);
    // What stays on record though nothing is left of it is taken off at the next look.
    await rm(this.#fileOf(treeId), { force: true }).catch(() => {});
  }

  async leftovers(): Promise<readonly LeftoverServer[]> {
    const entries = await readEntries(this.#options.folder);
    if (entries.length === 0) return [];
    const alive = await this.#options.processes.list();
    const identities = new Set(alive.map(identify));
    const orphaned = entries.filter(({ host }) => !identities.has(host));
    const found = await Promise.all(orphaned.map((entry) => this.#find(entry, alive, identities)));
    return found.filter((leftover) => leftover !== undefined);
  }

  async #write(started: StartedProcess): Promise<void> {
    const { clock, folder, pid } = this.#options;
    const startedAt = clock.now();
    this.#host ??= this.#identityOf(pid);
    const identity = await this.#identityOf(started.pid);
    const entry: LedgerEntry = { ...started, startedAt, identity, host: await this.#host };
    await mkdir(folder, { recursive: true });
    await writeFile(this.#fileOf(started.treeId), JSON.stringify(entry), { mode: 0o600 });
  }

  async #find(
    entry: LedgerEntry,
    alive: readonly ProcessEntry[],
    identities: ReadonlySet<string>,
  ): Promise<LeftoverServer | undefined> {
    const { label, command, startedAt, treeId, identity } = entry;
    const group = entry.controlGroup === undefined ? undefined : openControlGroup(entry.controlGroup);
    const marks: TreeMarks = {
      // An id that another process has by now says nothing about a group of that number.
      leader: identities.has(identity) ? entry.pid : undefined,
      treeId,
      known: new Set([identity]),
    };
    const pids = findMembers(alive, marks, await group?.pids()).map(({ pid }) => pid);
    if (pids.length > 0) return { label, command, startedAt, pids, end: () => this.#end(marks, group) };
    await group?.remove();
    await this.forget(treeId);
    return undefined;
  }

  async #end(marks: TreeMarks, group: ControlGroup | undefined): Promise<readonly number[]> {
    const { processes, clock, kill } = this.#options;
    const tree = createPosixTree(marks, group, processes, kill);
    // Its input has ended with its host.
    const target = { tree, closeInput: () => {}, exited: Promise.resolve(), onSignal: () => {} };
    const remaining = await shutDown(target, clock, graceMs);
    if (remaining.length > 0) return remaining;
    await group?.remove();
    await this.forget(marks.treeId);
    return [];
  }

  async #identityOf(pid: number): Promise<string> {
    const entry = await this.#options.processes.find(pid);
    return entry === undefined ? '' : identify(entry);
  }

  #fileOf(treeId: string): string {
    return join(this.#options.folder, `${treeId}.json`);
  }
}

/** A file that is damaged, or not one of ours, is left alone. */
async function readEntries(folder: string): Promise<readonly LedgerEntry[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.json')).slice(0, limits.ledger.entries);
  const entries = await Promise.all(
    files.map(async (name) => readEntry(await readFile(join(folder, name), 'utf8').catch(() => ''))),
  );
  return entries.filter((entry) => entry !== undefined);
}

function readEntry(text: string): LedgerEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Cut short by the end of its host.
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { label, command, treeId, identity, host, controlGroup } = value;
  const areTexts = [label, command, treeId, identity, host].every(isString) && isOptional(controlGroup, isString);
  const areNumbers = Number.isSafeInteger(value['pid']) && Number.isSafeInteger(value['startedAt']);
  // An empty identity would be that of no process, or of any.
  return areTexts && areNumbers && identity !== '' && host !== '' ? (value as unknown as LedgerEntry) : undefined;
}
