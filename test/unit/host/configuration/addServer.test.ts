import { beforeEach, expect, it, vi } from 'vitest';
import { addServer } from '../../../../src/host/configuration/addServer.ts';
import type { InputStore } from '../../../../src/host/configuration/inputStore.ts';
import { editor } from '../../../fixtures/vscode.ts';

const done: string[] = [];
const note =
  (what: string) =>
  async (label: string | readonly string[]): Promise<void> =>
    void done.push(`${what} ${String(label)}`);
const options = {
  inputs: { keep: async () => {} } as unknown as InputStore,
  refresh: async () => {},
  reveal: note('reveal'),
  open: note('open'),
  start: note('start'),
  labels: () => ['memory'],
};

beforeEach(() => {
  done.length = 0;
  editor.folders = undefined;
});

/** Opens the box, types, and waits for what it says. */
async function paste(text: string) {
  const adding = addServer(options);
  await vi.waitUntil(() => editor.input.isOpen);
  editor.input.type(text);
  await vi.waitUntil(() => text === '' || editor.input.validationMessage !== undefined);
  return { adding, said: editor.input.validationMessage };
}

/** Pastes a text and presses Enter. */
async function add(text: string): Promise<void> {
  const { adding } = await paste(text);
  editor.input.do('accept');
  await adding;
}

it('adds and starts what was pasted with one Enter, and opens no file', async () => {
  await add('npx -y @scope/server-files /data');
  expect(editor.settings['servers']).toEqual({
    files: { type: 'stdio', command: 'npx', args: ['-y', '@scope/server-files', '/data'] },
  });
  expect(done).toEqual(['reveal files', 'start files', 'reveal files']);
  expect(editor.said).toEqual(['Added “files” to your user settings.']);
  const prompt = 'Paste a command, an address or JSON. It is saved in your user settings.';
  expect(editor.input.prompt).toBe(prompt);
  await add('npx -y @scope/server-others');
  expect(editor.input.prompt).toBe(`${prompt} Comments in "patchbay.servers" are not kept.`);
});

it('keeps the keyboard until the server is there: a second Enter is not for the row that had it before', async () => {
  const { adding } = await paste('npx memory');
  const open: [string, boolean][] = [];
  const saved = vi.spyOn(options, 'refresh').mockImplementation(async () => {
    open.push(['saved', editor.input.isOpen]);
    editor.input.do('accept');
  });
  const asked = vi.spyOn(options, 'start').mockImplementation(async () => {
    open.push(['asked', editor.input.isOpen]);
  });
  editor.input.do('accept');
  await adding;
  saved.mockRestore();
  asked.mockRestore();
  expect(open).toEqual([
    ['saved', true],
    ['asked', false],
  ]);
  expect(Object.keys(editor.settings['servers'] as object)).toEqual(['memory-2']);
});

it('opens the configuration from the notification', async () => {
  editor.answers.push('Open Configuration');
  await add('https://mcp.example.com/mcp');
  await vi.waitUntil(() => done.includes('open example'));
});

it('says what it adds before Enter, with a name that is taken and secrets', async () => {
  const { adding, said } = await paste('API_TOKEN=abc123456 npx memory');
  expect(said).toEqual({
    message:
      'Press Enter to add “memory-2” to your user settings. It starts after your approval. The name “memory” is taken. Secrets of “memory-2” are kept out of the file.',
    severity: 2,
  });
  editor.input.do('accept');
  await adding;
  expect(editor.settings['servers']).toEqual({
    'memory-2': {
      type: 'stdio',
      command: 'npx',
      args: ['memory'],
      env: { API_TOKEN: expect.stringContaining('${input:') },
    },
  });
  expect(editor.said[0]).toContain('Saved 1 secret in the editor’s secret storage');
});

it.each(['pay\u200Bments', 'x'.repeat(101)])('gives a server another name where no person could: %j', async (label) => {
  const { adding, said } = await paste(JSON.stringify({ mcpServers: { [label]: { command: 'npx', args: ['pay'] } } }));
  expect(said).toMatchObject({
    message: expect.stringMatching(/add “pay” to.*“pay” has another name in what you pasted\. A name /),
  });
  editor.input.do('accept');
  await adding;
  expect(Object.keys(editor.settings['servers'] as object)).toEqual(['pay']);
});

it('draws no icon of what was pasted', async () => {
  const entry = '{"command": "npx", "args": ["b"], "disabled": true}';
  const { adding, said } = await paste(`{"mcpServers": {"$(alert) a": ${entry}, "$(x)": {"type": "http"}}}`);
  const { message } = said as { readonly message: string };
  expect(message).toContain('add “\\$(alert) a” to');
  expect(message).toContain('"\\$(x)"');
  expect(message).not.toMatch(/(?<!\\)\$\(/);
  editor.input.do('hide');
  await adding;
  const other = await paste('{"mcpServers": {"$(alert)": {"type": "http"}}}');
  expect(other.said).toMatch(/\\\$\(alert\)/);
  editor.input.do('hide');
  await other.adding;
});

it('does not start a server that is disabled in what was pasted, and says so', async () => {
  await add('{"mcpServers": {"a": {"command": "npx", "disabled": true}, "b": {"command": "npx", "args": ["b"]}}}');
  expect(done).toEqual(['reveal a', 'start b', 'reveal a']);
  expect(editor.said[0]).toContain('Not started, because it is disabled in what you pasted: “a”.');
});

it('says what is left out of pasted JSON, and goes on', async () => {
  const { adding, said } = await paste(
    '{"mcpServers": {"a": {"command": "npx", "env": {"REGION": "${REGION:-eu}"}}, "b": {"type": "http"}}}',
  );
  expect(said).toMatchObject({ severity: 2, message: expect.stringMatching(/^Press Enter to add “a” .*Server "b"/) });
  editor.input.do('accept');
  await adding;
  expect(editor.settings['servers']).toMatchObject({ a: { command: 'npx', env: { REGION: 'eu' } } });
});

it('adds nothing where nothing can be read: Enter says why', async () => {
  const { adding, said } = await paste('claude mcp add');
  expect(said).toMatch(/^This command adds a server to another program/);
  editor.input.do('accept');
  await vi.waitUntil(() => editor.input.validationMessage === said);
  expect(editor.input.isOpen).toBe(true);
  editor.input.do('hide');
  await adding;
  expect(editor.settings['servers']).toBeUndefined();
  expect(done).toEqual([]);
});

it('asks for name and place where the person wants to choose', async () => {
  const { adding } = await paste('npx -y @scope/server-files');
  editor.answers.push('mine');
  editor.input.do('button');
  await adding;
  expect(editor.said[0]).toBe('A short name for the server');
  expect(editor.settings['servers']).toHaveProperty('mine');
});

it('adds what is in the box, not what was copied, where the person has removed a space', async () => {
  editor.copied.push('npx files https://files.example --folder / tmp');
  await add('npx files https://files.example --folder /data');
  expect(editor.settings['servers']).toMatchObject({
    files: { args: ['files', 'https://files.example', '--folder', '/data'] },
  });
});

const commented = `{"mcpServers": {
  // the files
  "a": {"command": "npx"},
  // "b": {"command": "old"},
  "c": {"url": "https://c.example/mcp"}
}}`;

it.each([
  ['reads comments with the lines that the clipboard has', commented, /^Press Enter to add “a”, “c” to/],
  ['says that a comment hides the rest', '', /so a comment \(“\/\/”\) hides the rest/],
])('%s', async (_what, copied, expected) => {
  editor.copied.push(copied);
  const { adding, said } = await paste(commented.replaceAll('\n', ' '));
  expect(typeof said === 'string' ? said : said?.message).toMatch(expected);
  editor.input.do('hide');
  await adding;
});
