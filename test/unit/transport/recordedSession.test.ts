import { describe, expect, it } from 'vitest';
import { readSession } from '../../../src/transport/replay/recordedSession.ts';

const header = '{"format":"mcp-session","version":1,"later":true}\n';
const note = '{"t":0,"note":"x"}\n';

function read(text: string) {
  return readSession(text, () => Promise.resolve());
}

describe('the reader of recorded sessions', () => {
  it.each([
    ['a line that is no JSON', `${header}${note}{"t":0,\n${note}`, 1, 3, /is not a message .* Correct it/],
    ['a line without a time', `${header}{"note":"x"}\n`, 0, 2, /is not a message/],
    ['a message of nobody', `${header}{"t":0,"from":"me","message":{}}\n`, 0, 2, /is not a message/],
    ['a deep line', `${header}${note}${'['.repeat(600)}`, 1, 3, /nested too deep/],
    ['1,000,000 lines', header + note.repeat(1_000_000), 249_999, 250_001, /more than 250000 lines\. Record a shorter/],
    ['1,000,000 empty lines', header + '\n'.repeat(1_000_000), 0, 250_001, /more than 250000 lines/],
    ['a line of 100 MB', `${header}${note}"${'x'.repeat(100_000_000)}"\n`, 1, 3, /more than 44000000 characters/],
  ])('stops at %s, and says where', async (_, text, entries, line, message) => {
    const session = await read(text);
    expect(session.entries).toHaveLength(entries);
    expect(session.problem).toEqual({ line, message: expect.stringMatching(message) });
  });

  it('leaves out lines and members that a later writer may add', async () => {
    const { entries, problem } = await read(`${header}{"t":1,"mark":"x"}\n{"t":2,"log":"said","level":"info"}\r\n`);
    expect([entries, problem]).toEqual([[{ kind: 'log', line: 3, t: 2, text: 'said' }], undefined]);
  });

  it.each([
    ['2', /its version is 2, and it was written by a newer Patchbay\. Update/],
    ['"1"', /its version is "1", and it must be 1\. Record/],
    ['"\\u202e"', /version is (?!.*\u202e)/],
    ['0', /its version is 0, and it must be 1/],
  ])('refuses the version %s with words', async (version, message) => {
    await expect(read(`{"format":"mcp-session","version":${version}}\n`)).rejects.toThrow(message);
  });
});
