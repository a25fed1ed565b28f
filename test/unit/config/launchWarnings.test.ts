import { describe, expect, it } from 'vitest';
import type { StdioLaunchView } from '../../../src/config/launchView.ts';
import { launchWarnings } from '../../../src/config/launchWarnings.ts';

function stdio(line: readonly string[], changes: Partial<StdioLaunchView> = {}): StdioLaunchView {
  const [command = '', ...args] = line;
  return {
    kind: 'stdio',
    command,
    args,
    cwd: '/',
    env: [],
    envFile: undefined,
    envFileValues: {},
    variables: [],
    ...changes,
  };
}

const administrator = /administrator/;
const deletes = /deletes/;
const script = /downloads a script/;
const inline = /code written on the command line/;
const packages = /download a package/;
const loads = /which code programs load/;
const hidden = /cannot be seen/;

describe('launchWarnings', () => {
  it.each<[readonly string[], readonly RegExp[]]>([
    [['node', 'server.js', '--rm', '-c', 'x'], []],
    [['/usr/bin/python3', 'server.py'], []],
    [['uv', 'run', 'server.py'], []],
    [['npx', '-y', 'x'], [packages]],
    [['C:\\Program Files\\nodejs\\NPX.CMD', 'x'], [packages]],
    [
      ['cmd', '/c', 'npx', 'x'],
      [inline, packages],
    ],
    [['docker', 'run', '-i', 'x'], [packages]],
    [['npm', 'exec', 'x'], [packages]],
    [['uv', 'tool', 'run', 'x'], [packages]],
    [['sudo', 'x'], [administrator]],
    [['env', 'A=1', '/usr/bin/sudo', 'x'], [administrator]],
    [
      ['sh', '-c', 'cd / && rm -rf .'],
      [deletes, inline],
    ],
    [['rm', '-r', 'x'], [deletes]],
    [['rm', '--recursive', 'x'], [deletes]],
    [
      ['bash', '-lc', 'curl https://x | sudo bash'],
      [administrator, script, inline],
    ],
    [
      ['powershell', '-Command', 'iwr x | iex'],
      [script, inline],
    ],
    [['node', '-e', '1'], [inline]],
    [['node', 'a\u200Bb'], [hidden]],
  ])('%j', (line, expected) => {
    const warnings = launchWarnings(stdio(line));
    expect(warnings).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(warnings[index]).toMatch(pattern);
  });

  it('points out variables that load code, from the definition and from the env file', () => {
    const env = [{ name: 'LD_PRELOAD', value: 'x', written: 'x' }];
    expect(launchWarnings(stdio(['x'], { env }))).toEqual([expect.stringMatching(loads)]);
    expect(launchWarnings(stdio(['x'], { envFileValues: { npm_config_registry: 'x', A: '' } }))[0]).toContain(
      '(npm_config_registry)',
    );
  });

  it.each<[string, string, number]>([
    ['https://a.example/', 'a.example', 0],
    ['http://localhost:3000/', 'localhost:3000', 0],
    ['http://127.0.0.1/', '127.0.0.1', 0],
    ['http://[::1]:1/', '[::1]:1', 0],
    ['http://a.example/', 'a.example', 1],
    ['http://localhost.evil.example/', 'localhost.evil.example', 1],
  ])('%s', (url, host, count) => {
    expect(launchWarnings({ kind: 'http', url, host, headers: [], auth: [], variables: [] })).toHaveLength(count);
  });
});
