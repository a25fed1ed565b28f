import { countWork } from '../../fixtures/countWork.ts';
import { describe, expect, it } from 'vitest';
import { extractSecrets } from '../../../src/config/newServer.ts';
import { inputTarget } from '../../../src/config/launchTarget.ts';
import { importPasted, readImport } from '../../../src/config/importServers.ts';

describe('readImport', () => {
  it('reads mcpServers, as Claude Desktop, Cursor and Windsurf have them', async () => {
    const text = `{"theme": "dark", "mcpServers": {
      "a": {"command": "npx", "args": ["-y", "x"], "env": {"K": "v"}, "disabled": true},
      "b": {"serverUrl": "https://b.example/mcp"},
      "c": {"httpUrl": "https://c.example/mcp", "headers": {"X": "1"}},
      "bad": {}
    }}`;
    const { servers, problems } = await readImport(text, 'mcpServers', { style: 'editor' });
    expect(servers.map(({ label, definition }) => [label, definition])).toEqual([
      ['a', { type: 'stdio', command: 'npx', args: ['-y', 'x'], env: { K: 'v' } }],
      ['b', { type: 'http', url: 'https://b.example/mcp' }],
      ['c', { type: 'http', url: 'https://c.example/mcp', headers: { X: '1' } }],
    ]);
    expect(problems).toEqual([expect.stringContaining('"bad"')]);
  });

  it('reads Claude Code, for all and for each project', async () => {
    const text =
      '{"mcpServers": {"a": {"command": "x"}}, "projects": {"/p": {"mcpServers": {"b": {"command": "y"}}}, "/q": {}}}';
    const { servers } = await readImport(text, 'claudeCode', { style: 'shell' });
    expect(servers.map(({ label, project }) => [label, project])).toEqual([
      ['a', undefined],
      ['b', '/p'],
    ]);
  });

  it.each(['', '[]', 'nonsense', '{"mcpServers": 3}', '{}'])('survives %j', async (text) => {
    for (const format of ['mcpServers', 'claudeCode', 'vscode', 'zed'] as const) {
      expect(await readImport(text, format, { style: 'editor' })).toMatchObject({ servers: [] });
    }
  });
});

describe('importPasted', () => {
  it.each([
    ['{"mcpServers": {"a": {"command": "x"}}}', 'a'],
    ['{"servers": {"a": {"command": "x"}}}', 'a'],
    ['{"mcp": {"servers": {"a": {"command": "x"}}}}', 'a'],
    ['{"mcp.servers": {"a": {"command": "x"}}}', 'a'],
    ['{"a": {"command": "x"}}', 'a'],
    ['"a": {"command": "x"},', 'a'],
    ['{"command": "x"}', 'mine'],
    ['{"folders": [], "settings": {"mcp": {"servers": {"a": {"command": "x"}}}}}', 'a'],
    ['{"customizations": {"vscode": {"mcp": {"servers": {"a": {"command": "x"}}}}}}', 'a'],
    ['{"mcp": {"a": {"type": "local", "command": ["x"]}}}', 'a'],
    ['{"a": {"command": ["x"]}}', 'a'],
    ['{"mcp": {"command": "x"}}', 'mcp'],
    ['"mcp": {"type": "local", "command": ["x"]},', 'mcp'],
    ['```json\n{"mcpServers": {"a": {"command": "x"}}}\n```', 'a'],
    ['"mcp.servers": {"a": {"command": "x"}}', 'a'],
    ['{"mcp_servers": {"a": {"command": "x"}}}', 'a'],
    ['{"mcpServers": [{"name": "a", "command": "x"}]}', 'a'],
    ['[{"name": "a", "command": "x"}]', 'a'],
    ['{"name": "a", "command": "x"}', 'a'],
    ['{"$schema": "https://x", "a": {"command": "x"}}', 'a'],
    ['claude mcp add-json a \'{"command": "x"}\'', 'a'],
    ['code --add-mcp "{\\"name\\": \\"a\\", \\"command\\": \\"x\\"}"', 'a'],
    ['claude mcp add a -- x', 'a'],
    [`vscode:mcp/install?${encodeURIComponent('{"name": "a", "command": "x"}')}`, 'a'],
    [`https://vscode.dev/redirect/mcp/install?name=a&config=${encodeURIComponent('{"command": "x"}')}`, 'a'],
    [
      `https://vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${encodeURIComponent('{"name": "a", "command": "x"}')}`)}`,
      'a',
    ],
    [`cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=${btoa('{"command": "x"}')}`, 'a'],
    ['{"packages": {"command": "x"}}', 'packages'],
    [`lmstudio://add_mcp?name=%E5%A4%A9&config=${Buffer.from('{"command": "x"}').toString('base64')}`, '天'],
  ])('understands %s', (text, label) => {
    expect(importPasted(text, 'mine')).toMatchObject({
      servers: [{ label, definition: { command: 'x' } }],
      problems: [],
    });
  });

  it.each([
    [
      'claude mcp add --transport sse a https://a.example/sse --header "X-Team: core" -H "X-B: c: d"',
      { type: 'sse', url: 'https://a.example/sse', headers: { 'X-Team': 'core', 'X-B': 'c: d' } },
    ],
    [
      'claude mcp add --scope user -e A=1 B=x=y -- a npx -y tool -e',
      { type: 'stdio', command: 'npx', args: ['-y', 'tool', '-e'], env: { A: '1', B: 'x=y' } },
    ],
    [
      'gemini mcp add a node server.js --port 3',
      { type: 'stdio', command: 'node', args: ['server.js', '--port', '3'] },
    ],
    [
      'codex mcp add a --url https://a.example/mcp --bearer-token-env-var=TOKEN',
      { type: 'http', url: 'https://a.example/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } },
    ],
    [
      'claude mcp add a https://a.example/mcp \\\n  --client-id c --callback-port 3118',
      { type: 'http', url: 'https://a.example/mcp', patchbay: { auth: { clientId: 'c', redirectPort: 3118 } } },
    ],
    [
      'claude mcp add a -e "DB=host=h;user=u;" -- npx "x y;" z',
      { type: 'stdio', command: 'npx', args: ['x y;', 'z'], env: { DB: 'host=h;user=u;' } },
    ],
  ])('reads the command %s', (line, definition) => {
    expect(importPasted(line, '')).toMatchObject({ servers: [{ label: 'a', definition }], problems: [] });
  });

  it.each([
    ['claude mcp add -t http -e A=1 a https://a.example/mcp', 'a', ['"env" has no meaning']],
    ['claude mcp add --header "A: b" a npx x', 'a', ['"headers" has no meaning']],
    ['gemini mcp add --trust --include-tools t a npx x', 'a', ['"trust" is not used', '"include-tools" is not known']],
    ['claude mcp add --frob bar a npx x', 'bar', ['"frob" is not known']],
  ])('says what %s has that is not used', (line, label, said) => {
    const { servers, problems } = importPasted(line, '');
    expect(servers.map((server) => server.label)).toEqual([label]);
    expect(problems).toEqual(said.map((text): unknown => expect.stringContaining(text)));
  });

  it.each([
    ['claude mcp add a -- npx x\nclaude mcp add b -- npx y', [['x'], ['y']]],
    ['claude mcp add a -- npx x && claude mcp add b -- npx y', [['x'], ['y']]],
    ['claude mcp add a -- npx x # for the files', [['x']]],
    ['claude mcp add a -- npx x; claude mcp list', [['x']]],
    ['claude mcp add a -- npx x\ncodex mcp add b -- npx y', [['x'], ['y']]],
    [
      `claude mcp add-json a -s user '{"command": "npx", "args": ["x"]}'\nclaude mcp add-json b '{"command": "npx", "args": ["y"]}'`,
      [['x'], ['y']],
    ],
    [
      `code --add-mcp '{"name": "a", "command": "npx", "args": ["x"]}' --add-mcp '{"name": "b", "command": "npx", "args": ["y"]}'`,
      [['x'], ['y']],
    ],
    ['claude mcp add a -- npx x mcp add c -- d', [['x', 'mcp', 'add', 'c', '--', 'd']]],
  ])('reads commands one by one: %s', (lines, args) => {
    const { servers, problems } = importPasted(lines, '');
    expect([servers.map(({ label, definition }) => [label, definition]), problems]).toEqual([
      args.map((own, index) => ['ab'[index], { type: 'stdio', command: 'npx', args: own }]),
      [],
    ]);
  });

  it.each([
    [`claude mcp add-json a '{"command": "sh", "args": ["x\\",\\"y"]}'`, ['x","y']],
    [`code --add-mcp '{"name": "a", "command": "sh", "args": ["echo \\"b\\""]}'`, ['echo "b"']],
    [`code --add-mcp '{\\"name\\": \\"a\\", \\"command\\": \\"sh\\", \\"args\\": [\\"x\\"]}'`, ['x']],
  ])('reads JSON in single quotes as the shell does: %s', (line, args) => {
    const definition = { type: 'stdio', command: 'sh', args };
    expect(importPasted(line, '')).toMatchObject({ servers: [{ label: 'a', definition }], problems: [] });
  });

  const asked = '[{"id": "k", "type": "promptString", "password": true}]';
  const needing = '{"command": "x", "env": {"K": "${input:k}"}}';
  it.each([
    `vscode:mcp/install?${encodeURIComponent(`{"name": "a", "inputs": ${asked}, ${needing.slice(1)}`)}`,
    `https://vscode.dev/redirect/mcp/install?name=a&inputs=${encodeURIComponent(asked)}&config=${encodeURIComponent(needing)}`,
  ])('reads the inputs of the link %.40s', (link) => {
    expect(importPasted(link, '')).toMatchObject({
      servers: [{ label: 'a', definition: { command: 'x', env: { K: '${input:k}' } } }],
      inputs: [{ id: 'k', password: true }],
      problems: [],
    });
  });

  it('reads links in one way only', () => {
    const address = 'https://a.example/mcp?url=https://b.example&config=eyJjb21tYW5kIjoieSJ9';
    const link = `vscode:mcp/install?${encodeURI(`{"name": "a", "url": "${address}"}`)}`;
    const definition = { type: 'http', url: address };
    expect(importPasted(link, '')).toMatchObject({ servers: [{ label: 'a', definition }], problems: [] });
    const two = importPasted(
      `cursor://a/mcp/install?name=a&config=${btoa('{"command": "x"}, "b": {"command": "y"}')}`,
      'mine',
    );
    expect(two.servers.map((server) => server.definition)).toEqual([{ type: 'stdio', command: 'x' }]);
    expect(two.problems).toEqual([expect.stringMatching(/^This is not valid JSON/)]);
    const odd = Buffer.from('{"command": "x", "args": ["~~~???"]}').toString('base64url');
    expect(importPasted(`cursor://a/mcp/install?name=a&config=${odd}`, '').servers).toMatchObject([{ label: 'a' }]);
  });

  it('does work for a command that grows no faster than its words', () => {
    const moved = countWork(Array.prototype, 'shift', ({ length }) => length);
    const line = `claude mcp add a ${'-e A=1 '.repeat(5_000)} -- x`;
    expect(importPasted(line, '').servers).toMatchObject([{ definition: { env: { A: '1' } } }]);
    expect(moved()).toBeLessThan(line.length);
    expect(importPasted(`claude mcp add a x ${'w '.repeat(400_000)}`, '').problems).toHaveLength(1);
  });

  it('keeps the servers beside an inner section', async () => {
    const both = '{"mcp": {"servers": {"a": {"command": ["x"]}}, "b": {"command": ["y"]}, "defaults": {}}}';
    const { servers, problems } = await readImport(both, 'opencode', { style: 'opencode' });
    expect([servers.map(({ label }) => label), problems]).toEqual([['b', 'a'], []]);
  });

  it('lets no other object replace what is at the top of an entry', async () => {
    const entry =
      '{"url": "https://a.example", "headers": {"A": "1"}, "requestInit": {"url": "https://b.example", "headers": {}}}';
    const { servers } = await readImport(`{"mcpServers": {"a": ${entry}}}`, 'mcpServers', { style: 'editor' });
    expect(servers).toMatchObject([
      {
        definition: { type: 'http', url: 'https://a.example', headers: { A: '1' } },
        notes: [expect.stringContaining('Patchbay uses the outer "url", "headers"')],
      },
    ]);
  });

  it.each([
    ['{"type": "ws", "url": "https://a.example"}', { type: 'http', url: 'https://a.example' }],
    ['{"type": "extension", "command": "x"}', { type: 'stdio', command: 'x' }],
    ['{"type": "ws", "url": "wss://a.example"}', undefined],
    ['{"enabled": "false"}', undefined],
  ])('uses of %s what files use', async (entry, definition) => {
    const { servers, problems } = await readImport(`{"mcpServers": {"a": ${entry}}}`, 'mcpServers', {
      style: 'editor',
    });
    expect(servers[0]?.definition).toEqual(definition);
    expect(problems).toEqual(
      definition === undefined ? [expect.stringMatching(/does not have its transport|turned off here/)] : [],
    );
  });

  it('reads what newer opencode and files with inputs have', () => {
    const newer = '{"mcp": {"servers": {"a": {"type": "local", "command": ["x"], "environment": {"K": "{env:K}"}}}}}';
    expect(importPasted(newer, '').servers).toMatchObject([{ definition: { command: 'x', env: { K: '${env:K}' } } }]);
    const asking = '{"inputs": [{"id": "k", "type": "promptString"}], "mcpServers": {"a": {"command": "${input:k}"}}}';
    expect(importPasted(asking, '')).toMatchObject({ inputs: [{ id: 'k' }], problems: [] });
  });

  it.each([
    ['{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"', 0, [/^The JSON breaks off/]],
    ['{"mcpServers": {"a": {"command": "npx", "args": ["-y", "some-ser', 0, [/^The JSON breaks off/]],
    ['"a": {"url": "https://mcp.exam', 0, [/^The JSON breaks off/]],
    ['{"a": {"command": "x" "args": []}}', 1, [/^This is not valid JSON/]],
    ['{"a": {"command": "x"}}}', 1, [/^This is not valid JSON/]],
    [
      '{"manifest_version": "0.3", "name": "x", "server": {"mcp_config": {"command": "node"}}}',
      0,
      [/manifest of a bundle/],
    ],
    ['{"dxt_version": "0.1", "server": {"mcp_config": {"command": "node"}}}', 0, [/manifest of a bundle/]],
    ['{"name": "x", "repository": {"url": "https://x"}, "packages": []}', 0, [/for the registry/]],
    ['{"name": "x", "repository": {"url": "https://x"}, "remotes": []}', 0, [/for the registry/]],
    ['{"name": "p", "author": {"url": "https://x"}, "mcpServers": "./.mcp.json"}', 0, [/names another file/]],
    ['{"name": "p", "version": "1"}', 0, []],
    ['claude mcp list', 0, [/not a JSON object/]],
    ['claude mcp add', 0, [/not a JSON object/]],
    ['https://a.example/?config=%', 0, [/not a JSON object/]],
    [`a:?${'url=?'.repeat(50_000)}`, 0, [/not a JSON object/]],
    [`"${'x'.repeat(2 ** 21)}"`, 0, [/^It is larger than/]],
  ])('says what %.80s is, or lacks', (text, count, problems) => {
    const imported = importPasted(text, '');
    expect(imported.servers).toHaveLength(count);
    expect(imported.problems).toEqual(problems.map((pattern): unknown => expect.stringMatching(pattern)));
  });

  it('takes ${env:NAME} for no sign of opencode', () => {
    const { servers } = importPasted('{"a": {"command": "x", "env": {"A": "${env:FOO}", "B": "${BAR}"}}}', '');
    expect(servers).toMatchObject([{ definition: { env: { A: '${env:FOO}', B: '${env:BAR}' } } }]);
  });

  it("says of Copilot's $NAME that it stays, and keeps it for no secret", () => {
    const text =
      '{"url": "https://a.example", "headers": {"Authorization": "Bearer $COPILOT_MCP_TOKEN", "Api-Key": "$KEY"}}';
    const { servers, problems } = importPasted(text, 'a');
    expect(problems).toEqual([
      'Server "a": $COPILOT_MCP_TOKEN stays as it is written. Write ${env:COPILOT_MCP_TOKEN} for the environment variable.',
      'Server "a": $KEY stays as it is written. Write ${env:KEY} for the environment variable.',
    ]);
    for (const { label, definition } of servers) expect(extractSecrets(label, definition).secrets).toEqual([]);
    const headers = { 'Api-Key': 'a$KEY', Authorization: 'Bearer $1x', 'X-Token': '$ecret' };
    expect(extractSecrets('a', { url: 'https://a.example', headers }).secrets).toHaveLength(3);
  });

  it('leaves no empty options behind', () => {
    const text = '{"a": {"url": "https://a.example", "patchbay": {"auth": {"clientSecret": "s"}, "timeouts": {}}}}';
    expect(importPasted(text, '').servers).toMatchObject([{ definition: { type: 'http', url: 'https://a.example' } }]);
    expect(importPasted(text, '').servers[0]?.definition).not.toHaveProperty('patchbay');
  });

  it.each(['', 'npx -y x', '[]'])('says that %j is no JSON object', (text) => {
    expect(importPasted(text, 'mine').problems).toHaveLength(1);
  });
});

describe('extractSecrets', () => {
  it('takes secrets out of env and headers, and only those', () => {
    const { definition, secrets } = extractSecrets('My Server', {
      command: 'x',
      env: { GITHUB_TOKEN: 'ghp_1', LEVEL: 'high', apiKey: '${env:KEY}', PASSWORD: '', COUNT: 3, MONKEY: 'yes' },
    });
    expect(definition).toMatchObject({
      env: {
        GITHUB_TOKEN: '${input:my-server-github-token}',
        LEVEL: 'high',
        apiKey: '${env:KEY}',
        PASSWORD: '',
        COUNT: 3,
        MONKEY: 'yes',
      },
    });
    expect(secrets.map(({ input, value }) => [input.id, input.password, value])).toEqual([
      ['my-server-github-token', true, 'ghp_1'],
    ]);
  });

  it.each<[string, string[], string[], string[]]>([
    [
      'an option',
      ['-y', 'c7', '--api-key', 'ctx7sk-1234'],
      ['-y', 'c7', '--api-key', '${input:s-api-key}'],
      ['ctx7sk-1234'],
    ],
    ['an option with a sign', ['c7', '--token=hunter2'], ['c7', '--token=${input:s-token}'], ['hunter2']],
    [
      'a variable',
      ['c7', '-e', 'DB_PASSWORD=p@ss/w0rd'],
      ['c7', '-e', 'DB_PASSWORD=${input:s-db-password}'],
      ['p@ss/w0rd'],
    ],
    [
      'a header',
      ['mcp-remote', 'https://a.example', '--header', 'Authorization: Bearer abc123'],
      ['mcp-remote', 'https://a.example', '--header', 'Authorization: Bearer ${input:s-authorization}'],
      ['abc123'],
    ],
    ['a known format', ['c7', 'ghp_0123456789abcdef0'], ['c7', '${input:s-key}'], ['ghp_0123456789abcdef0']],
    [
      'an address with a password',
      ['c7', 'postgres://me:hunter2@db/x'],
      ['c7', '${input:s-key}'],
      ['postgres://me:hunter2@db/x'],
    ],
  ])('takes %s out of arguments', (_what, args, expected, values) => {
    const { definition, secrets } = extractSecrets('s', { command: 'npx', args });
    expect([definition, secrets.map(({ value }) => value)]).toEqual([{ command: 'npx', args: expected }, values]);
    expect(secrets.every(({ target }) => target === inputTarget(definition))).toBe(true);
  });

  it.each<[string, string, string[]]>([
    ['references', 'npx', ['c7', '--token=${env:A}', '--api-key', '${input:key}']],
    ['paths, kinds and switches', 'npx', ['c7', '--key', './id.pem', '--auth-type', 'basic', '--token', '--verbose']],
    ['where a key is', 'npx', ['c7', '--token-file', 'abc', '--api-key-env=MY_KEY', '--auth', 'none']],
    ['who gives a key', 'npx', ['c7', '--auth-provider', 'google', '--key-vault=mine', '--token-limit', '4000']],
    ['what runs', 'npx', ['--token', 'evil-package']],
    ['code', 'sh', ['-c', 'TOKEN=1;evil']],
    ['code in one word', 'x', ['TOKEN=$(evil)']],
  ])('leaves %s in arguments', (_what, command, args) => {
    expect(extractSecrets('s', { command, args })).toEqual({ definition: { command, args }, secrets: [] });
  });

  it('takes no more secrets out of arguments than a person writes', () => {
    const args = Array.from({ length: 200_000 }, () => '--token=abc');
    expect(extractSecrets('s', { command: 'x', args }).secrets).toHaveLength(100);
  });

  it('gives each secret an input of its own, whatever the alphabet of the name', () => {
    const taken = new Set(['b-token']);
    const ids = ['天気', '地図', 'a', 'a!', 'b'].flatMap((label) => {
      const { secrets } = extractSecrets(label, { command: 'x', env: { TOKEN: label } }, taken);
      return secrets.map(({ input }) => input.id);
    });
    expect(ids).toEqual(['天気-token', '地図-token', 'a-token', 'a-token-2', 'b-token-2']);
  });

  it('keeps the scheme of an Authorization header', () => {
    const { definition, secrets } = extractSecrets('s', { url: 'https://x', headers: { Authorization: 'Bearer abc' } });
    expect(definition).toMatchObject({ headers: { Authorization: 'Bearer ${input:s-authorization}' } });
    expect(secrets[0]?.value).toBe('abc');
  });
});
