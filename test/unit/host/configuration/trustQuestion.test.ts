import { describe, expect, it } from 'vitest';
import type { ConfigurationSource } from '../../../../src/config/configuredServer.ts';
import type { RemoteLaunchView, StdioLaunchView } from '../../../../src/config/launchView.ts';
import { createTrustRecord } from '../../../../src/config/trustRecord.ts';
import { trustQuestion } from '../../../../src/host/configuration/trustQuestion.ts';

const source: ConfigurationSource = {
  kind: 'vscode',
  uri: 'file:///w/my%20app/.vscode/mcp.json',
  folder: undefined,
  title: '.vscode/mcp.json',
};
const stdio: StdioLaunchView = {
  kind: 'stdio',
  command: 'npx',
  args: ['-y', 'a b', 'x\u202Ey', ''],
  cwd: '/w/my app',
  env: [
    { name: 'TOKEN', value: '••••••••', written: 'hunter2' },
    { name: 'GONE', value: null, written: null },
  ],
  envFile: '/w/.env',
  envFileValues: { A: 'hunter3', B: '' },
  variables: [],
};
const remote: RemoteLaunchView = {
  kind: 'http',
  url: 'http://аpple.example/mcp',
  host: 'xn--pple-43d.example',
  headers: [{ name: 'X', value: '1', written: '1' }],
  auth: [],
  variables: [],
};

describe('trustQuestion', () => {
  it('shows the whole command, one argument a line, and what makes it dangerous [consent-command]', async () => {
    const record = await createTrustRecord(stdio);
    const { message, detail } = trustQuestion('db', source, stdio, record, undefined);
    expect(message).toBe('Start the MCP server “db”? It will run a program on this machine.');
    expect(detail).toBe(
      [
        'Take care:',
        '    It may download a package and run it: the code can differ from one start to the next.',
        '    It holds characters that cannot be seen; they are written as ⟨U+…⟩.',
        '',
        'Command:',
        '    npx',
        '    -y',
        '    "a b"',
        '    "x⟨U+202E⟩y"',
        '    ""',
        '',
        'In folder:',
        '    /w/my app',
        '',
        'Environment:',
        '    TOKEN=••••••••',
        '    GONE is removed',
        '    /w/.env sets A, B',
        '',
        'Defined in .vscode/mcp.json, file:///w/my app/.vscode/mcp.json',
      ].join('\n'),
    );
  });

  it('shows what changed', async () => {
    const changed = { ...stdio, command: 'bunx' };
    const { message, detail } = trustQuestion(
      'db',
      source,
      changed,
      await createTrustRecord(changed),
      await createTrustRecord(stdio),
    );
    expect(message).toContain('has changed since you trusted it');
    expect(detail.split('\n').slice(0, 2)).toEqual(['What changed:', '    Command: npx → bunx']);
  });

  it('shows the address with its host as the wire has it', async () => {
    const { detail } = trustQuestion('web', source, remote, await createTrustRecord(remote), undefined);
    expect(detail).toContain('Host: xn--pple-43d.example');
    expect(detail).toContain('not encrypted');
    expect(detail).toContain('    X: 1');
  });

  it('never cuts a long command', async () => {
    const long = { ...stdio, args: Array.from({ length: 300 }, (_, index) => `argument-${index}-${'x'.repeat(200)}`) };
    const { detail } = trustQuestion('db', source, long, await createTrustRecord(long), undefined);
    for (const arg of long.args) expect(detail).toContain(arg);
  });

  it('lets no label push the question off the screen', async () => {
    const record = await createTrustRecord(stdio);
    const label = `github”? You trusted it before. ${'x '.repeat(5_000)}`;
    expect(trustQuestion(label, source, stdio, record, undefined).message.length).toBeLessThan(150);
  });

  it('writes out what a label hides', async () => {
    const { message } = trustQuestion('a\u202Eb\n', source, remote, await createTrustRecord(remote), undefined);
    expect(message).toContain('“a⟨U+202E⟩b⟨U+000A⟩”');
  });
});
