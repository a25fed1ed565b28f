import { describe, expect, it } from 'vitest';
import { readSession, type RecordedSession } from '../../../src/transport/replay/recordedSession.ts';
import { compareSessions } from '../../../src/workshop/sessions/compareSessions.ts';

type Exchange = readonly [method: string, params: object, result: object];

/** A recording with these requests and answers. */
async function session(...exchanges: readonly Exchange[]): Promise<RecordedSession> {
  const lines = exchanges.flatMap(([method, params, result], id) => [
    { t: 0, from: 'client', message: { jsonrpc: '2.0', id, method, params } },
    { t: 1, from: 'server', message: { jsonrpc: '2.0', id, result } },
  ]);
  const text = [{ format: 'mcp-session', version: 1 }, ...lines].map((line) => JSON.stringify(line)).join('\n');
  return readSession(text, () => Promise.resolve());
}

function tools(...list: readonly object[]): Exchange {
  return ['tools/list', {}, { tools: list }];
}

function tool(inputSchema: object, more: object = {}): object {
  return { name: 'add', inputSchema: { type: 'object', ...inputSchema }, ...more };
}

const number = { type: 'number' };

async function changesOf(before: readonly Exchange[], after: readonly Exchange[]): Promise<string[]> {
  const { changes } = compareSessions(await session(...before), await session(...after));
  return changes.map(({ kind, subject, message }) => `${kind} ${subject.kind}: ${message}`);
}

describe('two recorded sessions', () => {
  it.each([
    ['a tool that is gone', [tool({})], [], 'breaking tool: It is gone.'],
    ['a new tool', [], [tool({})], 'added tool: It is new.'],
    [
      'a new required argument',
      [tool({})],
      [tool({ properties: { a: number }, required: ['a'] })],
      'breaking tool: "a" is new and required.',
    ],
    ['a new optional argument', [tool({})], [tool({ properties: { a: number } })], 'added tool: "a" is new.'],
    [
      'a narrower type',
      [tool({ properties: { a: { type: ['number', 'string'] } } })],
      [tool({ properties: { a: number } })],
      'breaking tool: "a" can no longer be string.',
    ],
    [
      'a wider enumeration',
      [tool({ properties: { a: { enum: [1] } } })],
      [tool({ properties: { a: { enum: [1, 2] } } })],
      'added tool: "a" has the new value 2.',
    ],
    [
      'a member of the result that is gone',
      [tool({}, { outputSchema: { properties: { sum: number } } })],
      [tool({}, { outputSchema: { properties: {} } })],
      'breaking tool: "sum" is gone.',
    ],
    [
      'a narrower enumeration',
      [tool({ properties: { a: { enum: [1, 2] } } })],
      [tool({ properties: { a: { enum: [1] } } })],
      'breaking tool: "a" no longer has the value 2.',
    ],
    [
      'a tool that may change something now',
      [tool({}, { annotations: { readOnlyHint: true, title: 'A' } })],
      [tool({}, { annotations: { title: 'A' } })],
      'breaking tool: Its annotation readOnlyHint is false now.',
    ],
    [
      'a tool that changes nothing now',
      [tool({})],
      [tool({}, { annotations: { readOnlyHint: true } })],
      'added tool: Its annotation readOnlyHint is true now.',
    ],
    [
      'another title',
      [tool({}, { annotations: { title: 'A' } })],
      [tool({}, { annotations: { title: 'B' } })],
      'wording tool: It changed in annotations.',
    ],
    [
      'another description',
      [tool({}, { description: 'one' })],
      [tool({}, { description: 'two' })],
      'wording tool: It changed in description.',
    ],
  ])('differ in %s', async (_, before, after, expected) => {
    expect(await changesOf([tools(...before)], [tools(...after)])).toEqual([expected]);
  });

  it('differ in a call that fails now, and in one whose result lost a member', async () => {
    const call = (name: string, result: object): Exchange => ['tools/call', { name, arguments: {} }, result];
    const before = [call('a', { content: [] }), call('b', { structuredContent: { x: 1 } }), call('c', { text: 'one' })];
    const after = [call('a', { isError: true }), call('b', { structuredContent: {} }), call('c', { text: 'two' })];
    expect(await changesOf(before, after)).toEqual([
      'breaking tool: tools/call of "a" (line 2, now line 2) fails now.',
      'breaking tool: tools/call of "b" (line 4, now line 4) no longer has "structuredContent.x" as it was.',
      'wording tool: tools/call of "c" (line 6, now line 6) has other values, first at $.text.',
    ]);
  });

  it('with long names of many members are compared in linear time', async () => {
    const members = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`m${index}`, index]));
    const call = (last: unknown): Exchange => ['tools/call', {}, { ['n'.repeat(1_000_000)]: { ...members, last } }];
    const [change] = await changesOf([call(1)], [call('one')]);
    expect(change).toMatch(/^breaking server: tools\/call .* no longer has "n+…" as it was\.$/);
  });

  it('are compared safely with names of JavaScript', async () => {
    const hostile = (description: string): Exchange => [
      'tools/list',
      {},
      JSON.parse(
        `{"tools":[{"name":"__proto__","description":"${description}","inputSchema":{"properties":{"__proto__":{"type":"string"},"constructor":{}}}}]}`,
      ) as object,
    ];
    expect(await changesOf([hostile('a')], [hostile('b')])).toEqual(['wording tool: It changed in description.']);
    expect(await changesOf([hostile('a')], [tools({ name: '__proto__', inputSchema: {} })])).toContain(
      'breaking tool: "__proto__" is gone.',
    );
    expect(({} as Record<string, unknown>)['type']).toBeUndefined();
  });
});
