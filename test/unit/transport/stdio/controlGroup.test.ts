import { describe, expect, it } from 'vitest';
import { ownGroupPath } from '../../../../src/transport/stdio/controlGroup.ts';

const unified = '30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate';
const others =
  '23 28 0:21 / /sys rw shared:7 - sysfs sysfs rw\n31 23 0:27 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids';

describe('ownGroupPath', () => {
  it.each([
    ['a desktop session', '0::/user.slice/app.scope\n', unified, '/sys/fs/cgroup/user.slice/app.scope'],
    ['both versions mounted', '8:pids:/\n0::/\n', `${others}\n${unified.replace('/sys/fs/cgroup', '/cg')}`, '/cg/'],
    ['a mount of a part', '0::/docker/1/sub\n', unified.replace(' / ', ' /docker/1 '), '/sys/fs/cgroup/sub'],
  ])('finds it in %s', (_, membership, mounts, path) => {
    expect(ownGroupPath(membership, mounts)).toBe(path);
  });

  it.each([
    ['version 1 alone', '8:pids:/a\n', others],
    ['no such mount', '0::/\n', others],
    ['a group outside of the container', '0::/../other\n', unified],
    ['a group outside of the mount', '0::/docker/10\n', unified.replace(' / ', ' /docker/1 ')],
  ])('finds none with %s', (_, membership, mounts) => {
    expect(ownGroupPath(membership, mounts)).toBeUndefined();
  });
});
