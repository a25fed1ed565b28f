import { describe, expect, it } from 'vitest';
import type { LaunchView, StdioLaunchView } from '../../../src/config/launchView.ts';
import type { ResolvedFile } from '../../../src/config/resolvedCode.ts';
import { createTrustRecord, describeChange, readTrustRecord } from '../../../src/config/trustRecord.ts';
import { remoteView, setting, stdioView } from '../../fixtures/launches.ts';

const stdio = stdioView(['node', 'server.js', '--port', '80'], {
  env: [
    { name: 'LEVEL', value: 'high', written: '${env:LEVEL}' },
    { name: 'TOKEN', value: '••••••••', written: 'hunter2' },
    { name: 'GONE', value: null, written: null },
  ],
  envFile: '/w/.env',
  envFileValues: { B: 'hunter4', A: '1' },
});
const remote = remoteView('https://a.example/mcp', 'a.example', { headers: [setting('X', '1')] });

async function changes(before: LaunchView, after: LaunchView): Promise<string[]> {
  return describeChange(await createTrustRecord(before), await createTrustRecord(after));
}

describe('createTrustRecord', () => {
  it('keeps no secret', async () => {
    const record = JSON.stringify(await createTrustRecord(stdio));
    expect(record).not.toContain('hunter');
    expect(record).toMatch(/"fingerprint":"[0-9a-f]{64}"/);
  });

  it('does not mind what changes around the definition', async () => {
    const reordered = { ...stdio, env: stdio.env.toReversed(), envFileValues: { A: '1', B: 'hunter4' } };
    const elsewhere = { ...stdio, env: stdio.env.map((one) => ({ ...one, value: 'other' })) };
    expect(await changes(stdio, reordered)).toEqual([]);
    expect(await changes(stdio, elsewhere)).toEqual([]);
  });

  it('differs where the program and its interpreter have changed places', async () => {
    const file = (path: string): ResolvedFile => {
      return { path, realPath: path, size: 1, digest: path, isInFolder: false, isLinkOutOfFolder: false };
    };
    const fingerprintOf = async (program: string, interpreter: string): Promise<string> => {
      const code = { name: 'tool', packages: [], isInline: false };
      const facts = { code, program: file(program), interpreter: file(interpreter), files: [] };
      return (await createTrustRecord(stdio, { ...facts, searchedFolders: [], uncovered: [] })).fingerprint;
    };
    expect(await fingerprintOf('/a', '/b')).not.toBe(await fingerprintOf('/b', '/a'));
  });

  it('is read back after a round through JSON, and nothing else is', async () => {
    for (const view of [stdio, remote]) {
      const record = await createTrustRecord(view);
      expect(readTrustRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
    }
    const incomplete = { fingerprint: 'x', launch: { kind: 'stdio' } };
    for (const wrong of [undefined, null, true, {}, { fingerprint: 'x' }, incomplete]) {
      expect(readTrustRecord(wrong)).toBeUndefined();
    }
  });
});

describe('describeChange', () => {
  it.each<[string, Partial<StdioLaunchView>, string[]]>([
    ['command', { command: 'deno' }, ['Command: node → deno']],
    ['argument', { args: ['server.js', '--port', '81'] }, ['Argument 3: 80 → 81']],
    ['arguments', { args: ['server.js'] }, ['Argument 2 removed: --port', 'Argument 3 removed: 80']],
    ['more arguments', { args: [...stdio.args, '-v'] }, ['Argument 4 added: -v']],
    [
      'secret argument',
      { args: ['server.js', '--port', '80', '--token=f00bar'] },
      ['Argument 4 added: --token=••••••••'],
    ],
    ['folder', { cwd: '/x' }, ['Working folder: /w → /x']],
    ['env file', { envFile: undefined }, ['Environment file: /w/.env → (none)']],
    [
      'names in the env file',
      { envFileValues: { A: '1', NODE_OPTIONS: '-r x' } },
      ['Variable of the environment file B removed', 'Variable of the environment file NODE_OPTIONS added'],
    ],
    [
      'value in the env file',
      { envFileValues: { A: '2', B: 'hunter4' } },
      ['Variable of the environment file A has another value'],
    ],
    [
      'env value',
      { env: stdio.env.toSpliced(1, 1, { name: 'TOKEN', value: '••••••••', written: 'hunter3' }) },
      ['Environment variable TOKEN has another value'],
    ],
    [
      'env names',
      { env: [...stdio.env.slice(0, 2), setting('NEW', '1')] },
      ['Environment variable GONE removed', 'Environment variable NEW added'],
    ],
  ])('tells of another %s', async (_what, change, expected) => {
    expect((await changes(stdio, { ...stdio, ...change })).toSorted()).toEqual(expected.toSorted());
  });

  it('tells of another secret argument without it', async () => {
    const withKey = (key: string) => ({ ...stdio, args: ['server.js', '--api-key', key] });
    expect(await changes(withKey('f00bar'), withKey('f00baz'))).toEqual(['Argument 3 has another value']);
  });

  it('tells of another address, header or transport', async () => {
    expect(await changes(remote, { ...remote, kind: 'sse', url: 'https://b.example/' })).toEqual([
      'Transport: http → sse',
      'Address: https://a.example/mcp → https://b.example/',
    ]);
    expect(await changes({ ...remote, url: 'unix:///a.sock#/mcp' }, { ...remote, url: 'unix:///b.sock#/mcp' })).toEqual(
      ['Address: unix:///a.sock#/mcp → unix:///b.sock#/mcp'],
    );
    const socket = { ...remote, url: 'unix:///w/a.sock', socketPath: '/run/a.sock' };
    expect(await changes(socket, { ...socket, socketPath: '/run/docker.sock' })).toEqual([
      'Socket: /run/a.sock → /run/docker.sock',
    ]);
    expect(await changes(remote, { ...remote, headers: [] })).toEqual(['Header X removed']);
    const auth = [setting('allowInsecure', 'true')];
    expect(await changes(remote, { ...remote, auth })).toEqual(['Sign-in option allowInsecure added']);
    expect(await changes(remote, stdio)).toEqual([
      'Transport: http → stdio',
      'Target: https://a.example/mcp → node server.js --port 80',
    ]);
  });
});
