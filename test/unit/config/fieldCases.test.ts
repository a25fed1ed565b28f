import { describe, expect, it } from 'vitest';
import { createLaunchPlan, type LaunchContext } from '../../../src/config/createLaunchPlan.ts';
import { addInputEdits, addServerEdits, applyTextEdits, editsForFix } from '../../../src/config/editConfiguration.ts';
import { importPasted, readImport } from '../../../src/config/importServers.ts';
import { launchWarnings } from '../../../src/config/launchWarnings.ts';
import { parseConfiguration } from '../../../src/config/parseConfiguration.ts';
import { isStdio } from '../../../src/config/serverDefinition.ts';
import type { FileKind } from '../../../src/config/serverSection.ts';
import { buildEnvironment } from '../../../src/transport/stdio/environment.ts';
import { labelsOf, problemsOf } from '../../fixtures/configurationTexts.ts';
import { fileSource } from '../../fixtures/launches.ts';
import { problem } from '../../fixtures/problem.ts';

// Files as people commit them, which are for other clients or nearly right.

const url = 'https://mcp.example.com/mcp';
const [remote, program] = [`{"url": "${url}"}`, '{"command": "npx", "args": ["-y", "example-tool"]}'];
const folder = { name: 'w', uri: 'file:///w', path: '/w' };

/** A file with one server, which has the label `a`. */
function one(section: 'servers' | 'mcpServers', entry: string): string {
  return `{"${section}": {"a": ${entry}}}`;
}

/** The definitions and options of a file, by label. */
function read(text: string, kind: FileKind): unknown {
  const { servers } = parseConfiguration(text, kind);
  return Object.fromEntries(
    servers.map(({ label, definition, options }) => [
      label,
      Object.keys(options).length === 0 ? definition : { ...definition, options },
    ]),
  );
}

/** The text after the only fix of its problems. */
function fixed(text: string, kind: FileKind): string {
  const fixes = parseConfiguration(text, kind).problems.flatMap(({ fix }) => (fix === undefined ? [] : [fix]));
  expect(fixes).toHaveLength(1);
  return fixes.reduce((_, fix) => applyTextEdits(text, editsForFix(text, fix)), text);
}

function launch(text: string, kind: FileKind, environment: Record<string, string> = {}, files: string[] = []) {
  const [server] = parseConfiguration(text, kind).servers;
  if (server === undefined) throw new Error('no server');
  const context: LaunchContext = {
    folders: [folder],
    userHome: '/home/me',
    pathSeparator: '/',
    environment,
    resolveInput: async (id) => ({ value: id, isSecret: false, isSaved: false }),
    realPath: async (path) => path,
    readTextFile: async (path) => {
      if (files.includes(path)) return '{}';
      throw new Error('no such file');
    },
  };
  return createLaunchPlan({ ...server, source: { ...fileSource, kind, folder } }, context);
}

describe('sections', () => {
  it('reads a .mcp.json without a section', () => {
    expect(labelsOf(`{"docs": ${remote}, "tool": ${program}}`, 'mcpJson')).toEqual(['docs', 'tool']);
  });

  it('moves servers and inputs out of "mcp"', () => {
    const text = `{"mcp": {"inputs": [], "servers": {"a": ${program}}}}`;
    expect(problemsOf(text)).toEqual(['warning wrongSection @"mcp"']);
    expect(JSON.parse(fixed(text, 'vscode'))).toEqual({ inputs: [], servers: { a: JSON.parse(program) as unknown } });
  });

  it.each<[string, FileKind, string, string]>([
    [
      'beside a section',
      'cursor',
      `{\n  "mcpServers": {\n    "a": ${program} // first\n  },\n  // mine\n  "b": {\n    "url": "${url}" // this\n  }\n}\n`,
      `{\n  "mcpServers": {\n    "a": ${program}, // first\n    "b": {\n      "url": "${url}" // this\n    }\n  }\n  // mine\n}\n`,
    ],
    [
      'before an empty section',
      'vscode',
      `{\n  "b": ${remote},\n  "servers": {}\n}\n`,
      `{\n  "servers": {\n    "b": ${remote}\n  }\n}\n`,
    ],
    ['without a section', 'github', `{\n  "b": ${remote}\n}\n`, `{\n  "mcpServers": {\n    "b": ${remote}\n  }\n}\n`],
    [
      'in one line',
      'cursor',
      `{"mcpServers": {"a": ${program}}, "b": ${remote}}`,
      `{"mcpServers": {"a": ${program}, "b": ${remote}}}`,
    ],
    [
      'before a comma after all',
      'cursor',
      `{"mcpServers": {"a": ${program},}, "b": ${remote},}`,
      `{"mcpServers": {"a": ${program}, "b": ${remote},},}`,
    ],
  ])('moves a server %s into it', (_where, kind, text, expected) => {
    expect(problemsOf(text, kind)).toEqual(['warning wrongSection @"b"']);
    expect(fixed(text, kind)).toBe(expected);
    expect(labelsOf(expected, kind)).toContain('b');
    expect(problemsOf(expected, kind)).toEqual([]);
  });

  it('offers no move where the name is taken', () => {
    const { problems } = parseConfiguration(`{"mcpServers": {"b": ${program}}, "b": ${remote}}`, 'cursor');
    expect(problems.map(({ fix }) => fix)).toEqual([undefined]);
  });

  it.each<[string, FileKind, string]>([
    [`{"context_servers": {"a": ${program}}}`, 'mcpJson', '"context_servers"'],
    [`{"mcpServer": {"a": ${remote}}}`, 'cursor', '"mcpServer"'],
    [`{"mcpServers": {"mcpServers": {"a": ${program}}}}`, 'github', '"mcpServers"'],
  ])('marks servers under a name that is not read, and the fix finds them: %s', (text, kind, place) => {
    expect([labelsOf(text, kind), problemsOf(text, kind)]).toEqual([[], [`warning wrongSection @${place}`]]);
    expect([labelsOf(fixed(text, kind), kind), problemsOf(fixed(text, kind), kind)]).toEqual([['a'], []]);
  });

  it.each<[FileKind, string]>([
    ['mcpJson', `\uFEFF{"mcpServers": {"_comment": "ours", "//b": "old", "a": ${program}}}`],
    ['vscode', `{"inputs": null, "servers": {"a": ${program}}}`],
  ])('has no problem in %s with what is no part of it: %s', (kind, text) => {
    expect([labelsOf(text, kind), problemsOf(text, kind)]).toEqual([['a'], []]);
    expect(parseConfiguration(text, kind).labels).toEqual(['a']);
    expect(problemsOf('{"mcpServers": null}', 'mcpJson')).toEqual([]);
  });

  it.each<[FileKind, string, string]>([
    [
      'devcontainer',
      `{"customizations": {"vscode": {"settings": {"mcp": {"servers": {"a": ${program}}}}}}}`,
      'Move them into "customizations.vscode.mcp.servers".',
    ],
    ['codeWorkspace', `{"settings": {"mcp.servers": {"a": ${program}}}}`, 'Move them into "settings.mcp.servers".'],
    ['codeWorkspace', `{"mcp": {"servers": {"a": ${program}}}}`, 'Move them into "settings.mcp.servers".'],
  ])('says of servers in a %s where they are read: %s', (kind, text, advice) => {
    const { servers, problems } = parseConfiguration(text, kind);
    expect(servers).toEqual([]);
    expect(problems).toMatchObject([{ code: 'wrongSection', message: expect.stringContaining(advice) as string }]);
    expect(problemsOf(text.replace('command', 'colour'), kind)).toEqual([]);
  });

  it('marks a server without a name', () => {
    expect(problemsOf(program, 'mcpJson')).toEqual(['warning wrongSection @"command"']);
  });

  it('adds to the section of another client', () => {
    const text = one('servers', remote);
    expect(labelsOf(applyTextEdits(text, addServerEdits(text, 'github', 'b', { url })), 'github')).toEqual(['a', 'b']);
  });

  it.each([one('servers', remote), `{"servers": {"a": ${remote}}, "mcpServers": {"a": ${remote}}}`])(
    'leaves what Visual Studio reads where it is: %s',
    (text) => {
      expect(labelsOf(text, 'mcpJson')).toEqual(['a']);
      const { problems } = parseConfiguration(text, 'mcpJson');
      expect(problems.filter(({ severity, fix }) => severity !== 'information' || fix !== undefined)).toEqual([]);
    },
  );
});

describe('the transport', () => {
  const headers = { 'X-Team': 'core' };

  it.each<[string, FileKind, string, object, string]>([
    [
      'an unknown type with a url',
      'cursor',
      `{"type": "streamablehttp", "url": "${url}", "headers": {"X-Team": "core"}}`,
      { type: 'http', url, headers },
      'warning unknownType @"streamablehttp"',
    ],
    [
      'an unknown type with a command',
      'vscode',
      '{"type": "node", "command": "node"}',
      { type: 'stdio', command: 'node' },
      'warning unknownType @"node"',
    ],
    [
      'a type that is no text',
      'vscode',
      `{"type": 1, "url": "${url}"}`,
      { type: 'http', url },
      'warning unknownType @1',
    ],
    [
      '"stdio" with a url',
      'vscode',
      `{"type": "stdio", "url": "${url}"}`,
      { type: 'http', url },
      'warning unknownType @"stdio"',
    ],
    [
      '"http" with a command',
      'vscode',
      '{"type": "http", "command": "x"}',
      { type: 'stdio', command: 'x' },
      'warning unknownType @"http"',
    ],
    [
      'an object "transport"',
      'cursor',
      `{"transport": {"type": "http", "url": "${url}"}, "headers": {"X-Team": "core"}}`,
      { type: 'http', url, headers },
      'warning unknownType @"transport"',
    ],
    [
      'other letters',
      'mcpJson',
      `{"type": "SSE", "url": "${url}"}`,
      { type: 'sse', url },
      'warning unknownType @"SSE"',
    ],
    [
      'headers in "requestInit"',
      'vscode',
      `{"url": "${url}", "requestInit": {"headers": {"X-Team": "core"}}}`,
      { type: 'http', url, headers },
      'warning unknownType @"requestInit"',
    ],
  ])('is found with %s, and the fix says it', (_what, kind, entry, definition, expected) => {
    const text = one(kind === 'vscode' ? 'servers' : 'mcpServers', entry);
    expect(read(text, kind)).toEqual({ a: definition });
    expect(problemsOf(text, kind)).toEqual([expected]);
    expect(read(fixed(text, kind), kind)).toEqual({ a: definition });
    expect(problemsOf(fixed(text, kind), kind)).toEqual([]);
  });

  it('is not guessed where another client has one that Patchbay does not have', () => {
    const { servers, problems } = parseConfiguration(
      one('mcpServers', '{"type": "ws", "url": "wss://a.example"}'),
      'mcpJson',
    );
    expect(servers).toEqual([]);
    expect(problems.map(({ message, fix }) => [message, fix])).toEqual([
      ['Server "a": the type "ws" cannot be used: Patchbay does not have its transport.', undefined],
    ]);
  });

  it('says so where "requestInit" repeats what the entry has', () => {
    const entry = `{"url": "${url}", "headers": {"X-Team": "core"}, "requestInit": {"headers": {"X-Team": "other"}}}`;
    const { problems } = parseConfiguration(one('servers', entry), 'vscode');
    expect(read(one('servers', entry), 'vscode')).toEqual({ a: { type: 'http', url, headers } });
    expect(problems.map(({ message, fix }) => [message, fix])).toEqual([
      [expect.stringContaining('Patchbay uses the outer "headers".'), undefined],
    ]);
  });

  it('is not replaced where that would lose something', () => {
    const { problems } = parseConfiguration(one('servers', `{"type": {"name": "http"}, "url": "${url}"}`), 'vscode');
    expect(problems.map(({ code, fix }) => [code, fix])).toEqual([['unknownType', undefined]]);
  });
});

describe('members', () => {
  it('splits arguments that are one text', () => {
    const text = one('servers', '{"command": "python3", "args": "-m \\"example server\\""}');
    const definition = { type: 'stdio', command: 'python3', args: ['-m', 'example server'] };
    expect(read(text, 'vscode')).toEqual({ a: definition });
    expect(problemsOf(text)).toEqual(['warning badType @"-m \\"example server\\""']);
    expect(read(fixed(text, 'vscode'), 'vscode')).toEqual({ a: definition });
  });

  it.each([
    [`{"serverUrl": "${url}"}`, { type: 'http', url }, '"serverUrl"'],
    [
      '{"command": "python3", "arguments": ["-m", "x"]}',
      { type: 'stdio', command: 'python3', args: ['-m', 'x'] },
      '"arguments"',
    ],
    ['{"cmd": "x"}', { type: 'stdio', command: 'x' }, '"cmd"'],
    [`{"URL": "${url}"}`, { type: 'http', url }, '"URL"'],
    ['{"command": "x", "envs": {"A": "1"}}', { type: 'stdio', command: 'x', env: { A: '1' } }, '"envs"'],
  ])('reads the names of other formats: %s', (entry, definition, key) => {
    const text = one('mcpServers', entry);
    expect([read(text, 'cursor'), problemsOf(text, 'cursor')]).toEqual([
      { a: definition },
      [`warning unknownKey @${key}`],
    ]);
    expect([read(fixed(text, 'cursor'), 'cursor'), problemsOf(fixed(text, 'cursor'), 'cursor')]).toEqual([
      { a: definition },
      [],
    ]);
  });

  it('takes null for absent', () => {
    const text = one('servers', '{"command": "npx", "args": null, "env": null}');
    expect([read(text, 'vscode'), problemsOf(text)]).toEqual([{ a: { type: 'stdio', command: 'npx' } }, []]);
    const address = one('servers', `{"url": "${url}", "command": null, "headers": {"A": null, "B": 1}}`);
    expect([read(address, 'vscode'), problemsOf(address)]).toEqual([
      { a: { type: 'http', url, headers: { B: '1' } } },
      [],
    ]);
  });

  it.each([
    [`{"url": "${url}", "command": ""}`, { type: 'http', url }],
    [`{"type": "sse", "url": "${url}", "command": ""}`, { type: 'sse', url }],
    ['{"command": "x", "url": "", "cwd": "", "envFile": ""}', { type: 'stdio', command: 'x' }],
  ])('takes an empty text for absent: %s', (entry, definition) => {
    const text = one('servers', entry);
    expect([read(text, 'vscode'), problemsOf(text)]).toEqual([{ a: definition }, []]);
  });

  it('keeps numbers as they are written', () => {
    const text = one(
      'servers',
      '{"command": "x", "args": [3.10, 9223372036854775807, 3], "env": {"A": 1.0, "B": 2, "C": true}}',
    );
    const definition = { type: 'stdio', command: 'x', args: ['3.10', '9223372036854775807', '3'] };
    expect(read(text, 'vscode')).toEqual({ a: { ...definition, env: { A: '1.0', B: 2, C: 'true' } } });
    const sent = one('mcpServers', `{"url": "${url}", "headers": {"X-Id": 1234567890123456789}}`);
    expect(read(sent, 'cursor')).toEqual({ a: { type: 'http', url, headers: { 'X-Id': '1234567890123456789' } } });
  });

  it.each([
    ['"command": "x", "env": ["A=1", "B=a=b"]', { type: 'stdio', command: 'x', env: { A: '1', B: 'a=b' } }],
    [`"url": "${url}", "headers": ["X-Team: core"]`, { type: 'http', url, headers: { 'X-Team': 'core' } }],
  ])('reads a list of pairs as an object: %s', (members, definition) => {
    const text = one('mcpServers', `{${members}}`);
    expect([read(text, 'mcpJson'), parseConfiguration(text, 'mcpJson').problems]).toMatchObject([
      { a: definition },
      [{ code: 'badType', severity: 'warning' }],
    ]);
    expect([read(fixed(text, 'mcpJson'), 'mcpJson'), problemsOf(fixed(text, 'mcpJson'), 'mcpJson')]).toEqual([
      { a: definition },
      [],
    ]);
  });

  it.each([
    [`{"url": "${url}", "env": {}, "args": []}`, { type: 'http', url }],
    [`{"url": "${url}", "command": "", "args": []}`, { type: 'http', url }],
    ['{"type": "stdio", "command": "x", "url": "", "headers": {}}', { type: 'stdio', command: 'x' }],
    ['{"command": "x", "url": ""}', { type: 'stdio', command: 'x' }],
  ])('says nothing of members that a form left blank: %s', (entry, definition) => {
    const text = one('mcpServers', entry);
    expect([read(text, 'cursor'), problemsOf(text, 'cursor')]).toEqual([{ a: definition }, []]);
  });

  it.each([
    ['"comment": "for the docs"', []],
    ['"comand": "x"', [undefined]],
    ['"cmd": "x"', [undefined]],
  ])('never suggests a key that is there: %s', (member, fixes) => {
    const text = one('mcpServers', `{${member}, "command": "npx"}`);
    expect(parseConfiguration(text, 'cursor').problems.map(({ fix }) => fix)).toEqual(fixes);
  });

  it.each(['"disabled": "true"', '"enabled": "false"'])('takes a text for a switch: %s', (member) => {
    const text = one('mcpServers', `{"command": "x", ${member}}`);
    expect(read(text, 'mcpJson')).toEqual({ a: { type: 'stdio', command: 'x', options: { autoStart: false } } });
  });

  it.each([
    ['mcpJson', `{"url": "${url}", "headersHelper": "./headers.sh"}`, '"headersHelper"'],
    ['vscode', '{"command": "x", "sandboxEnabled": true}', '"sandboxEnabled"'],
  ] as const)('says in %s what it does not do: %s', (kind, entry, key) => {
    const text = one(kind === 'vscode' ? 'servers' : 'mcpServers', entry);
    expect(problemsOf(text, kind)).toEqual([`warning unusedKey @${key}`]);
  });

  it('says before the start that there is no sandbox', async () => {
    const text = `{"sandbox": {"network": {}}, "servers": {"a": {"command": "x", "sandboxEnabled": true}}}`;
    const { view } = await launch(text, 'vscode');
    expect(launchWarnings(view, false)).toMatchObject([{ text: expect.stringContaining('asks for a sandbox') }]);
    const without = await launch(one('servers', '{"command": "x", "sandboxEnabled": false, "sandbox": {}}'), 'vscode');
    expect(launchWarnings(without.view, false)).toEqual([]);
  });
});

describe('signing in', () => {
  it.each<[FileKind, string, object]>([
    [
      'mcpJson',
      '"oauth": {"clientId": "client-1", "callbackPort": 3118, "scopes": "read write"}',
      { clientId: 'client-1', redirectPort: 3118, scopes: ['read', 'write'] },
    ],
    ['github', '"tools": ["*"], "oauthClientId": "client-1"', { clientId: 'client-1' }],
    [
      'mcpJson',
      '"oauth": {"client_id": "client-1", "redirect_uri": "http://localhost:1/a"}',
      { clientId: 'client-1', redirectUri: 'http://localhost:1/a' },
    ],
    [
      'cursor',
      '"oauthScopes": ["read"], "oauth": {"client_id": "client-1"}',
      { clientId: 'client-1', scopes: ['read'] },
    ],
    ['cursor', '"auth": {"CLIENT_ID": "client-1", "scopes": ["read"]}', { clientId: 'client-1', scopes: ['read'] }],
    [
      'mcpJson',
      '"oauth": {"clientId": "other", "scopes": "a"}, "patchbay": {"auth": {"clientId": "client-1"}}',
      { clientId: 'client-1', scopes: ['a'] },
    ],
  ])('has in %s what another client has: %s', (kind, member, auth) => {
    const text = one('mcpServers', `{"type": "http", "url": "${url}", ${member}}`);
    expect(read(text, kind)).toEqual({ a: { type: 'http', url, options: { auth } } });
    expect(problemsOf(text, kind)).toEqual([]);
  });

  it.each([
    ['"authServerMetadataUrl": "https://x"', 'warning ignoredOption @"authServerMetadataUrl"', '"auth.metadataUrl"'],
    ['"clientSecret": "x"', 'warning ignoredOption @"clientSecret"', '"auth.clientSecret"'],
    ['"tokenUrl": "https://x"', 'warning unusedKey @"tokenUrl"', '"oauth.tokenUrl"'],
    ['"callbackPort": "x"', 'error badOption @"x"', '"auth.redirectPort"'],
    ['"clientId": "${input:gone}"', 'error undefinedInput @${input:gone}', '"gone"'],
  ])('names the option for what a workspace cannot set: %s', (member, expected, name) => {
    const text = one('mcpServers', `{"url": "${url}", "oauth": {${member}}}`);
    expect(problemsOf(text, 'mcpJson')).toEqual([expected]);
    expect(parseConfiguration(text, 'mcpJson').problems[0]?.message).toContain(name);
  });

  it.each(['true', 'false', '{}'])('takes "oauth": %s for nothing', (value) => {
    const text = one('mcpServers', `{"url": "${url}", "oauth": ${value}}`);
    expect([read(text, 'mcpJson'), problemsOf(text, 'mcpJson')]).toEqual([{ a: { type: 'http', url } }, []]);
  });
});

describe('a command that holds arguments', () => {
  it.each([
    ['"command": "npx -y \\"a b\\""', { command: 'npx', args: ['-y', 'a b'] }],
    [
      '"type": "stdio", "command": "npx -y", // c\n "args": ["a"]',
      { type: 'stdio', command: 'npx', args: ['-y', 'a'] },
    ],
    ['"command": "/usr/bin/node --inspect server.js"', { command: '/usr/bin/node', args: ['--inspect', 'server.js'] }],
    [
      '"command": "uvx mcp-server-fetch", "env": {"A": "1"}',
      { command: 'uvx', args: ['mcp-server-fetch'], env: { A: '1' } },
    ],
  ])('is split by its fix: %s', (members, expected) => {
    const text = one('servers', `{${members}}`);
    expect(parseConfiguration(text, 'vscode').problems).toMatchObject([
      {
        code: 'badType',
        severity: 'warning',
        message: expect.stringMatching(/Move its arguments into "args"\.$/) as string,
      },
    ]);
    expect(read(fixed(text, 'vscode'), 'vscode')).toMatchObject({ a: expected });
    expect(problemsOf(fixed(text, 'vscode'), 'vscode')).toEqual([]);
  });

  it.each(['C:\\\\Program Files\\\\x.exe', '/opt/my tools/run', '${workspaceFolder}/a b', './a b', ' npx '])(
    'is no path with a space: %s',
    (command) => {
      expect(problemsOf(one('servers', `{"command": "${command}"}`), 'vscode')).toEqual([]);
    },
  );

  it('gives the arguments a line of their own where members have one', () => {
    const text = '{\n  "servers": {\n    "a": {\n      "command": "npx a"\n    }\n  }\n}\n';
    expect(fixed(text, 'vscode')).toContain('      "command": "npx",\n      "args": ["a"]\n    }');
  });

  it('has no fix under another name, which has one of its own', () => {
    const { problems } = parseConfiguration(one('servers', '{"transport": {"command": "npx a"}}'), 'vscode');
    expect(problems.map(({ code, fix }) => [code, fix?.kind])).toEqual([
      ['unknownType', 'moveOut'],
      ['badType', undefined],
    ]);
  });
});

describe('variables', () => {
  it.each([
    ['"env": {"T": "${localEnv:A:b}"}', /Dev containers replace it/],
    ['"args": ["${config:example.port}"]', /VS Code replaces it, Patchbay does not/],
    ['"args": ["${command:example.pick}"]', /an input of type "command"/],
  ])('says the truth about %s', (member, message) => {
    const { problems } = parseConfiguration(one('servers', `{"command": "x", ${member}}`), 'vscode');
    expect(problems).toMatchObject([{ code: 'unknownVariable', message: expect.stringMatching(message) as string }]);
  });

  it.each([
    ['"env": {"T": "${EXAMPLE_TOKEN}"}', '${env:EXAMPLE_TOKEN}'],
    ['"args": ["--token=${EXAMPLE_TOKEN}"]', '--token=${env:EXAMPLE_TOKEN}'],
    ['"env": {"T": "${localEnv:A}"}', '${env:A}'],
    ['"cwd": "${containerWorkspaceFolder}/a"', '${workspaceFolder}/a'],
    ['"cwd": "${localWorkspaceFolder}"', '${workspaceFolder}'],
    ['"cwd": "${workspacefolder}"', '${workspaceFolder}'],
    ['"env": {"T": "{env:A}"}', '${env:A}'],
    ['"args": ["${localWorkspaceFolderBasename}"]', '${workspaceFolderBasename}'],
  ])('offers the name that the client knows: %s', (member, expected) => {
    expect(fixed(one('mcpServers', `{"command": "x", ${member}}`), 'cursor')).toContain(`"${expected}"`);
  });

  it('takes nothing in code for a variable of another client', () => {
    const code = one('mcpServers', '{"command": "node", "args": ["-e", "f({env:process})"]}');
    expect(problemsOf(code, 'cursor')).toEqual([]);
  });

  it.each([
    '"args": ["-c", "echo ${HOME}"]',
    '"env": {"T": "${{ secrets.A }}"}',
    '"env": {"T": "${A:-${B}}"}',
    '"env": {"T": "${A:-b}"}',
  ])('offers nothing for %s', (member) => {
    const { problems } = parseConfiguration(one('mcpServers', `{"command": "x", ${member}}`), 'cursor');
    expect(problems.map(({ code, fix }) => [code, fix])).toEqual([['unknownVariable', undefined]]);
  });

  it.each<[FileKind, string, string]>([
    ['vscode', '${env:R:-eu}', 'eu'],
    ['mcpJson', '${env:R:-eu}', 'eu'],
    ['vscode', '${env:SET:-eu}', 'set'],
    ['mcpJson', '${workspaceFolder:-.}', '/w'],
    ['devcontainer', '${containerWorkspaceFolder}/${containerWorkspaceFolderBasename}', '/w/w'],
    ['devcontainer', '${containerEnv:SET}${containerEnv:R:eu}', 'seteu'],
  ])('replaces in %s %s', async (kind, reference, expected) => {
    const entry = `{"command": "x", "args": ["${reference}"]}`;
    const section = one(kind === 'mcpJson' ? 'mcpServers' : 'servers', entry);
    const text = kind === 'devcontainer' ? `{"customizations": {"vscode": {"mcp": ${section}}}}` : section;
    expect(problemsOf(text, kind)).toEqual([]);
    expect((await launch(text, kind, { SET: 'set' })).plan).toMatchObject({ args: [expected] });
  });

  it('offers no variable of the container for one outside of it', () => {
    const section = one('servers', '{"command": "x", "env": {"T": "${localEnv:T}"}}');
    const { problems } = parseConfiguration(`{"customizations": {"vscode": {"mcp": ${section}}}}`, 'devcontainer');
    expect(problems.map(({ message, fix }) => [message, fix])).toEqual([
      [expect.stringContaining('hand it in by "remoteEnv"'), undefined],
    ]);
  });

  it.each([
    ['[{"id": "k", "description": "Key"}]', [{ type: 'promptString', password: true }], ['warning unknownType']],
    [
      '[{"id": "k", "type": "text", "password": false}]',
      [{ type: 'promptString', password: false }],
      ['warning unknownType'],
    ],
    [
      '[{"id": "k", "options": [1, "b"]}]',
      [{ type: 'pickString', options: [{ value: '1' }, { value: 'b' }] }],
      ['warning unknownType'],
    ],
    ['[{"id": "k", "type": "promptString", "default": 8080}]', [{ default: '8080', password: false }], []],
    ['[{"id": "k", "type": "promptString", "password": "true"}]', [{ password: true }], []],
    ['[{"id": "k", "type": "pickString"}]', [], ['error badType']],
  ])('reads the inputs %s, which the server is not told are missing', (inputs, expected, codes) => {
    const text = `{"inputs": ${inputs}, "servers": {"a": {"command": "x", "args": ["\${input:k}"]}}}`;
    const parsed = parseConfiguration(text, 'vscode');
    expect(parsed.inputs).toMatchObject(expected);
    expect(parsed.problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual(codes);
  });

  it('offers no input where there is no list for it', () => {
    const text = '{"inputs": {"k": {}}, "servers": {"a": {"command": "x", "args": ["${input:k}"]}}}';
    expect(parseConfiguration(text, 'vscode').problems.map(({ code, fix }) => [code, fix])).toEqual([
      ['badType', undefined],
      ['undefinedInput', undefined],
    ]);
  });

  it('starts a server whose variable is not set, with a warning', async () => {
    const text = one('mcpServers', '{"command": "npx", "env": {"EXAMPLE_API_KEY": "${EXAMPLE_API_KEY}"}}');
    const { plan, view } = await launch(text, 'mcpJson');
    expect(plan).toMatchObject({
      env: { EXAMPLE_API_KEY: '${EXAMPLE_API_KEY}' },
      warnings: [expect.stringContaining('EXAMPLE_API_KEY is not set')],
    });
    expect(plan.secrets).toBeUndefined();
    expect(launchWarnings(view, false).map((warning) => warning.text)).toEqual(plan.warnings);
    const set = await launch(text, 'mcpJson', { EXAMPLE_API_KEY: 'k' });
    expect(set.plan).toMatchObject({ env: { EXAMPLE_API_KEY: 'k' } });
    expect(set.plan.warnings).toBeUndefined();
  });

  it('connects to a server whose header has a variable that is not set', async () => {
    const text = one('mcpServers', `{"url": "${url}", "headers": {"X-Api-Key": "\${EXAMPLE_API_KEY}"}}`);
    expect((await launch(text, 'mcpJson')).plan).toMatchObject({ headers: { 'X-Api-Key': '${EXAMPLE_API_KEY}' } });
    const query = one('mcpServers', `{"url": "${url}?key=\${EXAMPLE_API_KEY}"}`);
    expect((await launch(query, 'mcpJson')).plan.warnings).toHaveLength(1);
    const optional = one('mcpServers', '{"url": "https://a.example${env:BASE}/mcp"}');
    expect((await launch(optional, 'mcpJson')).plan).toMatchObject({ url: new URL('https://a.example/mcp') });
    const path = one('mcpServers', '{"url": "https://${HOST:-a.example/x}/${TENANT}"}');
    expect((await launch(path, 'mcpJson')).plan.warnings).toHaveLength(1);
  });

  it.each([
    '{"command": "${DIR}/x"}',
    '{"command": "x", "cwd": "${DIR}"}',
    '{"url": "${DIR}/mcp"}',
    '{"url": "https://${DIR}/mcp"}',
    '{"url": "https://${env:DIR}/mcp"}',
    '{"url": "https://a.${env:DIR}/mcp"}',
    '{"url": "https://a.example:${env:DIR}/mcp"}',
    '{"url": "https://${HOST:-a.example}:${DIR}/mcp"}',
  ])('refuses %s, which cannot work', async (entry) => {
    const missing = problem('configuration', /uses \$\{(?:env:)?DIR\}, but the environment variable DIR is not set/);
    await expect(launch(one('mcpServers', entry), 'mcpJson')).rejects.toEqual(missing);
  });

  const nested = one('mcpServers', '{"command": "node", "args": ["${A:-${B}}", "${C:-/var/${USER}/data}"]}');
  it.each<[Record<string, string>, string[]]>([
    [{ A: 'x', B: 'y' }, ['x', '/var/${USER}/data']],
    [{ B: 'y', C: 'z' }, ['${B}', 'z']],
  ])('takes a default to its own brace: %j', async (environment, args) => {
    expect((await launch(nested, 'mcpJson', environment)).plan).toMatchObject({ args });
  });

  const bare = one('mcpServers', '{"command": "npx", "args": ["$REGION"], "env": {"TOKEN": "$EXAMPLE_TOKEN"}}');
  it.each<[FileKind, object]>([
    ['github', { args: ['eu'], env: { TOKEN: 't' } }],
    ['mcpJson', { args: ['$REGION'], env: { TOKEN: '$EXAMPLE_TOKEN' } }],
  ])('reads $NAME as the clients of %s do', async (kind, expected) => {
    expect((await launch(bare, kind, { REGION: 'eu', EXAMPLE_TOKEN: 't' })).plan).toMatchObject(expected);
  });

  const plugin = one('mcpServers', '{"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/server.js"]}');
  it('gives the servers of a plugin its folder', async () => {
    const manifest = ['/w/.claude-plugin/plugin.json'];
    expect((await launch(plugin, 'mcpJson', {}, manifest)).plan).toMatchObject({ args: ['/w/server.js'] });
    await expect(launch(plugin, 'mcpJson')).rejects.toEqual(
      problem('configuration', /only a plugin of Claude Code has/),
    );
    const project = one('mcpServers', '{"command": "node", "args": ["${CLAUDE_PROJECT_DIR}/server.js"]}');
    expect((await launch(project, 'mcpJson')).plan).toMatchObject({ args: ['/w/server.js'] });
  });

  it.each<[FileKind, string]>([
    ['vscode', '/usr/bin:/opt/example/bin'],
    ['cursor', '/opt/example/bin'],
  ])('adds PATH as the client of %s does', async (kind, expected) => {
    const section = kind === 'vscode' ? 'servers' : 'mcpServers';
    const { plan } = await launch(one(section, '{"command": "node", "env": {"PATH": "/opt/example/bin"}}'), kind);
    if (plan.kind !== 'stdio') throw new Error(plan.kind);
    const built = buildEnvironment({ PATH: '/usr/bin' }, plan.env, 'linux', plan.addsToPath);
    expect(built).toEqual({ PATH: expected });
  });
});

describe('import', () => {
  it('turns the variables of Claude Code into those of Patchbay', async () => {
    const text = one(
      'mcpServers',
      '{"command": "npx", "env": {"TOKEN": "${EXAMPLE_TOKEN}", "REGION": "${REGION:-eu}"}}',
    );
    const { servers } = await readImport(text, 'claudeCode', { style: 'shell' });
    expect(servers).toMatchObject([{ definition: { env: { TOKEN: '${env:EXAMPLE_TOKEN}', REGION: 'eu' } } }]);
    expect(servers[0]?.notes).toEqual([expect.stringMatching(/^\$\{REGION:-…\} became its default/)]);
  });

  it('keeps what a shell replaces, and what VS Code passes on', async () => {
    const code = one('mcpServers', '{"command": "sh", "args": ["-c", "echo ${HOME}"]}');
    const { servers } = await readImport(code, 'mcpServers', { style: 'editor' });
    expect(servers).toMatchObject([{ definition: { args: ['-c', 'echo ${HOME}'] } }]);
    const own = one('servers', '{"command": "x", "env": {"A": "${B}"}}');
    const imported = await readImport(own, 'vscode', { style: 'editor' });
    expect(imported.servers).toMatchObject([{ definition: { env: { A: '${B}' } } }]);
  });

  it('names what it leaves out', async () => {
    const text = `{"mcpServers": {"a": ${program}, "b": {"type": "http"}, "c": {"command": ["npx"]}}}`;
    const imported = await readImport(text, 'mcpServers', { style: 'editor' });
    for (const { servers, problems } of [imported, importPasted(text, '')]) {
      expect(servers.map(({ label }) => label)).toEqual(['a']);
      expect(problems).toEqual([expect.stringContaining('"b"'), expect.stringContaining('"c"')]);
    }
    const partly = one(
      'mcpServers',
      `{"url": "${url}", "headersHelper": "x", "oauth": {"clientSecret": "s", "clientId": "c"}}`,
    );
    const notes = [expect.stringContaining('headersHelper'), expect.stringContaining('auth.clientSecret')];
    const definition = { type: 'http', url, patchbay: { auth: { clientId: 'c' } } };
    const { servers } = await readImport(partly, 'claudeCode', { style: 'shell' });
    expect(servers).toMatchObject([{ definition, notes }]);
  });

  it.each([
    ['opencode', '{"mcp": {"a": {"enabled": false}}}'],
    ['codex', '[mcp_servers.a]\nenabled = false\n'],
    ['mcpServers', '{"mcpServers": {"a": {"command": "", "disabled": true}}}'],
  ] as const)('says of an entry in %s that it only turns a server off', async (format, text) => {
    const { servers, problems } = await readImport(text, format, { style: 'editor' });
    expect([servers, problems]).toEqual([[], [expect.stringMatching(/^Server "a": it is turned off here/)]]);
  });

  it.each([
    ['in a dotted setting', `{"mcp.servers": {"a": ${remote}}}`, {}],
    [
      'with the headers of Copilot for JetBrains',
      one('servers', `{"url": "${url}", "requestInit": {"headers": {"X-Team": "core"}}}`),
      { headers: { 'X-Team': 'core' } },
    ],
  ])('reads a server %s', async (_what, text, more) => {
    const { servers } = await readImport(text, 'vscode', { style: 'editor' });
    expect(servers).toMatchObject([{ definition: { type: 'http', url, ...more }, notes: [] }]);
  });

  it('reads what is pasted from opencode', () => {
    const local =
      '{"type": "local", "command": ["npx", "-y", "x"], "environment": {"K": "{env:KEY}"}, "enabled": true}';
    const definition = { type: 'stdio', command: 'npx', args: ['-y', 'x'], env: { K: '${env:KEY}' } };
    const texts = [`{"mcp": {"a": ${local}, "b": {"type": "remote", "url": "${url}"}}}`, `"a": ${local}`, local];
    expect(texts.map((text) => importPasted(text, 'a'))).toMatchObject([
      {
        servers: [
          { label: 'a', definition },
          { label: 'b', definition: { type: 'http', url } },
        ],
        problems: [],
      },
      { servers: [{ label: 'a', definition }], problems: [] },
      { servers: [{ label: 'a', definition }], problems: [] },
    ]);
    const secret = `{"mcp": {"b": {"type": "remote", "url": "${url}", "headers": {"A": "{file:./key}"}}}}`;
    expect(importPasted(secret, '').problems).toEqual([expect.stringContaining('{file:./key}')]);
  });

  it.each([
    `{"folders": [{"path": "."}], "settings": {"mcp": {"servers": {"a": ${program}}}}}`,
    `{"image": "x", "customizations": {"vscode": {"mcp": {"servers": {"a": ${program}}}}}}`,
    `{"customizations": {"vscode": {"settings": {"mcp": {"servers": {"a": ${program}}}}}}}`,
    `{"amp.mcpServers": {"a": ${program}}, "amp.tab": true}`,
  ])('finds the section in %s', (text) => {
    const { servers, problems } = importPasted(text, '');
    expect([servers.map(({ label }) => label), problems]).toEqual([['a'], []]);
    expect(servers.every(({ definition }) => isStdio(definition))).toBe(true);
  });
});

/** The definitions and the inputs of a file. */
function readAll(text: string, kind: FileKind): unknown {
  return [read(text, kind), parseConfiguration(text, kind).inputs];
}

// What is read, and whether each fix of it leaves it so.
describe('odd files', () => {
  const http = { type: 'http', url };
  const stdio = { type: 'stdio', command: 'x' };
  const nested = `{"type": "http", "url": "${url}"}`;
  it.each<[string, FileKind, unknown, string[]]>([
    [`{"url": null, "serverUrl": "${url}"}`, 'vscode', http, ['warning unknownKey @"serverUrl"']],
    [`{"serverUrl": "${url}", "url": ""}`, 'cursor', http, ['warning unknownKey @"serverUrl"']],
    ['{"command": "", "cmd": "x"}', 'vscode', stdio, ['warning unknownKey @"cmd"']],
    ['{"Cmd": "x"}', 'vscode', stdio, ['warning unknownKey @"Cmd"']],
    [`{"serverURL": "${url}"}`, 'mcpJson', http, ['warning unknownKey @"serverURL"']],
    [
      '{"Command": "y", "Command": "x"}',
      'vscode',
      stdio,
      ['warning unknownKey @"Command"', 'warning duplicateKey @"Command"'],
    ],
    [`{"url": null, "transport": ${nested}}`, 'vscode', http, ['warning unknownType @"transport"']],
    [`{"transport": ${nested}, "url": null}`, 'vscode', http, ['warning unknownType @"transport"']],
    [
      `{"transport": {"serverUrl": "https://b.example"}, "url": "${url}"}`,
      'vscode',
      http,
      ['warning unknownType @"transport"'],
    ],
    [`{"url": "${url}", "requestInit": {}}`, 'vscode', http, []],
    [
      `{"url": "${url}", "headers": null, "requestInit": {"headers": {"A": 1.0}}}`,
      'vscode',
      { ...http, headers: { A: '1.0' } },
      ['warning unknownType @"requestInit"'],
    ],
    [
      `{"url": "${url}", "headers": {"A": "1"}, "requestOptions": {"headers": {"B": "2"}}}`,
      'vscode',
      { ...http, headers: { A: '1' } },
      ['warning unknownType @"requestOptions"'],
    ],
    [
      '{"command": "x", "env": [{"name": "A", "value": "1"}, "B: 2"]}',
      'vscode',
      { ...stdio, env: { A: '1', B: '2' } },
      ['warning badType @[{"name": "A", "value": "1"}, "B: 2"]'],
    ],
    [
      '{"command": "x", "env": ["a.b=1=2"]}',
      'vscode',
      { ...stdio, env: { 'a.b': '1=2' } },
      ['warning badType @["a.b=1=2"]'],
    ],
    [
      '{"command": "x", "env": [{"name": "A", "value": "1", "secret": true}]}',
      'vscode',
      stdio,
      ['error badType @[{"name": "A", "value": "1", "secret": true}]'],
    ],
    [
      '{"command": "x", "args": ["${env:A:-${env:B}}", "${env:A:-b}"]}',
      'vscode',
      { ...stdio, args: ['${env:A:-${env:B}}', '${env:A:-b}'] },
      ['warning unknownVariable @${env:A:-${env:B}}'],
    ],
    [
      '{"serverUrl": "https://${config:h}/"}',
      'vscode',
      { type: 'http', url: 'https://${config:h}/' },
      ['warning unknownKey @"serverUrl"', 'error unknownVariable @${config:h}'],
    ],
    [
      '{"transport": {"cmd": "x", "environment": {"T": "${config:t}"}}}',
      'vscode',
      { ...stdio, env: { T: '${config:t}' } },
      [
        'warning unknownType @"transport"',
        'warning unknownKey @"cmd"',
        'warning unknownKey @"environment"',
        'error unknownVariable @${config:t}',
      ],
    ],
  ])('%s', (entry, kind, definition, expected) => {
    const text = one(kind === 'vscode' ? 'servers' : 'mcpServers', entry);
    expect([read(text, kind), problemsOf(text, kind)]).toEqual([{ a: definition }, expected]);
    for (const { fix } of parseConfiguration(text, kind).problems) {
      const after = fix === undefined ? text : applyTextEdits(text, editsForFix(text, fix));
      expect(readAll(after, kind)).toEqual(readAll(text, kind));
    }
  });

  it.each([
    ['{"id": "t", "type": "string"}', true],
    ['{"id": "t", "type": "string", "password": null}', true],
    ['{"id": "t", "type": "secret", "password": false}', false],
    ['{"id": "t", "type": "promptString", "password": "yes"}', true],
    ['{"id": "t", "type": "promptString", "password": 1}', true],
    ['{"id": "t", "type": "promptString", "password": "false"}', false],
    ['{"id": "t", "type": "promptString"}', false],
    ['{"id": "t"}', true],
    ['{"password": true, "id": "t"}', true],
  ])('hides the answer to %s: %s', (input, password) => {
    const text = `{"inputs": [${input}], "servers": {"a": {"command": "x"}}}`;
    const { inputs, problems } = parseConfiguration(text, 'vscode');
    expect(inputs).toMatchObject([{ id: 't', password }]);
    for (const { fix } of problems) {
      const after = fix === undefined ? text : applyTextEdits(text, editsForFix(text, fix));
      expect(parseConfiguration(after, 'vscode').inputs).toEqual(inputs);
    }
  });

  it.each([
    [
      '{"id": "t"}',
      '{"type": "promptString", "password": true, "id": "t"}',
      'Add "type": "promptString", "password": true',
    ],
    [
      '{"id": "t", "password": false}',
      '{"type": "promptString", "id": "t", "password": false}',
      'Add "type": "promptString"',
    ],
    [
      '{"id": "t", "options": ["a"]}',
      '{"type": "pickString", "id": "t", "options": ["a"]}',
      'Add "type": "pickString"',
    ],
    [
      '{"id": "t", "type": "text"}',
      '{"id": "t", "type": "promptString", "password": true}',
      'Change to "promptString", "password": true',
    ],
  ])('writes the type of the input %s', (input, expected, title) => {
    const before = `{"inputs": [${input}], "servers": {"a": {"command": "x"}}}`;
    expect(parseConfiguration(before, 'vscode').problems.map(({ fix }) => fix?.title)).toEqual([title]);
    const after = fixed(before, 'vscode');
    expect([after, problemsOf(after)]).toEqual([`{"inputs": [${expected}], "servers": {"a": {"command": "x"}}}`, []]);
  });

  it('keeps numbers as they are written when arguments move', () => {
    const text = one('servers', '{"command": "x y", "args": [3.10, 12345678901234567890]}');
    expect(read(fixed(text, 'vscode'), 'vscode')).toEqual({
      a: { ...stdio, args: ['y', '3.10', '12345678901234567890'] },
    });
  });

  it('adds no second input for an id that is a number', () => {
    const text = '{"inputs": [{"id": 5, "type": "promptString"}], "servers": {}}';
    const input = { type: 'promptString', id: '5', description: '', default: undefined, password: true } as const;
    expect(addInputEdits(text, 'vscode', input)).toEqual([]);
  });

  it('names no place that a workspace file does not have', () => {
    expect(problemsOf('{"mcp.servers": {"a": {"command": "x"}}}', 'codeWorkspace')).toEqual([]);
  });

  it('replaces no ${NAME} in a devcontainer.json', () => {
    const text = `{"customizations": {"vscode": {"mcp": ${one('servers', '{"command": "x", "args": ["${A}"]}')}}}}`;
    expect(problemsOf(text, 'devcontainer')).toEqual(['warning unknownVariable @${A}']);
  });
});
