import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A Linux cgroup (cgroups(7), version 2) with one server and all processes it starts. The kernel maintains it, so a process
 * cannot leave it by a new session, a cleared environment or the end of its parent.
 */
export interface ControlGroup {
  /** Its folder in the cgroup file system. */
  readonly path: string;
  /** Moves a process into the group; processes that it starts later are members too. */
  add(pid: number): Promise<void>;
  /** Ids of its processes. Never rejects: a removed group is empty. */
  pids(): Promise<readonly number[]>;
  /** Removes the group if it is empty. */
  remove(): Promise<void>;
}

const namePrefix = 'patchbay-';

/**
 * Creates a group below that of this process.
 * @param treeId becomes part of the group's name
 * @returns `undefined` where the system has no cgroups, or the user may not create one
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
    // Not allowed in most SSH sessions and containers: then only the other marks identify the tree.
    return undefined;
  }
}

/** Opens an existing group by its {@link ControlGroup.path}. */
export function openControlGroup(path: string): ControlGroup {
  const members = join(path, 'cgroup.procs');
  return {
    path,
    add: (pid) => writeFile(members, String(pid)),
    async pids() {
      const text = await readFile(members, 'utf8').catch(() => '');
      return text.split('\n').filter(Boolean).map(Number);
    },
    // It cannot be removed while it contains a zombie; the next cleanup removes it.
    remove: () => rmdir(path).catch(() => {}),
  };
}

/**
 * The folder of this process's group in the file system.
 * @param membership content of `/proc/self/cgroup`
 * @param mounts content of `/proc/self/mountinfo` (proc(5))
 */
export function ownGroupPath(membership: string, mounts: string): string | undefined {
  const own = /^0::(\/.*)$/m.exec(membership)?.[1];
  const [, root, mountPoint] = /^\S+ \S+ \S+ (\S+) (\S+) .* - cgroup2 /m.exec(mounts) ?? [];
  // A path with `..` is outside of the container's view.
  if (own === undefined || root === undefined || mountPoint === undefined || own.includes('/..')) return undefined;
  const isBelow = root === '/' || own === root || own.startsWith(`${root}/`);
  return isBelow ? join(mountPoint, root === '/' ? own : own.slice(root.length)) : undefined;
}
