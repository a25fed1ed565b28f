import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import type { DroppedAnswer } from '../../../../src/protocol/messageChannel.ts';
import { Peer } from '../../../../src/protocol/peer.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { failureOf, setUp } from './setUp.ts';

describe('what goes wrong with one message', () => {
  it.each([
    [
      { sampling: { tools: {} }, elicitation: { url: {}, form: {} }, roots: {} },
      'sampling.tools, elicitation.url, elicitation.form, roots',
    ],
    [{ extensions: { 'io.modelcontextprotocol/tasks': {} } }, 'extensions.io.modelcontextprotocol/tasks'],
    [{ 'a\u202Eb': {}, ['x'.repeat(200)]: true }, `a⟨U+202E⟩b, ${'x'.repeat(100)}`],
    [
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`c${index}`, {}])),
      'c0, c1, c2, c3, c4, c5, c6, c7, c8, c9',
    ],
  ])('says which capabilities a server misses: %j [missing-capability]', async (requiredCapabilities, names) => {
    const { server, peer } = setUp();
    server.fail('call', { code: -32021, message: 'Not declared', data: { requiredCapabilities } });
    expect(await failureOf(peer.request('call'))).toMatchObject({
      code: -32021,
      message: `Not declared. Patchbay did not declare what it needs: ${names}`,
      data: { requiredCapabilities },
    });
  });

  it('is logged with what the server sent along, cut where it is long [error-data]', async () => {
    const { server, peer, logged } = setUp();
    const errors: Record<string, object> = {
      plain: { code: 1, message: 'no' },
      more: { code: 2, message: 'no', data: { line: 7 } },
      long: { code: 3, message: 'no', data: ['x'.repeat(1_000_000)] },
    };
    for (const [method, error] of Object.entries(errors)) {
      server.fail(method, error);
      await failureOf(peer.request(method));
    }
    expect(logged.slice(0, 2)).toEqual([
      'plain was answered with an error: no (code 1)',
      'more was answered with an error: no (code 2)\n{"line":7}',
    ]);
    expect(logged[2]?.length).toBeLessThan(11_000);
  });

  it.each([{}, { error: 'boom' }, { error: null }])(
    'fails a request answered with %j at once [answer-malformed]',
    async (answer) => {
      const { clock, server, peer } = setUp();
      const failure = failureOf(peer.request('a'));
      server.say({ jsonrpc: '2.0', id: 1, ...answer });
      expect(await failure).toMatchObject({ code: 'invalidMessage' });
      await clock.advance(1_000);
      expect(clock.waiting).toBe(0);
    },
  );

  it('does not take a structured log line for an answer', async () => {
    const { server, peer } = setUp();
    const answer = peer.request('a');
    server.say({ id: 1, level: 'info' });
    server.say({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await answer).toEqual({});
  });

  it('does not take an answer to "1" for one to 1', async () => {
    const { server, peer } = setUp();
    const answer = peer.request('a');
    server.say({ jsonrpc: '2.0', id: '1', result: { wrong: true } });
    server.say({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await answer).toEqual({});
  });

  it('answers a request whose params are not an object', async () => {
    const { server, peer } = setUp();
    peer.onRequest('ping', () => expect.unreachable('handled'));
    const answer = server.ask('other', undefined, 7);
    server.say({ jsonrpc: '2.0', id: 'x', method: 'ping', params: [1] });
    await answer;
    await settle();
    expect(server.sent).toContainEqual({
      jsonrpc: '2.0',
      id: 'x',
      error: { code: -32600, message: 'Invalid request: params of ping is not an object' },
    });
  });

  it('fails a request that JSON cannot carry, leaving nothing behind', async () => {
    const clock = createManualClock();
    const channel = {
      onMessage: () => ({ dispose: () => {} }),
      send: (message: object): Promise<void> => Promise.resolve(void JSON.stringify(message)),
    };
    const peer = new Peer({ channel, clock, logger: createNullLogger(), requestMs: 1_000, maximumMs: 5_000 });
    expect(await failureOf(peer.request('a', { big: 1n }))).toBeInstanceOf(TypeError);
    await clock.advance(1_000);
    expect(clock.waiting).toBe(0);
  });

  it('fails a request whose answer was too large to be read', async () => {
    const dropped = new Emitter<DroppedAnswer>();
    const channel = {
      onMessage: () => ({ dispose: () => {} }),
      onDidDropAnswer: dropped.event,
      send: (): Promise<void> => Promise.resolve(),
    };
    const clock = createManualClock();
    const peer = new Peer({ channel, clock, logger: createNullLogger(), requestMs: 1_000, maximumMs: 5_000 });
    const failure = failureOf(peer.request('a'));
    const error = new PatchbayError('messageTooLarge', 'The server sent too much.');
    dropped.fire({ id: 2, error });
    dropped.fire({ id: 1, error });
    expect(await failure).toBe(error);
  });

  it('bounds the message of an error', async () => {
    const { server, peer } = setUp();
    server.fail('bad', { code: 1, message: 'x'.repeat(1_000_000) });
    const error = (await failureOf(peer.request('bad'))) as Error;
    expect(error.message.length).toBeLessThan(20_000);
  });
});
