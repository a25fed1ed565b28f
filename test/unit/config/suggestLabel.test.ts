import { describe, expect, it } from 'vitest';
import type { ServerDefinition } from '../../../src/config/serverDefinition.ts';
import { suggestLabel, uniqueLabel } from '../../../src/config/newServer.ts';
import { splitCommandLine } from '../../../src/config/splitCommandLine.ts';

describe('splitCommandLine', () => {
  it.each<[string, string[]]>([
    ['npx -y  x ', ['npx', '-y', 'x']],
    ['"C:\\Program Files\\x.exe" a\\b', ['C:\\Program Files\\x.exe', 'a\\b']],
    [`sh -c 'echo "a b"'`, ['sh', '-c', 'echo "a b"']],
    ['a "b \\"c\\"" \'\'', ['a', 'b "c"', '']],
    ['--x="a b"c', ['--x=a bc']],
    ["it\\'s", ["it's"]],
    ['echo $HOME | cat', ['echo', '$HOME', '|', 'cat']],
    ['"open end', ['open end']],
    ['', []],
    ['  ', []],
  ])('%s', (line, expected) => {
    expect(splitCommandLine(line)).toEqual(expected);
  });
});

describe('suggestLabel', () => {
  it.each<[ServerDefinition, string]>([
    [{ command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory@1.2.3'] }, 'memory'],
    [{ command: 'npx', args: ['-y', '@playwright/mcp@latest'] }, 'playwright'],
    [{ command: 'uvx', args: ['mcp-server-fetch'] }, 'fetch'],
    [{ command: 'node', args: ['/a/weather/dist/index.js'] }, 'weather'],
    [{ command: '/opt/tools/gopls', args: [] }, 'gopls'],
    [{ command: 'C:\\x\\my-tool.exe' }, 'my-tool'],
    [{ url: 'https://mcp.linear.app/sse' }, 'linear'],
    [{ url: 'http://localhost:3000/mcp' }, 'localhost'],
    [{ url: 'http://127.0.0.1:3000/mcp' }, '127-0-0-1'],
    [{ url: 'unix:///run/user/1000/weather.sock#/mcp' }, 'weather'],
    [{ url: 'pipe:///pipe/weather#/mcp' }, 'weather'],
    [{ url: '${input:url}' }, 'server'],
    [{ command: 'mcp' }, 'server'],
    [{ command: 'node', args: ['index.js'] }, 'server'],
  ])('%j → %s', (definition, expected) => {
    expect(suggestLabel(definition)).toBe(expected);
  });

  it.each<[ServerDefinition, string]>([
    [{ command: '/a/.venv/bin/python3', args: ['server.py'] }, 'my-notes'],
    [{ command: 'uv', args: ['run', 'server.py'] }, 'my-notes'],
    [{ command: 'npm', args: ['start'] }, 'my-notes'],
    [{ command: 'node', args: ['weather.mjs'] }, 'weather'],
  ])('takes the name of the folder before that of what runs it: %j → %s', (definition, expected) => {
    expect(suggestLabel(definition, 'My Notes')).toBe(expected);
  });
});

describe('freeLabel', () => {
  it('counts up until nothing is in the way', () => {
    expect(uniqueLabel('a', new Set(['b']))).toBe('a');
    expect(uniqueLabel('a', new Set(['a', 'a-2']))).toBe('a-3');
  });
});
