import { describe, expect, it } from 'vitest';
import { definitionTarget, isTargetOf } from '../../../src/config/launchTarget.ts';
import { effectiveOptions, type LoadedSource, mergeConfiguration } from '../../../src/config/mergeConfiguration.ts';
import {
  parseConfiguration,
  parseServerOptionsSetting,
  parseServersSetting,
} from '../../../src/config/parseConfiguration.ts';
import { copilotSource, fileSource, mcpJsonSource as file, userSource as user } from '../../fixtures/launches.ts';
import type { ServerDefinition, ServerOptions } from '../../../src/config/serverDefinition.ts';

const honest = { type: 'http', url: 'https://api.example.com/mcp' } as const;
const hostile = { type: 'http', url: 'https://api.example.com.evil.example/mcp' } as const;
const secrets = {
  autoStart: true,
  roots: ['backend'],
  trace: true,
  auth: { clientId: 'me', clientSecret: '${input:secret}', issuer: 'https://login.example.com' },
};

function optionsOf(
  definition: ServerDefinition,
  setting: Readonly<Record<string, unknown>>,
  source = file,
  entry: ServerOptions = {},
) {
  const { options, problems } = parseServerOptionsSetting({ notes: setting }, 'user');
  expect(problems).toEqual([]);
  const settings = { user: { byLabel: options, definitionTarget, isTargetOf }, workspace: new Map() };
  return effectiveOptions({ label: 'notes', definition, options: entry }, source, settings);
}

describe('options of the user with secrets, or that widen', () => {
  it('are not used with a server of a workspace that has the same label alone', () => {
    const { options, withheld } = optionsOf(hostile, { ...secrets, for: 'https://api.example.com' });
    expect(options).toEqual({ trace: true, roots: 'none' });
    expect(withheld).toEqual({
      names: ['autoStart', 'roots', 'auth'],
      target: 'https://api.example.com.evil.example',
      writtenFor: 'https://api.example.com',
    });
    expect(optionsOf(honest, secrets).withheld?.writtenFor).toBeUndefined();
  });

  it('are used with the definition they were written for', () => {
    for (const target of ['https://api.example.com', 'https://API.example.com:443/other/path'])
      expect(optionsOf(honest, { ...secrets, for: target })).toMatchObject({ options: secrets, withheld: undefined });
  });

  it('need not say more where the user defines the server as well', () => {
    for (const source of [user, copilotSource])
      expect(optionsOf(honest, secrets, source)).toMatchObject({ options: secrets, withheld: undefined });
  });

  it("are not used with another definition in a file of the person's own", () => {
    const setting = { ...secrets, for: 'https://api.example.com' };
    expect(optionsOf(hostile, setting, copilotSource)).toMatchObject({
      options: { trace: true, roots: 'none' },
      withheld: { names: ['autoStart', 'roots', 'auth'], writtenFor: 'https://api.example.com' },
    });
    expect(optionsOf(honest, setting, copilotSource)).toMatchObject({ options: secrets, withheld: undefined });
    expect(optionsOf(hostile, setting, user)).toMatchObject({ options: secrets, withheld: undefined });
  });

  it('are each held back alone, and nothing else is', () => {
    const harmless = {
      autoStart: false,
      autoRestart: false,
      revision: '2025-06-18',
      auth: { clientId: 'me' },
      dev: { watch: '**' },
    };
    expect(optionsOf(hostile, harmless)).toMatchObject({ options: harmless, withheld: undefined });
    expect(optionsOf(hostile, { roots: 'none' }).options).toEqual({ roots: 'none' });
    const issuer = 'https://auth.example';
    for (const auth of [
      { allowInsecure: true },
      { privateKey: 'x', issuer },
      { assertion: 'x', issuer },
      { idp: { issuer } },
    ])
      expect(optionsOf(hostile, { auth })).toMatchObject({ options: {}, withheld: { names: ['auth'] } });
  });

  it('keep limits at what is usual', () => {
    const limits = { members: 7, messageBytes: 512 * 1024 ** 2 };
    expect(optionsOf(hostile, { limits })).toMatchObject({ withheld: { names: ['limits'] } });
    expect(optionsOf(hostile, { limits }).options).toEqual({ limits: { members: 7 } });
    expect(optionsOf(hostile, { limits: { members: 7 } }).withheld).toBeUndefined();
  });

  it.each([
    [{ metadataUrl: 'https://m.example' }, { clientId: 'c', scopes: ['a'], metadataUrl: 'https://m.example' }],
    [{ clientId: 'own' }, { clientId: 'own' }],
    [secrets.auth, secrets.auth],
    [
      { clientSecret: 's', issuer: 'https://i.example' },
      { clientSecret: 's', issuer: 'https://i.example' },
    ],
  ])('leave a file its registered client, but beside credentials: %j', (auth, expected) => {
    const entry = { auth: { clientId: 'c', scopes: ['a'], issuer: 'https://evil.example' } };
    const setting = { auth, for: 'https://api.example.com' };
    expect(optionsOf(honest, setting, file, entry)).toEqual({
      options: { auth: expected },
      withheld: undefined,
      isUsersAuth: true,
    });
    for (const clientId of ['${input:secret}', '$SECRET'])
      expect(optionsOf(honest, setting, file, { auth: { clientId } }).options.auth).toEqual(auth);
  });

  it('are for one socket', () => {
    const options = { ...secrets, for: 'unix:///run/a.sock#/mcp' };
    expect(optionsOf({ url: 'unix:/run/a.sock#/other' }, options).withheld).toBeUndefined();
    for (const url of ['unix:///run/b.sock#/mcp', 'http://localhost/mcp', 'pipe:///pipe/run/a.sock'])
      expect(optionsOf({ url }, options).withheld).toBeDefined();
  });

  it('are not for another scheme or port', () => {
    for (const url of ['http://api.example.com/mcp', 'https://api.example.com:8443/mcp'])
      expect(optionsOf({ type: 'http', url }, { ...secrets, for: honest.url }).withheld).toBeDefined();
  });
});

describe('what options are written for', () => {
  it.each([
    [{ command: 'npx', args: ['-y', 'my-server@1.2.3', '--fast'] }, 'npx my-server'],
    [honest, 'https://api.example.com'],
    [{ url: 'https://api.example.com/${env:TENANT}' }, 'https://api.example.com'],
    // A variable before the host could replace the host.
    [
      { url: 'https://${workspaceFolderBasename}@api.example.com/' },
      'https://${workspaceFolderBasename}@api.example.com/',
    ],
    [{ url: '${env:ADDRESS}' }, '${env:ADDRESS}'],
    [{ url: 'https://$HOST/mcp' }, 'https://$HOST/mcp'],
    [{ url: 'unix:/run/a.sock?x=1#/${env:TENANT}' }, 'unix:///run/a.sock'],
    [{ url: 'unix:///run/${env:TENANT}.sock#/mcp' }, 'unix:///run/${env:TENANT}.sock#/mcp'],
  ] as const)('of %j is %s', (definition, target) => {
    expect(definitionTarget(definition)).toBe(target);
  });

  it('is another thing for each package that the same program runs', () => {
    const setting = { autoStart: true, for: 'npx my-server' };
    expect(optionsOf({ command: 'npx', args: ['my-server'] }, setting).options.autoStart).toBe(true);
    expect(optionsOf({ command: 'npx', args: ['evil'] }, setting).options.autoStart).toBeUndefined();
  });
});

it('says at the entry that options are not used, and what to do', () => {
  const parsed = parseConfiguration(`{"mcpServers": {"notes": ${JSON.stringify(hostile)}}}`, 'mcpJson');
  const { options } = parseServerOptionsSetting({ notes: secrets }, 'user');
  const { servers, problems } = mergeConfiguration([{ source: file, parsed }], {
    user: { byLabel: options, definitionTarget, isTargetOf },
    workspace: new Map(),
  });
  expect(servers[0]?.withheld).toBeDefined();
  expect(problems[0]).toMatchObject([
    { code: 'optionsWithheld', range: { offset: 16 }, message: expect.stringMatching(/Allow Options for This Server/) },
  ]);
});

const secondText =
  '{"mcpServers": {"both": {"command": "2"}, "two": {"command": "2", "patchbay": {"trace": true, "timeouts": {"connectMs": 1, "requestMs": 2}}}}}';
const sources: LoadedSource[] = [
  {
    source: fileSource,
    parsed: parseConfiguration('{"servers": {"one": {"command": "1"}, "both": {"command": "1"}}}', 'vscode'),
  },
  { source: file, parsed: parseConfiguration(secondText, 'mcpJson') },
  { source: user, parsed: parseServersSetting({ both: { command: '3' } }, []) },
];

describe('mergeConfiguration', () => {
  it('lets the first source win and names the others', () => {
    const { servers, problems } = mergeConfiguration(sources, { user: undefined, workspace: new Map() });
    expect(servers.map(({ label, source }) => [label, source.title])).toEqual([
      ['one', '.vscode/mcp.json'],
      ['both', '.vscode/mcp.json'],
      ['two', '.mcp.json'],
    ]);
    expect(servers[1]?.shadows).toEqual([file, user]);
    expect(servers[0]?.shadows).toEqual([]);
    expect(problems.map((list) => list.map(({ code }) => code))).toEqual([[], ['shadowed'], ['shadowed']]);
    expect(problems[1]?.[0]?.range?.offset).toBe(secondText.indexOf('"both"'));
  });

  it('lets the setting win over the entry, key by key', () => {
    const { servers } = mergeConfiguration(sources, {
      workspace: new Map([['two', { options: { revision: '2025-06-18', trace: false }, target: undefined }]]),
      user: {
        byLabel: new Map([['two', { options: { trace: true, timeouts: { requestMs: 3 } }, target: undefined }]]),
        definitionTarget,
        isTargetOf,
      },
    });
    const timeouts = { connectMs: 1, requestMs: 3 };
    expect(servers[2]?.options).toEqual({ trace: true, revision: '2025-06-18', timeouts });
  });
});
