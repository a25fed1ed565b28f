import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ConnectionLimit } from '../../../../src/transport/http/connectionLimit.ts';

const never = new AbortController().signal;

describe('ConnectionLimit', () => {
  it('makes nobody wait while a connection is free', () => {
    const limit = new ConnectionLimit(2);
    expect([limit.take(never), limit.take(never)]).toEqual([undefined, undefined]);
    expect(limit.take(never)).toBeInstanceOf(Promise);
  });

  it('gives each connection to the first in line', async () => {
    const limit = new ConnectionLimit(1);
    void limit.take(never);
    const order: number[] = [];
    const waiting = [1, 2, 3].map((number) => limit.take(never)?.then(() => order.push(number)));
    for (const [index, turn] of waiting.entries()) {
      limit.release();
      await turn;
      expect(order).toHaveLength(index + 1);
    }
    expect(order).toEqual([1, 2, 3]);
    limit.release();
    expect(limit.take(never)).toBeUndefined();
  });

  it('takes those out of the line who give up, and leaves no listener behind', async () => {
    const limit = new ConnectionLimit(1);
    void limit.take(never);
    const [first, second] = [new AbortController(), new AbortController()];
    const given = limit.take(first.signal);
    const kept = limit.take(second.signal);
    first.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    limit.release();
    await kept;
    expect(getEventListeners(second.signal, 'abort')).toEqual([]);
    // Too late: the connection is taken, and is given back like any other.
    second.abort();
    expect(limit.take(never)).toBeInstanceOf(Promise);
    expect(() => limit.take(first.signal)).toThrow('enough');
  });

  it('lets pass what others wait for', () => {
    const limit = new ConnectionLimit(1);
    const methods = ['tools/call', 'ping', 'tasks/result', 'initialize', 'subscriptions/listen', 'tasks/cancel'];
    expect(methods.filter((method) => limit.covers(method))).toEqual(['tools/call', 'ping', 'tasks/result']);
  });
});
