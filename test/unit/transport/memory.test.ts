import { describe, expect, it } from 'vitest';
import { createMemoryPair } from '../../../src/transport/memory.ts';
import type { CloseReason } from '../../../src/transport/transport.ts';

const { signal } = new AbortController();

describe('createMemoryPair', () => {
  it('delivers copies, in order and not at once', async () => {
    const [left, right] = createMemoryPair();
    const received: unknown[] = [];
    right.onMessage((message) => received.push(message));
    await Promise.all([left.start(signal), right.start(signal)]);
    const params = { list: [1, undefined] };
    const sends = [left.send({ jsonrpc: '2.0', method: 'one', params }), left.send({ jsonrpc: '2.0', method: 'two' })];
    expect(received).toEqual([]);
    params.list.push(2);
    await Promise.all(sends);
    expect(received).toEqual([
      { jsonrpc: '2.0', method: 'one', params: { list: [1, null] } },
      { jsonrpc: '2.0', method: 'two' },
    ]);
  });

  it('keeps what arrives before the receiver has started', async () => {
    const [left, right] = createMemoryPair();
    const received: unknown[] = [];
    right.onMessage((message) => received.push(message));
    await left.start(signal);
    await left.send({ jsonrpc: '2.0', method: 'early' });
    expect(received).toEqual([]);
    await right.start(signal);
    await Promise.resolve();
    expect(received).toEqual([{ jsonrpc: '2.0', method: 'early' }]);
  });

  it('closes both ends once and refuses to send afterwards', async () => {
    const [left, right] = createMemoryPair();
    const reasons: CloseReason[] = [];
    left.onDidClose((reason) => reasons.push(reason));
    right.onDidClose((reason) => reasons.push(reason));
    await Promise.all([left.dispose(), right.dispose(), left.dispose()]);
    expect(reasons.map((reason) => reason.kind)).toEqual(['requested', 'failed']);
    await expect(right.send({ jsonrpc: '2.0', method: 'late' })).rejects.toMatchObject({ code: 'connectionClosed' });
  });

  it('does not start with an aborted signal', async () => {
    const reason = new Error('no');
    await expect(createMemoryPair()[0].start(AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
