import { describe, expect, it } from 'vitest';
import type { PastCall } from '../../../../src/host/calls/callRecord.ts';
import { createCallRows } from '../../../../src/host/calls/callRows.ts';

function call(args: PastCall['args'], more: Partial<PastCall> = {}): PastCall {
  const { length } = JSON.stringify(args ?? {});
  return {
    id: `id-${length}`,
    server: 's',
    identity: 's',
    tool: 't',
    at: 1,
    outcome: 'done',
    args,
    omitted: [],
    ...more,
  };
}

/** What differs stands in asterisks. */
const wordsOf = (...calls: readonly PastCall[]): readonly string[] =>
  createCallRows()(calls).map(({ words }) =>
    words.map(({ text, differs }) => (differs ? `**${text}**` : text)).join(', '),
  );

describe('the arguments in a row', () => {
  it('are whole where there is no other call of the tool', () => {
    const others = [call({ a: 2 }, { tool: 'u' }), call({ a: 3 }, { identity: 'v' })];
    expect(wordsOf(call({ a: 1, b: ['x'] }), ...others)[0]).toBe('a: 1, b: ["x"]');
  });

  it('keep the order of the call, and mark what differs from the calls before and after', () => {
    const same = { path: 'ws', excludes: ['.git'] };
    expect(
      wordsOf(
        call({ ...same, pattern: '*.md' }),
        call({ a: 1 }, { tool: 'between' }),
        call({ ...same, pattern: '*.ts' }),
        call({ ...same, pattern: '*.ts', deep: true }),
      ),
    ).toEqual([
      'path: "ws", excludes: [".git"], **pattern: "*.md"**',
      'a: 1',
      'path: "ws", excludes: [".git"], **pattern: "*.ts"**, **no deep**',
      'path: "ws", excludes: [".git"], pattern: "*.ts", **deep: true**',
    ]);
  });

  it('leave the room to what differs, wherever it is in the call', () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`name${index}`, 'v'.repeat(80)]));
    const [first] = wordsOf(call({ ...many, last: 'one' }), call({ ...many, last: 'two' }));
    expect(first).toMatch(/^name0: "v+…, name1: .*, \*\*last: "one"\*\*, …$/);
    const [alone] = wordsOf(call({ path: `/home/${'p'.repeat(40)}`, last: 1 }));
    expect(alone).toBe(`path: "/home/${'p'.repeat(40)}", last: 1`);
  });

  it('show the place within a value, and a long text from where it differs', () => {
    const text = 'The quick brown fox jumps over the lazy dog, again and again. ';
    const [first] = wordsOf(
      call({ stops: [{ city: 'Porto' }, { city: 'Faro' }], text: `${text}One` }),
      call({ stops: [{ city: 'Porto' }, { city: 'Evora' }], text: `${text}Two` }),
    );
    expect(first).toBe('**stops[1].city: "Faro"**, **text: "… and again. One"**');
  });

  it('tell integers of any length apart', () => {
    const [first] = wordsOf(call({ id: 1 }), call({ id: 2 }));
    expect(first).toBe('**id: 1**');
  });

  it('are bounded, on one line, with hidden characters written out', () => {
    const hostile = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`\u202e${index}\n${'k'.repeat(5_000)}`, 'v'.repeat(5_000)]),
    );
    for (const words of wordsOf(call(hostile), call({}), call(hostile), call(hostile))) {
      expect(words.length).toBeLessThanOrEqual(320);
      expect(words).not.toMatch(/[\u202e\n]/);
    }
  });

  it('say why they are not there', () => {
    expect(wordsOf(call(undefined, { omitted: ['Not kept: odd.'] }))).toEqual(['Not kept: odd.']);
  });

  it('are made once for a call, until those beside it are others', () => {
    const toRows = createCallRows();
    const calls = [call({ a: 1 }), call({ a: 2 }), call({ a: 3 })];
    const rows = toRows(calls);
    const again = toRows([call({ a: 4 }), ...calls]);
    expect(again.slice(2)).toEqual(rows.slice(1));
    expect(again[2]).toBe(rows[1]);
    expect(again[1]).not.toBe(rows[0]);
  });
});
