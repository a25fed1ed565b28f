import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemRootOf } from './environment.ts';

/** A running process; zombies are excluded. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** 0 on Windows, which has no groups. */
  readonly group: number;
  /**
   * The start time, in units of its system, which can be compared for equality; on Windows 100 ns, with 20 digits, so that texts have
   * the order of the times. With the id it identifies a process.
   */
  readonly startedAt: string;
  /** The value of {@link treeVariable} in its environment, where that can be read (Linux). */
  readonly treeId: string | undefined;
}

/** The processes of this machine that the user may see. */
export type ProcessTable = ReturnType<typeof createProcessTable>;

/** Set for each server and inherited: it identifies descendants after the end of their parent too. */
export const treeVariable = 'PATCHBAY_PROCESS_TREE';

/** Share one between transports: calls during a scan share the next scan. */
export function createProcessTable(platform: NodeJS.Platform) {
  const scan = platform === 'linux' ? scanProc : platform === 'win32' ? scanWindows : scanPs;
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<readonly ProcessEntry[]> | undefined;

  const list = (): Promise<readonly ProcessEntry[]> =>
    (next ??= running.then(() => {
      const result = scan();
      running = result;
      next = undefined;
      return result;
    }));

  return {
    /** All processes, read after the call. Never rejects: processes that cannot be read are missing. */
    list,
    /** No environment can be read: {@link ProcessEntry.treeId} is always missing. */
    isBlind: platform !== 'linux',
    /** A process keeps the id of a parent that has ended. */
    keepsParents: platform === 'win32',
    /** @returns `undefined` where it has ended or cannot be seen */
    find: async (pid: number): Promise<ProcessEntry | undefined> =>
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
    // The environment of another user's process cannot be read.
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    return parseProcEntry(status, environment);
  } catch {
    // It ended after the listing.
    return undefined;
  }
}

/** Reads `stat` and `environ` of `/proc/<pid>` (proc(5)). @returns `undefined` for a zombie */
export function parseProcEntry(status: string, environment: string): ProcessEntry | undefined {
  // The name before it, in parentheses, may contain parentheses.
  const [state, parent, group, ...others] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || 'ZX'.includes(state)) return undefined;
  const [, treeId] = new RegExp(`(?:^|\0)${treeVariable}=([^\0]*)`).exec(environment) ?? [];
  return {
    pid: Number.parseInt(status, 10),
    parent: Number(parent),
    group: Number(group),
    // Field 22; `others` starts after field 5.
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
    // Without a list, signals still go to the process group.
    return [];
  }
}

/** Reads a line of `ps`. @returns one entry, or none for a zombie or an unknown line */
export function parsePsLine(line: string): readonly ProcessEntry[] {
  const [, pid, parent, group, state, startedAt] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*?)\s*$/.exec(line) ?? [];
  if (state === undefined || startedAt === undefined || state.startsWith('Z')) return [];
  return [{ pid: Number(pid), parent: Number(parent), group: Number(group), startedAt, treeId: undefined }];
}

/** The id, the id of the parent and the start of each process; the first has no start. */
const windowsQuery =
  'Get-CimInstance Win32_Process -Property ProcessId,ParentProcessId,CreationDate | Where-Object CreationDate | ' +
  'ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.CreationDate.ToFileTimeUtc())" }';

async function scanWindows(): Promise<readonly ProcessEntry[]> {
  try {
    const system = join(systemRootOf(process.env), 'System32');
    const powershell = join(system, 'WindowsPowerShell', 'v1.0', 'powershell.exe');
    const args = ['-NoProfile', '-NonInteractive', '-Command', windowsQuery];
    const options = { windowsHide: true, timeout: 20_000, maxBuffer: 10_000_000, cwd: system };
    const { stdout } = await promisify(execFile)(powershell, args, options);
    return parseWindowsList(stdout);
  } catch {
    // Where PowerShell is blocked, servers of a killed window are not found.
    return [];
  }
}

/**
 * Reads the lines of {@link windowsQuery}. Windows keeps the id of a parent that has ended, and gives it to another process: such a
 * process, which started later, is no parent.
 */
export function parseWindowsList(text: string): readonly ProcessEntry[] {
  const rows = [...text.matchAll(/^(\d+) (\d+) (\d+)\s*$/gm)];
  const starts = new Map(rows.map(([, pid = '', , start = '']) => [pid, start.padStart(20, '0')]));
  return rows.map(([, pid = '', parent = '']) => {
    const startedAt = starts.get(pid) ?? '';
    const isReused = (starts.get(parent) ?? '') > startedAt;
    return { pid: Number(pid), parent: isReused ? 0 : Number(parent), group: 0, startedAt, treeId: undefined };
  });
}
