import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A cgroup of Linux (cgroups(7), version 2) that holds one server and all it starts: the kernel keeps it, so neither a new
 * session, nor a cleared environment, nor the end of a parent takes a process out of it.
 */
export interface ControlGroup {
  readonly path: string;
  /** Moves a process into the group; what it starts from then on is in it too. */
  add(pid: number): Promise<void>;
  /** Never rejects: a group that is gone is empty. */
  pids(): Promise<readonly number[]>;
  /** Takes the group away if it is empty. */
  remove(): Promise<void>;
}

const namePrefix = 'patchbay-';

/**
 * Makes a group below the one this process is in.
 * @param treeId becomes part of the group's name
 * @returns `undefined` where the system keeps no such groups, or does not let this user make one
 */
export async function createControlGroup(treeId: string): Promise<ControlGroup | undefined> {
  try {
    const own = ownGroupPath(
      await readFile('/proc/self/cgroup', 'utf8'),
      await readFile('/proc/self/mountinfo', 'utf8'),
    );
    if (own === undefined) return undefined;
    const path = join(own, `${namePrefix}${treeId}`);
    await mkdir(path);
    return openControlGroup(path);
  } catch {
    // Most sessions over SSH and most containers may not: the tree is then found by the other ways alone.
    return undefined;
  }
}

/** A group that was made earlier, by its {@link ControlGroup.path}. */
export function openControlGroup(path: string): ControlGroup {
  const members = join(path, 'cgroup.procs');
  return {
    path,
    add: (pid) => writeFile(members, String(pid)),
    async pids() {
      const text = await readFile(members, 'utf8').catch(() => '');
      return text.split('\n').filter(Boolean).map(Number);
    },
    // It stays while a zombie is in it; whoever cleans up next takes it away.
    remove: () => rmdir(path).catch(() => {}),
  };
}

/**
 * Where the group of this process lies in the file system.
 * @param membership content of `/proc/self/cgroup`
 * @param mounts content of `/proc/self/mountinfo` (proc(5))
 */
export function ownGroupPath(membership: string, mounts: string): string | undefined {
  const own = /^0::(\/.*)$/m.exec(membership)?.[1];
  const [, root, mountPoint] = /^\S+ \S+ \S+ (\S+) (\S+) .* - cgroup2 /m.exec(mounts) ?? [];
  // A path with `..` lies outside of what this container sees.
  if (own === undefined || root === undefined || mountPoint === undefined || own.includes('/..')) return undefined;
  const isBelow = root === '/' || own === root || own.startsWith(`${root}/`);
  return isBelow ? join(mountPoint, root === '/' ? own : own.slice(root.length)) : undefined;
}
