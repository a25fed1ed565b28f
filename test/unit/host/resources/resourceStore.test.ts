import { describe, expect, it, vi } from 'vitest';
import { isResourceNotFound } from '../../../../src/host/resources/documentReads.ts';
import { createResourceStore } from '../../../../src/host/resources/resourceStore.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';
import type { ResourceContents } from '../../../../src/protocol/mcp/content.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

function setUp(first: readonly ResourceContents[]) {
  const clock = createManualClock();
  const server = { contents: first, reads: 0 };
  const read = async () => {
    server.reads += 1;
    return { contents: server.contents };
  };
  const store = createResourceStore(clock, () => 'one', read);
  return { clock, server, store };
}

const text = (value: string): ResourceContents => ({ uri: 'demo://a', mimeType: 'text/plain', text: value });

describe('resourceStore', () => {
  it('reads once for one look', async () => {
    const { store, server, clock } = setUp([text('x')]);
    await Promise.all([store.load('demo', 'demo://a'), store.load('demo', 'demo://a')]);
    await store.load('demo', 'demo://a');
    expect(server.reads).toBe(1);
    await clock.advance(2_000);
    await store.load('demo', 'demo://a');
    expect(server.reads).toBe(2);
    await store.load('other', 'demo://a');
    expect(server.reads).toBe(3);
  });

  it('gives a new time exactly when the contents are new', async () => {
    const { store, server, clock } = setUp([text('x')]);
    const first = await store.load('demo', 'demo://a');
    await clock.advance(5_000);
    expect(await store.load('demo', 'demo://a')).toBe(first);
    server.contents = [text('y')];
    store.invalidate('demo', 'demo://a');
    const second = await store.load('demo', 'demo://a');
    expect(second.changedAt).toBeGreaterThan(first.changedAt);
    server.contents = [text('z')];
    store.invalidate('demo', 'demo://a');
    expect((await store.load('demo', 'demo://a')).changedAt).toBeGreaterThan(second.changedAt);
  });

  it('does not take what was asked before a change for what is after it, and reads again what changed meanwhile', async () => {
    const answers: ((value: string) => void)[] = [];
    const ask = () =>
      new Promise<{ contents: ResourceContents[] }>((resolve) => {
        answers.push((value) => resolve({ contents: [text(value)] }));
      });
    const store = createResourceStore(createManualClock(), () => 'one', ask);
    const read = async (): Promise<string> => String((await store.load('demo', 'demo://a')).parts[0]?.bytes);
    const before = read();
    store.invalidate('demo', 'demo://a');
    const after = read();
    expect(answers).toHaveLength(2);
    answers[1]?.('new');
    answers[0]?.('old');
    expect([await after, await before, await read()]).toEqual(['new', 'old', 'new']);
    store.invalidate('demo', 'demo://a');
    const during = read();
    store.invalidate('demo', 'demo://a');
    answers[2]?.('x');
    await during;
    void read();
    expect(answers).toHaveLength(4);
  });

  it('decodes bytes and names each part once', async () => {
    const { store } = setUp([
      { uri: 'demo://f/a.md', text: 'é' },
      { uri: 'demo://g/a.md', text: '' },
      { uri: 'demo://f/pic', mimeType: 'image/png', blob: 'iVBORw==' },
    ]);
    const { parts } = await store.load('demo', 'demo://f');
    expect(parts.map(({ name }) => name)).toEqual(['a.md', 'a (2).md', 'pic.png']);
    expect(parts.map(({ bytes }) => [...bytes])).toEqual([[0xc3, 0xa9], [], [0x89, 0x50, 0x4e, 0x47]]);
  });

  it('forgets a failure', async () => {
    const read = vi.fn(async () => ({ contents: [text('x')] })).mockRejectedValueOnce(new Error('not yet'));
    const store = createResourceStore(createManualClock(), () => 'one', read);
    await expect(store.load('demo', 'demo://a')).rejects.toThrow('not yet');
    expect((await store.load('demo', 'demo://a')).parts).toHaveLength(1);
  });
});

describe('isResourceNotFound', () => {
  it.each([
    [new JsonRpcError(-32002, 'Resource not found'), true],
    [new JsonRpcError(-32602, 'No such thing', { uri: 'demo://a' }), true],
    [new JsonRpcError(-32602, 'Unknown resource: demo://a'), true],
    [new JsonRpcError(-32001, 'Resource not found'), true],
    [new JsonRpcError(-32602, 'uri must be a string'), false],
    [new JsonRpcError(-32603, 'not found'), false],
    [new Error('not found'), false],
  ])('%s: %s', (error, expected) => expect(isResourceNotFound(error)).toBe(expected));
});
