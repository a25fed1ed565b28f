import { beforeEach, expect, it, vi } from 'vitest';
import type { ImportPlace } from '../../../../src/config/importClients.ts';
import { importFromClients } from '../../../../src/host/configuration/importFromClients.ts';
import type { InputStore } from '../../../../src/host/configuration/inputStore.ts';
import { editor, type Question, Uri } from '../../../fixtures/vscode.ts';

const place: ImportPlace = { platform: 'linux', userHome: '/home/me', environment: {} };
const kept = vi.fn<InputStore['keep']>(async () => {});
const add = (path: string, content: unknown): void => {
  editor.files.set(path, { text: typeof content === 'string' ? content : JSON.stringify(content) });
};
const run = async (at = place, labels: readonly string[] = []): Promise<void> => {
  const inputs = { keep: kept } as unknown as InputStore;
  const nothing = async (): Promise<void> => {};
  await importFromClients(at, { inputs, refresh: nothing, reveal: nothing, open: nothing, labels: () => labels });
};

beforeEach(() => {
  kept.mockClear();
  editor.answer = ({ choices, buttons }: Question): unknown => {
    if (choices.some(({ label }) => label.includes('User settings'))) return '$(account) User settings';
    return choices.length > 0 ? choices : buttons[0];
  };
});

/** The rows of the list of servers: name, command, where it is and what is left out. */
const rows = () =>
  (editor.questions[0]?.choices ?? []).map(({ label, description, detail }) =>
    detail === undefined ? label : [label, description, detail],
  );

it('lists the servers of the person and of the folders, and says of each what is left out', async () => {
  add('/home/me/.cursor/mcp.json', {
    mcpServers: { a: { command: 'npx', args: ['x y'], env: { API_KEY: 'abc' }, timeout: 3 }, bad: { type: 'http' } },
  });
  add('/home/me/.codex/config.toml', '[mcp_servers.b]\nurl = "https://b.example/mcp"\n');
  add('/home/me/.aws/amazonq/cli-agents/mine.json', { mcpServers: { c: { command: 'c' } } });
  add('/home/me/.aws/amazonq/cli-agents/notes.txt', '{"mcpServers": {"no": {"command": "x"}}}');
  add('/w/.cursor/mcp.json', { mcpServers: { d: { command: 'd' } } });
  add('/w/.continue/mcpServers/one.yaml', 'mcpServers: [{ name: e, command: e }]');
  await run();
  const timeout = '"timeout" is not used. Use "timeouts" in "patchbay.serverOptions".';
  expect(rows()).toEqual([
    'Cursor',
    ['a', 'npx "x y"', `Cursor: /home/me/.cursor/mcp.json · holds 1 secret · ${timeout}`],
    'Codex',
    ['b', 'https://b.example/mcp', 'Codex: /home/me/.codex/config.toml'],
    'Amazon Q',
    ['c', 'c', 'Amazon Q: /home/me/.aws/amazonq/cli-agents/mine.json'],
    'Cursor',
    ['d', 'd', 'Cursor: /w/.cursor/mcp.json · Patchbay already reads this file'],
    'Continue',
    ['e', 'e', 'Continue: /w/.continue/mcpServers/one.yaml'],
  ]);
  expect(editor.questions[0]?.options['placeHolder']).toBe(
    'Found 5 servers. Choose which to copy. 1 entry cannot be copied.',
  );
  expect(Object.keys(editor.settings['servers'] as object)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(kept.mock.calls.map(([, value]) => value)).toEqual(['abc']);
  expect(editor.said.at(-1)).toBe(
    'Copied 5 servers. Saved 1 secret in the editor’s secret storage, not in the configuration. Servers start only when you start them. 1 entry cannot be copied.',
  );
  await vi.waitFor(() =>
    expect(editor.documents).toEqual([
      [
        'What was left out or changed while importing\n',
        'Cursor, /home/me/.cursor/mcp.json',
        `  a: ${timeout}`,
        '  Server "bad": a "url" is missing.\n',
      ].join('\n'),
    ]),
  );
});

it('shows no key of an argument, and counts it', async () => {
  const args = ['-y', 'c7', '--api-key', 'ctx7sk-1234567890abcdef'];
  add('/home/me/.cursor/mcp.json', { mcpServers: { a: { command: 'npx', args } } });
  await run();
  expect(rows()[1]).toEqual([
    'a',
    'npx -y c7 --api-key "••••••••"',
    'Cursor: /home/me/.cursor/mcp.json · holds 1 secret',
  ]);
  expect(editor.settings).toMatchObject({ servers: { a: { args: ['-y', 'c7', '--api-key', '${input:a-api-key}'] } } });
});

it('says of each server the most important first, and that it is off', async () => {
  add('/home/me/.claude.json', {
    mcpServers: { a: { command: 'x', args: ['${A:-b}'], disabled: true, timeout: 3, comand: 1 } },
  });
  await run();
  expect(rows()[1]?.[2]).toMatch(
    /json · the key "comand" is .* · \$\{A:-…\} became .* · "timeout" is not used.* · It is disabled there\./,
  );
  await vi.waitFor(() => expect(editor.documents.at(-1)).toContain('\n  a: It is disabled there.'));
});

it('takes the next free name, and says so before and after', async () => {
  add('/home/me/.cursor/mcp.json', { mcpServers: { files: { command: 'a', timeout: 3 }, own: { command: 'b' } } });
  await run(place, ['files']);
  expect(rows()[1]?.[2]).toMatch(/^Cursor: .* · this name is taken, so a number is added · "timeout"/);
  expect(rows()[2]?.[2]).not.toContain('taken');
  expect(Object.keys(editor.settings['servers'] as object)).toEqual(['files-2', 'own']);
  expect(editor.said.at(-1)).toBe(
    'Copied 2 servers. Renamed, because the name was taken: “files” is “files-2”. Servers start only when you start them.',
  );
  await vi.waitFor(() =>
    expect(editor.documents.at(-1)).toContain('\n  files-2 (there: files): "timeout" is not used.'),
  );
  expect(editor.questions[0]?.options).toMatchObject({ matchOnDescription: true, matchOnDetail: true });
});

it('reads nothing beside a folder whose name has a star', async () => {
  editor.folders = [{ name: 'w', uri: Uri.file('/w*w') }];
  const file = { mcpServers: { a: { command: 'a' } } };
  for (const folder of ['/home/m*', '/home/me', '/w*w', '/www']) {
    add(`${folder}/.cursor/mcp.json`, file);
    add(`${folder}/.continue/mcpServers/mine.json`, file);
  }
  await run({ ...place, userHome: '/home/m*' });
  const details = (editor.questions[0]?.choices ?? []).flatMap(
    ({ detail }) => detail?.replace(/^\w+: | · .*/g, '') ?? [],
  );
  expect(details).toEqual([
    '/home/m*/.cursor/mcp.json',
    '/home/m*/.continue/mcpServers/mine.json',
    '/w*w/.cursor/mcp.json',
    '/w*w/.continue/mcpServers/mine.json',
  ]);
});

it('copies the inputs that stand for secrets of another client', async () => {
  add('/home/me/.config/goose/config.yaml', 'extensions: { g: { type: stdio, cmd: g, env_keys: [KEY] } }');
  await run();
  expect(editor.settings).toMatchObject({
    servers: { g: { command: 'g', env: { KEY: '${input:KEY}' } } },
    inputs: [{ id: 'KEY', type: 'promptString', password: true }],
  });
});

it('says where it looked, and what it could not read, where there is nothing to copy', async () => {
  await run();
  expect(editor.said).toEqual([
    expect.stringMatching(
      /^No servers were found on this machine\. Patchbay looked at: Claude Desktop, .*Visual Studio\.$/,
    ),
  ]);
  add('/home/me/.cursor/mcp.json', '{"mcpServers": {"a": {}}}');
  editor.files.set('/home/me/.codex/config.toml', { size: 2 ** 30 });
  await run();
  expect(editor.said.at(-1)).toMatch(/Visual Studio\. 2 entries cannot be copied\.$/);
  await vi.waitFor(() =>
    expect(editor.documents).toEqual([
      expect.stringMatching(
        /\n\nCursor, \/home\/me\/\.cursor\/mcp\.json\n {2}Server "a": .* missing\.\n\nCodex, \/home\/me\/\.codex\/config\.toml\n {2}It cannot be read: it is larger than 4 MB\.\n$/,
      ),
    ]),
  );
});
