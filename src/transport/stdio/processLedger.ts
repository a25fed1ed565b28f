import { constants } from 'node:fs';
import { chmod, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { isOptional, isRecord, isString, parseJson } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { type ControlGroup, openControlGroup } from './controlGroup.ts';
import type { ProcessEntry, ProcessTable } from './processes.ts';
import { ListedTree, findMembers, identify, shutDown, type TreeMarks } from './processTree.ts';

/** A server's process, recorded when it starts. Contains no secrets. */
export interface StartedProcess {
  /** The server's name for the user. */
  readonly label: string;
  /** The program for the user; without arguments, which may be secret. */
  readonly command: string;
  readonly pid: number;
  /** Marks its process tree, see `treeVariable`. */
  readonly treeId: string;
  readonly controlGroup: string | undefined;
}

/** A server that still runs after its host was killed. */
export interface LeftoverServer {
  readonly label: string;
  readonly command: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly pids: readonly number[];
  /** Sends SIGTERM, then SIGKILL. @returns ids of the processes that could not be ended */
  end(): Promise<readonly number[]>;
}

export interface ProcessLedgerOptions {
  /** Absolute; created at first use. Contains one file for each server. */
  readonly folder: string;
  readonly processes: ProcessTable;
  readonly clock: Clock;
  readonly pid: number;
  readonly kill: (pid: number, signal: NodeJS.Signals) => void;
}

interface LedgerEntry extends StartedProcess {
  /** Identities of the server and its host: `pid@start`, unique even if a process id is reused. */
  readonly identity: string;
  readonly host: string;
  readonly startedAt: number;
}

/** Milliseconds for a server to end after SIGTERM. */
const graceMs = 2_000;

/**
 * A record on disk of the running servers, shared by all windows. A host that exits normally ends its servers and removes
 * their entries. After a host was killed, the next host finds its servers by their entries.
 */
export class ProcessLedger {
  readonly #options: ProcessLedgerOptions;
  /** Trees that have not ended. */
  readonly #running = new Set<string>();
  #host: Promise<string> | undefined;

  constructor(options: ProcessLedgerOptions) {
    this.#options = options;
  }

  /** Adds an entry, unless its tree is forgotten meanwhile. Rejects when it cannot be written; the process is not affected. */
  async record(started: StartedProcess): Promise<void> {
    const { treeId } = started;
    this.#running.add(treeId);
    // On Windows, the list of processes can take many seconds.
    const entry = await this.#entryOf(started);
    if (!this.#running.has(treeId)) return;
    await this.#write(entry);
    if (!this.#running.has(treeId)) await this.forget(treeId);
  }

  /** Removes the entry of a process tree that has ended. Never rejects. */
  async forget(treeId: string): Promise<void> {
    this.#running.delete(treeId);
    // If the file stays, the next `leftovers` removes it.
    await rm(this.#fileOf(treeId), { force: true }).catch(() => {});
  }

  /**
   * The servers whose hosts have ended. Entries without processes are removed. An entry alone makes no process a leftover: its
   * environment, or the control group it is in, has to name the tree too, where the system shows that.
   */
  async leftovers(): Promise<readonly LeftoverServer[]> {
    const entries = await readEntries(this.#options.folder);
    if (entries.length === 0) return [];
    const alive = await this.#options.processes.list();
    // It lists at least this process: without a list nothing is known.
    if (alive.length === 0) return [];
    const identities = new Set(alive.map(identify));
    const orphaned = entries.filter(({ host }) => !identities.has(host));
    const found = await Promise.all(orphaned.map((entry) => this.#find(entry, alive)));
    return found.filter((leftover) => leftover !== undefined);
  }

  async #entryOf(started: StartedProcess): Promise<LedgerEntry> {
    const { clock, pid } = this.#options;
    const startedAt = clock.now();
    this.#host ??= this.#identityOf(pid);
    const identity = await this.#identityOf(started.pid);
    return { ...started, startedAt, identity, host: await this.#host };
  }

  async #write(entry: LedgerEntry): Promise<void> {
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // It may be there already, with the permissions of an older version.
    await chmod(folder, 0o700);
    await writeFile(this.#fileOf(entry.treeId), JSON.stringify(entry), { mode: 0o600, flag: 'wx' });
  }

  async #find(entry: LedgerEntry, alive: readonly ProcessEntry[]): Promise<LeftoverServer | undefined> {
    const { label, command, startedAt, treeId, identity, controlGroup } = entry;
    const group = controlGroup === undefined ? undefined : await openControlGroup(controlGroup, treeId);
    const controlled = await group?.pids();
    const { isBlind, keepsParents } = this.#options.processes;
    const isServer = (one: ProcessEntry): boolean =>
      identify(one) === identity && (isBlind || one.treeId === treeId || controlled?.includes(one.pid) === true);
    // A reused process id must not be taken for the process group.
    const leader = alive.find(isServer)?.pid;
    const known = new Set(leader === undefined ? [] : [identity]);
    const marks: TreeMarks = { leader, treeId, known, ...(keepsParents && { orphansOf: identity }) };
    const pids = findMembers(alive, marks, controlled).map(({ pid }) => pid);
    if (pids.length > 0) return { label, command, startedAt, pids, end: () => this.#end(marks, group) };
    await group?.remove();
    await this.forget(treeId);
    return undefined;
  }

  async #end(marks: TreeMarks, group: ControlGroup | undefined): Promise<readonly number[]> {
    const { processes, clock, kill } = this.#options;
    const tree = new ListedTree(marks, group, processes, kill);
    // Its input was closed when its host ended.
    const remaining = await shutDown({ tree }, clock, graceMs);
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

/** The random id of a tree. It leads nowhere else. */
const fileName = /^[\w-]{1,64}\.json$/;

/** Invalid and foreign files are ignored. */
async function readEntries(folder: string): Promise<readonly LedgerEntry[]> {
  const names = await readdir(folder).catch(() => []);
  const found = names.filter((name) => fileName.test(name)).slice(0, limits.ledger.entries);
  const entries = found.map(async (name) =>
    readEntry(name.slice(0, -'.json'.length), await readPlainFile(join(folder, name)).catch(() => '')),
  );
  return (await Promise.all(entries)).filter((entry) => entry !== undefined);
}

/** Reads an ordinary file alone: opening a named pipe waits for a writer, and a link leads elsewhere. */
async function readPlainFile(path: string): Promise<string> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > limits.ledger.bytes) return '';
    const { buffer, bytesRead } = await file.read(Buffer.alloc(stats.size), 0, stats.size, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** @param id by which the file is named */
function readEntry(id: string, text: string): LedgerEntry | undefined {
  const value = parseJson(text);
  // Incomplete: the host was killed while writing.
  if (!isRecord(value)) return undefined;
  const { label, command, treeId, identity, host, controlGroup, pid } = value;
  const areTexts = [label, command, identity, host].every(isString) && isOptional(controlGroup, isString);
  const isNamed = treeId === id && Number.isSafeInteger(value['startedAt']);
  // An empty identity would identify no process, or any.
  const isProcess = Number.isSafeInteger(pid) && Number(pid) > 1 && String(identity).startsWith(`${Number(pid)}@`);
  return areTexts && isNamed && isProcess && host !== '' ? (value as unknown as LedgerEntry) : undefined;
}
