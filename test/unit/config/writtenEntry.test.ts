import { describe, expect, it } from 'vitest';
import { writtenEntry } from '../../../src/config/newServer.ts';
import { readPastedServers } from '../../../src/config/pastedServers.ts';

describe('an entry that plays a recorded session', () => {
  it.each([
    [{ session: 'a.mcp-session.jsonl' }, { session: 'a.mcp-session.jsonl' }],
    [{ session: 'a.mcp-session.jsonl', mode: 'lenient' }, { session: 'a.mcp-session.jsonl' }],
    [
      { session: '${workspaceFolder}/a.mcp-session.jsonl', mode: 'strict' },
      { session: '${workspaceFolder}/a.mcp-session.jsonl', mode: 'strict' },
    ],
  ])('is saved as it was pasted, and never as a program: %j', (entry, expected) => {
    const text = JSON.stringify({ mcpServers: { notes: { type: 'replay', ...entry } } });
    const [pasted] = readPastedServers(text).servers;
    const definition = pasted?.definition ?? expect.unreachable('it is not read');
    expect(writtenEntry(definition)).toEqual({ type: 'replay', ...expected });
  });
});
