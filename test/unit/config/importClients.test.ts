import { describe, expect, it } from 'vitest';
import table from '../../../src/config/importClients.json' with { type: 'json' };
import {
  clientNames,
  importCandidates,
  type ImportFormat,
  importFormats,
  workspaceCandidates,
} from '../../../src/config/importClients.ts';
import { readImport } from '../../../src/config/importServers.ts';
import type { VariableSyntax } from '../../../src/config/variables.ts';

const styles: readonly VariableSyntax[] = ['editor', 'shell', 'dollar', 'opencode', 'secrets'];

describe('the table of clients', () => {
  it('names formats, styles and sources that there are', () => {
    for (const { client, format, variables, source, user, workspace } of table.clients) {
      expect(importFormats, client).toHaveProperty(format);
      expect(styles, client).toContain(variables);
      expect(source, client).toMatch(/^https:\/\//);
      expect(user.length + workspace.length, client).toBeGreaterThan(0);
    }
  });

  it.each(['linux', 'darwin', 'win32'] as const)('has absolute paths without placeholders on %s', (platform) => {
    const userHome = platform === 'win32' ? 'C:\\Users\\me' : '/home/me';
    const paths = importCandidates({ platform, userHome, environment: {} }).map(({ path }) => path);
    for (const path of paths) {
      expect(path.startsWith(userHome)).toBe(true);
      expect(path).not.toMatch(/[{}]|(?:win32|unix):/);
      if (platform === 'win32') expect(path).not.toContain('/');
    }
    const all = [...paths, ...workspaceCandidates().map(({ path, format }) => `${format} ${path}`)];
    expect(new Set(all).size).toBe(all.length);
  });

  it.each([
    ['linux', '/home/me', {}, '/home/me/.config/Claude/claude_desktop_config.json'],
    ['linux', '/home/me', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/Claude/claude_desktop_config.json'],
    ['linux', '/home/me', { CODEX_HOME: '/codex' }, '/codex/config.toml'],
    ['darwin', '/Users/me', {}, '/Users/me/Library/Application Support/Claude/claude_desktop_config.json'],
    ['darwin', '/Users/me', {}, '/Users/me/.config/zed/settings.json'],
    ['linux', '/home/me', {}, '/home/me/.config/devin/mcp_config.json'],
    // What is not absolute is no place, as in other programs.
    ['linux', '/home/me', { XDG_CONFIG_HOME: 'x', CODEX_HOME: 'x' }, '/home/me/.codex/config.toml'],
    ['linux', '/home/me', { XDG_CONFIG_HOME: '' }, '/home/me/.config/Claude/claude_desktop_config.json'],
    ['linux', '/home/me', { CLAUDE_CONFIG_DIR: './x' }, '/home/me/.claude.json'],
    ['linux', '/home/me', { COPILOT_HOME: 'x/y' }, '/home/me/.copilot/mcp-config.json'],
    [
      'win32',
      'C:\\Users\\me',
      { APPDATA: 'x', LOCALAPPDATA: 'x' },
      'C:\\Users\\me\\AppData\\Local\\github-copilot\\intellij\\mcp.json',
    ],
    ['win32', 'C:\\Users\\me', { APPDATA: 'x' }, 'C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
    ['win32', 'C:\\Users\\me', { APPDATA: 'C:\\R' }, 'C:\\R\\Claude\\claude_desktop_config.json'],
    ['win32', 'C:\\Users\\me', {}, 'C:\\Users\\me\\AppData\\Roaming\\Block\\goose\\config\\config.yaml'],
    ['win32', 'C:\\Users\\me', {}, 'C:\\Users\\me\\.cursor\\mcp.json'],
  ] as const)('looks on %s, from %s with %o, at %s', (platform, userHome, environment, expected) => {
    expect(importCandidates({ platform, userHome, environment }).map(({ path }) => path)).toContain(expected);
  });
});

interface ClientCase {
  readonly path: string;
  readonly text: string;
  /** The definitions by label. */
  readonly servers: Readonly<Record<string, object>>;
  readonly notes?: readonly RegExp[];
  readonly problems?: readonly RegExp[];
  readonly inputs?: readonly string[];
}

const npx = { type: 'stdio', command: 'npx', args: ['-y', 'example-tool'] };
const remote = { type: 'http', url: 'https://a.example/mcp' };
const written = '{"command": "npx", "args": ["-y", "example-tool"]}';

/** One small file of each client. */
const cases: Readonly<Record<string, ClientCase>> = {
  'Claude Desktop': {
    path: 'claude_desktop_config.json',
    text: `{"globalShortcut": "", "mcpServers": {"a": ${written}, "b": {"command": "x", "cwd": "\${workspaceRoot}", "env": {"K": "\${HOME}", "L": "\${execPath} \${a.b}"}}}}`,
    servers: {
      a: npx,
      b: { type: 'stdio', command: 'x', cwd: '${workspaceRoot}', env: { K: '${HOME}', L: '${execPath} ${a.b}' } },
    },
    notes: [
      /^\$\{HOME\} is plain text for the other client\. In \.mcp\.json it becomes the environment variable\.$/,
      /^\$\{a\.b\} is plain text for the other client\.$/,
      /^the variable \$\{execPath\} is not replaced here\./,
    ],
  },
  'Claude Code': {
    path: '.claude.json',
    text: `{"numStartups": 3, "mcpServers": {"a": {"type": "stdio", "command": "npx", "args": ["-y", "example-tool"], "env": {"TOKEN": "\${EXAMPLE_TOKEN}", "REGION": "\${REGION:-eu}", "HOST": "\${SET:-\${OTHER}}", "DEEP": "\${A:-<\${B:-\${C}}>}", "DIR": "\${cwd}"}}},
      "projects": {"/p": {"mcpServers": {"b": {"type": "sse", "url": "https://a.example/mcp", "headersHelper": "x"}}}}}`,
    servers: {
      a: {
        ...npx,
        env: { TOKEN: '${env:EXAMPLE_TOKEN}', REGION: 'eu', HOST: '${env:SET}', DEEP: '<${env:C}>', DIR: '${cwd}' },
      },
      b: { ...remote, type: 'sse' },
    },
    notes: [
      /^\$\{REGION:-…\} became its default, as it is not set here\.$/,
      /^\$\{SET:-…\} became \$\{env:SET\}, which is set here, without a default\.$/,
      /^\$\{A:-…\} became its default/,
      /^\$\{B:-…\} became its default/,
      /^"headersHelper" is not used\. Patchbay does not run it\./,
    ],
  },
  Cursor: {
    path: '.cursor/mcp.json',
    text: `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "example-tool"], "envFile": "\${workspaceFolder}/.env"}, "b": {"url": "https://a.example/mcp", "auth": {"CLIENT_ID": "x"}}}}`,
    servers: {
      a: { ...npx, envFile: '${workspaceFolder}/.env' },
      b: { ...remote, patchbay: { auth: { clientId: 'x' } } },
    },
  },
  Windsurf: {
    path: 'windsurf/mcp_config.json',
    text: '{"mcpServers": {"a": {"serverUrl": "https://a.example/mcp", "headers": {"X": "${env:KEY}"}, "disabledTools": ["t"], "disabled": false}}}',
    servers: { a: { ...remote, headers: { X: '${env:KEY}' } } },
    notes: [/^"disabledTools" is not used\. Patchbay lists all tools/],
  },
  'Copilot CLI': {
    path: 'mcp-config.json',
    text: '{"mcpServers": {"a": {"type": "local", "command": "npx", "args": ["-y", "example-tool"], "env": {"A": "$A", "B": "${B}", "C": "${C:-$D}"}, "tools": ["read"]}}}',
    servers: { a: { ...npx, env: { A: '${env:A}', B: '${env:B}', C: '${env:D}' } } },
    notes: [/^\$\{C:-…\} became its default/, /^"tools" is not used/],
  },
  Codex: {
    path: 'config.toml',
    text: `model = "m"
[mcp_servers.a]
command = "npx"
args = ["-y", "example-tool"]
env_vars = ["ONE", { name = "TWO", source = "local" }]
startup_timeout_sec = 20
[mcp_servers.a.env]
KEY = "v"
[mcp_servers."b c"]
url = "https://a.example/mcp"
bearer_token_env_var = "TOKEN"
http_headers = { "X-A" = "1" }
env_http_headers = { "X-B" = "B" }
enabled = false
`,
    servers: {
      a: { ...npx, env: { ONE: '${env:ONE}', TWO: '${env:TWO}', KEY: 'v' } },
      'b c': { ...remote, headers: { 'X-A': '1', 'X-B': '${env:B}', Authorization: 'Bearer ${env:TOKEN}' } },
    },
    notes: [/^"startup_timeout_sec" is not used\. Use "timeouts"/],
  },
  'Gemini CLI': {
    path: '.gemini/settings.json',
    text: '{"theme": "x", "mcpServers": {"a": {"httpUrl": "https://a.example/mcp", "headers": {"X": "Key $KEY"}, "trust": true, "timeout": 9}}}',
    servers: { a: { ...remote, headers: { X: 'Key ${env:KEY}' } } },
    notes: [/^"trust" is not used\. Patchbay asks by its own rules/, /^"timeout" is not used/],
  },
  Cline: {
    path: 'cline_mcp_settings.json',
    text: '{"mcpServers": {"a": {"type": "streamableHttp", "url": "https://a.example/mcp", "autoApprove": [], "disabled": true}}}',
    servers: { a: remote },
  },
  'Roo Code': {
    path: '.roo/mcp.json',
    text: '{"mcpServers": {"a": {"type": "streamable-http", "url": "https://a.example/mcp", "alwaysAllow": ["t"], "watchPaths": ["x"]}}}',
    servers: { a: remote },
    notes: [/^"alwaysAllow" is not used/, /^"watchPaths" is not used/],
  },
  'Kilo Code': {
    path: 'kilo.jsonc',
    text: '{"mcp": {"a": {"type": "local", "command": ["npx", "-y", "example-tool"], "enabled": true}}} // mine',
    servers: { a: npx },
  },
  Kiro: {
    path: '.kiro/settings/mcp.json',
    text: '{"mcpServers": {"a": {"command": "npx", "args": ["-y", "example-tool"], "env": {"K": "${KEY}"}}, "b": {"type": "registry"}}}',
    servers: { a: { ...npx, env: { K: '${env:KEY}' } } },
    problems: [/^Server "b": only its name is there/],
  },
  Zed: {
    path: '.zed/settings.json',
    text: `{"theme": "x", "context_servers": {"a": {"source": "custom", "command": "npx", "args": ["-y", "example-tool"], "env": {}},
      "old": {"command": {"path": "x", "args": ["1"], "env": null}, "settings": {}}, "b": {"settings": {"k": 1}}, "c": {"source": "extension", "enabled": true}}}`,
    servers: { a: npx, old: { type: 'stdio', command: 'x', args: ['1'] } },
    problems: [/^Server "b": it comes with an extension/, /^Server "c": it comes with an extension/],
  },
  opencode: {
    path: 'opencode.json',
    text: '{"mcp": {"a": {"type": "local", "command": ["npx", "-y", "example-tool"], "environment": {"K": "{env:KEY}", "F": "{file:~/k}"}}, "b": {"type": "remote", "url": "https://a.example/mcp"}}}',
    servers: { a: { ...npx, env: { K: '${env:KEY}', F: '{file:~/k}' } }, b: remote },
    notes: [/^\{file:~\/k\} stays as it is written/],
  },
  Continue: {
    path: 'config.yaml',
    text: `name: Mine
mcpServers:
  - name: a
    command: npx
    args: ["-y", example-tool]
    env:
      KEY: \${{ secrets.EXAMPLE_KEY }}
  - name: b
    type: streamable-http
    url: https://a.example/mcp
    requestOptions: { headers: { X: "1" }, verifySsl: false }
  - name: c
    type: streamable-http
    url: https://a.example/mcp
    apiKey: \${{ secrets.SITE_KEY }}
    requestOptions: { headers: { X: "1", authorization: none } }
  - { name: d, command: npx, args: ["-y", example-tool], apiKey: abc }
`,
    servers: {
      a: { ...npx, env: { KEY: '${input:EXAMPLE_KEY}' } },
      b: { ...remote, headers: { X: '1' } },
      c: { ...remote, headers: { X: '1', Authorization: 'Bearer ${input:SITE_KEY}' } },
      d: npx,
    },
    notes: [
      /^The other client keeps its secrets, so Patchbay asks for them\.$/,
      /^the key "verifySsl" is not known and is ignored\.$/,
      /^The other client keeps its secrets, so Patchbay asks for them\.$/,
      /^the key "apiKey" is not known and is ignored\.$/,
    ],
    inputs: ['EXAMPLE_KEY', 'SITE_KEY'],
  },
  Goose: {
    path: 'goose/config.yaml',
    text: `GOOSE_MODEL: m
extensions:
  a: { enabled: true, type: stdio, name: a, cmd: npx, args: ["-y", example-tool], envs: { R: eu }, env_keys: [KEY], timeout: 300 }
  b: { enabled: true, type: streamable_http, uri: "https://a.example/mcp", headers: { X: "\${TOKEN}" } }
  c: { type: streamable_http, uri: "https://a.example/mcp", headers: { X: "\${SECRET}" }, env_keys: [SECRET, UNUSED] }
  d: { type: streamable_http, uri: "https://a.example/mcp", env_keys: [UNUSED] }
  developer: { enabled: true, type: builtin, name: developer }
`,
    servers: {
      a: { ...npx, env: { KEY: '${input:KEY}', R: 'eu' } },
      b: { ...remote, headers: { X: '${env:TOKEN}' } },
      c: { ...remote, headers: { X: '${input:SECRET}' } },
      d: remote,
    },
    notes: [/^The other client keeps its secrets/, /^"timeout" is not used/, /^The other client keeps its secrets/],
    problems: [/^Server "developer": it is a part of the client, not a server\.$/],
    inputs: ['KEY', 'SECRET'],
  },
  'JetBrains Junie': { path: '.junie/mcp/mcp.json', text: `{"mcpServers": {"a": ${written}}}`, servers: { a: npx } },
  'JetBrains AI Assistant': {
    path: '.ai/mcp/mcp.json',
    text: `{"mcpServers": {"a": ${written}}}`,
    servers: { a: npx },
  },
  'Copilot for JetBrains': { path: 'intellij/mcp.json', text: `{"servers": {"a": ${written}}}`, servers: { a: npx } },
  'LM Studio': { path: '.lmstudio/mcp.json', text: `{"mcpServers": {"a": ${written}}}`, servers: { a: npx } },
  'Amazon Q': {
    path: 'cli-agents/*.json',
    text: `{"name": "agent", "tools": ["*"], "mcpServers": {"a": {"command": "npx", "args": ["-y", "example-tool"], "timeout": 9}}}`,
    servers: { a: npx },
    notes: [/^"timeout" is not used/],
  },
  Antigravity: {
    path: 'antigravity/mcp_config.json',
    text: '{"mcpServers": {"a": {"serverUrl": "https://a.example/mcp"}}}',
    servers: { a: remote },
  },
  'VS Code': {
    path: 'Code/User/mcp.json',
    text: '{"servers": {"a": {"command": "npx", "args": ["-y", "example-tool"], "env": {"K": "${input:k}"}, "sandboxEnabled": true}}, "inputs": [{"id": "k", "type": "promptString", "description": "d"}, {"id": "unused", "type": "promptString"}]}',
    servers: { a: { ...npx, env: { K: '${input:k}' }, sandboxEnabled: true } },
    notes: [/^"sandboxEnabled" is not used\. Patchbay has no sandbox/],
    inputs: ['k'],
  },
  'VS Code Insiders': {
    path: 'Code - Insiders/User/settings.json',
    text: `{"editor.fontSize": 3, "mcp": {"inputs": [], "servers": {"a": ${written}}},}`,
    servers: { a: npx },
  },
  VSCodium: { path: 'VSCodium/User/mcp.json', text: `{"servers": {"a": ${written}}}`, servers: { a: npx } },
  'Visual Studio': { path: '.vs/mcp.json', text: `{"servers": {"a": ${written}}}`, servers: { a: npx } },
};

describe('a file of', () => {
  const candidates = [
    ...importCandidates({ platform: 'linux', userHome: '/home/me', environment: {} }),
    ...workspaceCandidates(),
  ];

  it('each client is tried', () => {
    expect(Object.keys(cases).toSorted()).toEqual(clientNames.toSorted());
  });

  it.each(Object.entries(cases))('%s gives its servers, and says what is left out', async (client, one) => {
    const found = candidates.find((row) => row.client === client && row.path.endsWith(one.path));
    if (found === undefined) throw new Error(`${client} does not have ${one.path}.`);
    const environment = { SET: 'yes', EXAMPLE_TOKEN: 'secret' };
    const { servers, inputs, problems } = await readImport(one.text, found.format, {
      style: found.variables,
      environment,
    });
    expect(Object.fromEntries(servers.map(({ label, definition }) => [label, definition]))).toEqual(one.servers);
    const matching = (patterns: readonly RegExp[] = []): unknown[] =>
      patterns.map((pattern): unknown => expect.stringMatching(pattern));
    expect(servers.flatMap(({ notes }) => notes)).toEqual(matching(one.notes));
    expect(problems).toEqual(matching(one.problems));
    expect(inputs.map(({ id }) => id)).toEqual(one.inputs ?? []);
  });
});

it.each<[string, string, object, string]>([
  [
    'opencode',
    '{"mcp": {"timeout": {"startup": 1}, "servers": {"a": {"type": "local", "command": ["npx", "-y", "example-tool"], "disabled": true}}}}',
    { a: npx },
    '',
  ],
  ['opencode', '{"mcp": {"servers": {"type": "remote", "url": "https://a.example/mcp"}}}', { servers: remote }, ''],
  [
    'Codex',
    '[mcp_servers.a]\nurl = "https://a.example/mcp"\nscopes = ["r"]\noauth_resource = "https://x"\noauth = { client_id = "c" }',
    { a: { ...remote, patchbay: { auth: { clientId: 'c', scopes: ['r'] } } } },
    'the option "auth.resource" is not used here',
  ],
  [
    'Copilot for JetBrains',
    '{"servers": {"a": {"url": "https://a.example/mcp", "requestInit": {"headers": {"X": "1"}}}}}',
    { a: { ...remote, headers: { X: '1' } } },
    '',
  ],
  [
    'VS Code Insiders',
    '{"mcp.servers": {"a": {"command": "npx", "args": ["-y", "example-tool"], "env": {"K": "${input:k}"}}}, "mcp.inputs": [{"id": "k", "type": "promptString"}]}',
    { a: { ...npx, env: { K: '${input:k}' } } },
    '',
  ],
  [
    'Continue',
    'mcpServers:\n  - { name: a, command: npx, args: ["-y", example-tool], env: { K: "${{ secrets.org/tool/K }}" } }\n',
    { a: { ...npx, env: { K: '${input:org/tool/K}' } } },
    'keeps its secrets',
  ],
  ['Continue', 'mcpServers:\n  - uses: someone/tool\n', {}, 'Server "someone/tool": only its name is there'],
  [
    'Windsurf',
    '{"mcpServers": {"a": {"serverUrl": "https://a.example/mcp", "headers": {"X": "${file:~/k}"}}}}',
    { a: { ...remote, headers: { X: '${file:~/k}' } } },
    'Patchbay reads no file for a value',
  ],
  ['Kiro', `{"mcpServers": {}, "powers": {"mcpServers": {"a": ${written}}}}`, { a: npx }, ''],
  ['Claude Desktop', `\uFEFF{"mcpServers": {"_comment": "x", "a": ${written}}}`, { a: npx }, ''],
  [
    'Cursor',
    '{"mcpServers": {"a": {"command": "x", "env": {"ID": 1234567890123456789}}}}',
    { a: { type: 'stdio', command: 'x', env: { ID: '1234567890123456789' } } },
    '',
  ],
])('finds what a file of %s has elsewhere: %s', async (client, text, expected, said) => {
  const found = [
    ...importCandidates({ platform: 'linux', userHome: '/home/me', environment: {} }),
    ...workspaceCandidates(),
  ].find((row) => row.client === client);
  if (found === undefined) throw new Error(client);
  const { servers, problems } = await readImport(text, found.format, { style: found.variables });
  expect(Object.fromEntries(servers.map(({ label, definition }) => [label, definition]))).toEqual(expected);
  expect([...servers.flatMap(({ notes }) => notes), ...problems].join('\n')).toContain(said);
  if (said === '') expect(problems).toEqual([]);
});

it.each([
  ['$KEY', '${env:KEY}', 0],
  ['Bearer $SET', 'Bearer ${env:SET}', 0],
  ['pa$sword', 'pa$sword', 1],
  ['p4$$word', 'p4$$word', 1],
  ['postgres://u:p$w0rd@h/db', 'postgres://u:p$w0rd@h/db', 1],
  ['a$SET', 'a$SET', 1],
  ['$input:key', '$input:key', 1],
  ['postgres://u:$w0rd@h/db', 'postgres://u:$w0rd@h/db', 1],
])('takes a dollar sign in a value for that of a variable only where it is one: %s', async (value, expected, notes) => {
  const text = JSON.stringify({ mcpServers: { a: { command: 'x', env: { A: value } } } });
  const { servers } = await readImport(text, 'mcpServers', { style: 'dollar', environment: { SET: '1' } });
  expect(servers[0]?.definition).toMatchObject({ env: { A: expected } });
  expect(servers[0]?.notes).toHaveLength(notes);
});

describe('a file that cannot be read', () => {
  const read = (text: string, format: ImportFormat) => readImport(text, format, { style: 'editor', environment: {} });

  it.each([
    ['[mcp_servers.a\ncommand = 3', 'codex', /^The file cannot be read: /],
    ['extensions: [a: {', 'goose', /^The file cannot be read: /],
    [
      `a: &a [x]\nb: &b [${'*a,'.repeat(90)}]\nextensions: [${'*b,'.repeat(90)}]`,
      'goose',
      /^The file cannot be read: /,
    ],
    ['{"mcpServers": {"a": {"command": "x"}}, ', 'mcpServers', /^This is not valid JSON/],
    [`mcp_servers = 1 # ${'x'.repeat(2 ** 17)}`, 'codex', /^The file is too large: .* up to 128 KB\.$/],
    [`extensions: {} # ${'x'.repeat(2 ** 17)}`, 'goose', /^The file is too large: .* up to 128 KB\.$/],
    ['[mcp_servers.a]\nenv = { KEY = "sk-1" x', 'codex', /^The file cannot be read: [^\n]*$/],
    ['[mcp_servers]\na = 9007199254740993', 'codex', /^Server "a": the entry must be an object\.$/],
    ['extensions:\n  a: { cmd: x }\n  a: { cmd: y }\n', 'goose', /^The file cannot be read: "a" is there twice$/],
  ] as const)('says so: %#', async (text, format, message) => {
    expect((await read(text, format)).problems).toEqual([expect.stringMatching(message)]);
  });

  it.each(Object.keys(importFormats) as ImportFormat[])('is not mentioned if it has no servers: %s', async (format) => {
    for (const text of ['', '[]', 'nonsense', '{"broken": ', '{}', '= = =', ': : :'])
      expect(await read(text, format)).toEqual({ servers: [], inputs: [], problems: [] });
  });

  it('hides no other entry by one that holds itself', async () => {
    const { servers, problems } = await read('extensions:\n  a: &a { cmd: x, more: *a }\n  b: { cmd: y }\n', 'goose');
    expect(servers.map(({ label }) => label)).toEqual(['b']);
    expect(problems).toEqual(['Server "a": it cannot be read.']);
  });

  it.each([
    ['id = 9007199254740993\n[mcp_servers.a]\ncommand = "x"\nargs = ["--id", 9007199254740993, 3]\n', 'codex'],
    ['id: 9007199254740993\nextensions: { a: { cmd: x, args: [--id, 9007199254740993, 3] } }\n', 'goose'],
  ] as const)('is not one with an integer of any size, which keeps its digits: %#', async (text, format) => {
    const { servers, problems } = await read(text, format);
    expect(servers).toMatchObject([{ definition: { command: 'x', args: ['--id', '9007199254740993', '3'] } }]);
    expect(problems).toEqual([]);
  });

  it('gives the first two hundred of its servers', async () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`s${index}`, { command: 'x' }]));
    const { servers, problems } = await read(JSON.stringify({ mcpServers: many }), 'mcpServers');
    expect(servers).toHaveLength(200);
    expect(problems).toEqual(['Only the first 200 of its servers are read.']);
  });

  it('keeps what an entry has of another type, and says so', async () => {
    const { servers } = await read('{"mcpServers": {"a": {"command": "x", "env": ["A=1"]}}}', 'mcpServers');
    expect(servers).toMatchObject([
      { definition: { command: 'x' }, notes: [expect.stringContaining('"env" must be')] },
    ]);
  });
});
