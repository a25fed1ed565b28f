import { mkdir, readFile, realpath, rmdir, statfs, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { memoizeAsync } from '../../base/sharedPromise.ts';

const namePrefix = 'patchbay-';

/** Creates a group for a server. `treeId` becomes part of its name; `undefined` where that is not possible. */
export type CreateControlGroup = (treeId: string) => Promise<ControlGroup | undefined>;

/**
 * Returns a function that creates groups below that of this process. It resolves with `undefined` where the system has no
 * cgroups, or the user may not create one. Share it: this process's own group is looked up once.
 */
export function createControlGroups(): CreateControlGroup {
  const findOwn = memoizeAsync(async () =>
    ownGroupPath(await readFile('/proc/self/cgroup', 'utf8'), await readFile('/proc/self/mountinfo', 'utf8')),
  );
  return async (treeId) => {
    try {
      const own = await findOwn();
      if (own === undefined) return undefined;
      const path = join(own, `${namePrefix}${treeId}`);
      await mkdir(path);
      return new ControlGroup(path);
    } catch {
      // Not allowed in most SSH sessions and containers: then only the other marks identify the tree.
      return undefined;
    }
  };
}

/** The type of the file system of cgroups of version 2 (statfs(2)). */
const controlGroupFiles = 0x63677270;

/**
 * Opens the existing group of a tree by its {@link ControlGroup.path}.
 * @param path as a file says it, which anything may have written
 * @returns `undefined` for what is not that group: another name, another file system, a symbolic link, or nothing
 */
export async function openControlGroup(path: string, treeId: string): Promise<ControlGroup | undefined> {
  if (basename(path) !== `${namePrefix}${treeId}`) return undefined;
  try {
    const isGroup = (await realpath(path)) === path && (await statfs(path)).type === controlGroupFiles;
    return isGroup ? new ControlGroup(path) : undefined;
  } catch {
    // It was removed.
    return undefined;
  }
}

/**
 * A Linux cgroup (cgroups(7), version 2) with one server and all processes it starts. The kernel maintains it, so a process
 * cannot leave it by a new session, a cleared environment or the end of its parent.
 */
export class ControlGroup {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Moves a process into the group; processes that it starts later are members too. */
  add(pid: number): Promise<void> {
    return writeFile(this.#members, String(pid));
  }

  /** Ids of its processes. Never rejects: a removed group is empty. */
  async pids(): Promise<readonly number[]> {
    const text = await readFile(this.#members, 'utf8').catch(() => '');
    return text.split('\n').filter(Boolean).map(Number);
  }

  /** Removes the group. It cannot be removed while it contains a zombie: then the next cleanup removes it. */
  remove(): Promise<void> {
    return rmdir(this.path).catch(() => {});
  }

  get #members(): string {
    return join(this.path, 'cgroup.procs');
  }
}

/** @param membership content of `/proc/self/cgroup`. @param mounts content of `/proc/self/mountinfo` (proc(5)) */
export function ownGroupPath(membership: string, mounts: string): string | undefined {
  const own = /^0::(\/.*)$/m.exec(membership)?.[1];
  const [, root, mountPoint] = /^\S+ \S+ \S+ (\S+) (\S+) .* - cgroup2 /m.exec(mounts) ?? [];
  // A path with `..` is outside of the container's view.
  if (own === undefined || root === undefined || mountPoint === undefined || own.includes('/..')) return undefined;
  const isBelow = root === '/' || own === root || own.startsWith(`${root}/`);
  return isBelow ? join(mountPoint, root === '/' ? own : own.slice(root.length)) : undefined;
}
