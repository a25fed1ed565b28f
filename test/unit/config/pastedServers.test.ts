import { expect, it } from 'vitest';
import { readPastedServers } from '../../../src/config/pastedServers.ts';

const stdio = (command: string, ...args: readonly string[]) => ({
  type: 'stdio',
  command,
  ...(args.length > 0 && { args }),
});

it.each([
  ['npx -y @scope/x /data', stdio('npx', '-y', '@scope/x', '/data')],
  ['$ npx -y x', stdio('npx', '-y', 'x')],
  ['docker run -i \\   --rm x', stdio('docker', 'run', '-i', '--rm', 'x')],
  ['"C:\\Program Files\\x.exe" --stdio', stdio('C:\\Program Files\\x.exe', '--stdio')],
  ['C:\\x\\server.exe', stdio('C:\\x\\server.exe')],
  ['/usr/bin/node /srv/x.js', stdio('/usr/bin/node', '/srv/x.js')],
  ['A=1 B="two words" node x.js', { ...stdio('node', 'x.js'), env: { A: '1', B: 'two words' } }],
  ['claude mcp serve', stdio('claude', 'mcp', 'serve')],
  ['codex mcp-server', stdio('codex', 'mcp-server')],
  ['https://x.example/mcp', { type: 'http', url: 'https://x.example/mcp' }],
  ['unix:///run/x.sock#/mcp', { type: 'http', url: 'unix:///run/x.sock#/mcp' }],
])('reads %s', (text, definition) => {
  expect(readPastedServers(text)).toEqual({ servers: [{ definition, isOff: false }], inputs: [], notes: [] });
});

it.each([
  ['claude mcp add --transport http c https://c.example/mcp', 'c'],
  [`code --add-mcp '{"name":"c","command":"npx"}'`, 'c'],
  ['vscode:mcp/install?%7B%22name%22%3A%22c%22%2C%22command%22%3A%22npx%22%7D', 'c'],
  ['"c": {"command": "npx"}', 'c'],
  ['{"command": "npx"}', undefined],
])('takes the definition and the name of %s', (text, label) => {
  const { servers, notes } = readPastedServers(text);
  expect(servers.map((server) => server.label)).toEqual([label]);
  expect(notes).toEqual([]);
});

it.each([
  ['', undefined],
  ['claude mcp add', /adds a server to another program/],
  ['/usr/local/bin/code --add-mcp broken', /adds a server to another program/],
  ['gemini mcp add', /adds a server to another program/],
  ['vscode:mcp/install', /This link has no server definition/],
  ['cursor://anysphere.cursor-deeplink/mcp/install', /This link has no server definition/],
  ['https://x y', /This must be an address/],
  ['A=1', /A command is needed/],
  ['{}', /There is no server definition/],
  ['{"mcpServers": {"a": {"command": "npx"', /breaks off/],
])('saves nothing of %j', (text, why) => {
  const { servers, notes } = readPastedServers(text);
  expect(servers).toEqual([]);
  if (why === undefined) expect(notes).toEqual([]);
  else expect(notes[0]).toMatch(why);
});

it('says what is left out, and what is switched off', () => {
  const { servers, notes } = readPastedServers('{"command": "npx", "disabled": true, "alwaysAllow": ["x"]}');
  expect(servers).toMatchObject([{ isOff: true }]);
  expect(notes.join(' ')).toContain('alwaysAllow');
  expect(notes.join(' ')).not.toContain('\u0000');
});
