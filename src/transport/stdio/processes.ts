import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** One living process; zombies are not listed. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Tells two processes with the same id apart; comparable only for equality. */
  readonly startedAt: string;
  /** The value of {@link treeVariable} it was started with, where the platform lets us read it (Linux). */
  readonly treeId: string | undefined;
}

/** The processes of this machine, as far as this user may see them. */
export interface ProcessTable {
  /** A list made after the call. Never rejects: what cannot be read is missing. */
  list(): Promise<readonly ProcessEntry[]>;
  /** One process, as it is now; `undefined` where it has ended or cannot be seen. */
  find(pid: number): Promise<ProcessEntry | undefined>;
}

/**
 * Given to every server and inherited by all it starts, so that they are found even after their parent is gone and they
 * lead a session of their own.
 */
export const treeVariable = 'PATCHBAY_PROCESS_TREE';

/** Share one table between transports: callers that come while a scan runs share the next one. */
export function createProcessTable(platform: NodeJS.Platform): ProcessTable {
  const scan = platform === 'linux' ? scanProc : platform === 'win32' ? async () => [] : scanPs;
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<readonly ProcessEntry[]> | undefined;

  function list(): Promise<readonly ProcessEntry[]> {
    next ??= running.then(() => {
      const result = scan();
      running = result;
      next = undefined;
      return result;
    });
    return next;
  }

  return {
    list,
    find: async (pid) =>
      platform === 'linux' ? readProcEntry(String(pid)) : (await list()).find((entry) => entry.pid === pid),
  };
}

async function scanProc(): Promise<readonly ProcessEntry[]> {
  const names = await readdir('/proc').catch(() => []);
  const entries = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readProcEntry));
  return entries.filter((entry) => entry !== undefined);
}

async function readProcEntry(pid: string): Promise<ProcessEntry | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'latin1');
    // A process of another user keeps its environment to itself.
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    return parseProcEntry(status, environment);
  } catch {
    // It ended between the listing and the reading.
    return undefined;
  }
}

/**
 * @param status content of `/proc/<pid>/stat` (proc(5)); the name in parentheses may itself hold spaces and parentheses
 * @param environment content of `/proc/<pid>/environ`
 */
export function parseProcEntry(status: string, environment: string): ProcessEntry | undefined {
  const [state, parent, group, ...others] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || 'ZX'.includes(state)) return undefined;
  const [, treeId] = new RegExp(`(?:^|\0)${treeVariable}=([^\0]*)`).exec(environment) ?? [];
  return {
    pid: Number.parseInt(status, 10),
    parent: Number(parent),
    group: Number(group),
    // Field 22, of which the first five are taken already.
    startedAt: others[16] ?? '',
    treeId,
  };
}

async function scanPs(): Promise<readonly ProcessEntry[]> {
  try {
    const columns = 'pid=,ppid=,pgid=,state=,lstart=';
    const { stdout } = await promisify(execFile)('/bin/ps', ['-A', '-o', columns], { env: { LC_ALL: 'C' } });
    return stdout.split('\n').flatMap(parsePsLine);
  } catch {
    // Without a list the process group still gets its signals.
    return [];
  }
}

/** @returns one entry, or none for a zombie or a line that is not one of ps's */
export function parsePsLine(line: string): readonly ProcessEntry[] {
  const [, pid, parent, group, state, startedAt] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*?)\s*$/.exec(line) ?? [];
  if (state === undefined || startedAt === undefined || state.startsWith('Z')) return [];
  return [{ pid: Number(pid), parent: Number(parent), group: Number(group), startedAt, treeId: undefined }];
}
