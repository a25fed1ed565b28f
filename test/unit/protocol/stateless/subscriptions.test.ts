import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import type { ServerCapabilities } from '../../../../src/protocol/mcp/lifecycle.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { bareParams, openStateless } from '../../../fixtures/statelessSession.ts';

const idKey = 'io.modelcontextprotocol/subscriptionId';
const offers: ServerCapabilities = {
  tools: { listChanged: true },
  prompts: {},
  resources: { listChanged: true, subscribe: true },
};
const lists = { toolsListChanged: true, resourcesListChanged: true };

/** A server that keeps its subscriptions open; a test sends messages on them. */
function open(capabilities: ServerCapabilities = offers) {
  const opened = openStateless({
    offers: capabilities,
    script: (server) => server.on('subscriptions/listen', () => {}),
  });
  const { server } = opened;
  const listens = () => server.sentFor('subscriptions/listen');
  const filters = () => listens().map((sent) => bareParams(sent)['notifications']);
  const lastId = () => listens().at(-1)?.['id'];
  const tell = async (method: string, params: object = {}, id: unknown = lastId()): Promise<void> => {
    server.notify(`notifications/${method}`, { ...params, _meta: { [idKey]: id } });
    await settle();
  };
  const acknowledge = (notifications: unknown = filters().at(-1), id: unknown = lastId()): Promise<void> =>
    tell('subscriptions/acknowledged', { notifications }, id);
  const subscribe = async (...uris: string[]): Promise<void> => {
    const subscribed = Promise.all(uris.map((uri) => opened.session.subscribe(uri)));
    await settle();
    await acknowledge();
    await subscribed;
  };
  const end = async (id: unknown = lastId()): Promise<void> => {
    server.say({ jsonrpc: '2.0', id, result: { resultType: 'complete', _meta: { [idKey]: id } } });
    await settle();
  };
  const cancelled = () => server.sentFor('notifications/cancelled').map((sent) => bareCancelled(sent));
  return { ...opened, listens, filters, lastId, tell, acknowledge, subscribe, end, cancelled };
}

function bareCancelled(sent: { readonly [key: string]: unknown }): unknown {
  return (sent['params'] as { readonly requestId?: unknown }).requestId;
}

describe('what a server declares to tell', () => {
  it('is listened to in one request without a time limit [listen]', async () => {
    const { filters, listens, clock, session, acknowledge } = open();
    expect(filters()).toEqual([lists]);
    expect(listens()[0]).toHaveProperty(['params', '_meta', 'io.modelcontextprotocol/protocolVersion']);
    expect(session.receivesListChanges('tools')).toBe(false);
    await acknowledge();
    await clock.advance(10_000_000);
    expect(listens()).toHaveLength(1);
    expect([
      session.receivesListChanges('tools'),
      session.receivesListChanges('prompts'),
      session.receivesListChanges('resources'),
    ]).toEqual([true, false, true]);
  });

  it('is passed on, if it comes on a subscription of ours [listen-id]', async () => {
    const { tell, acknowledge, events, lastId } = open();
    await acknowledge();
    await tell('tools/list_changed');
    await tell('resources/list_changed');
    await tell('prompts/list_changed', {}, String(lastId()));
    await tell('prompts/list_changed', {}, 99);
    await tell('resources/updated', { uri: 'a:b' });
    await tell('resources/updated', { uri: 5 });
    expect(events).toEqual(['tools changed', 'resources changed', 'prompts changed', 'a:b updated']);
  });

  it('may be nothing: then nobody listens', () => {
    expect(open({ tools: {}, resources: { subscribe: true } }).listens()).toEqual([]);
  });

  it('and does not agree to is complained of once [listen-acknowledged]', async () => {
    const { acknowledge, end, clock, session, log } = open();
    await acknowledge({ toolsListChanged: true, resourcesListChanged: false });
    await end();
    await clock.advance(1_000);
    await acknowledge({ toolsListChanged: true });
    expect(session.receivesListChanges('resources')).toBe(false);
    expect(log.filter(([level]) => level === 'warn')).toEqual([['warn', expect.stringContaining('resources change')]]);
  });
});

describe('a resource that is subscribed to', () => {
  it('is told of once the server agrees, the old subscription being given up only then [listen-amend]', async () => {
    const { session, filters, acknowledge, cancelled, tell, events } = open();
    await acknowledge();
    const subscribed = session.subscribe('a:b');
    await settle();
    expect(filters()).toEqual([lists, { ...lists, resourceSubscriptions: ['a:b'] }]);
    await tell('tools/list_changed', {}, 1);
    expect([cancelled(), events]).toEqual([[], ['tools changed']]);
    await acknowledge();
    await subscribed;
    expect(cancelled()).toEqual([1]);
    await tell('tools/list_changed', {}, 1);
    await tell('resources/updated', { uri: 'a:b' });
    expect(events).toEqual(['tools changed', 'a:b updated']);
  });

  it('costs one request together with others, and none a second time', async () => {
    const { session, filters, subscribe } = open({ resources: { subscribe: true } });
    await subscribe('a:1', 'a:2');
    await session.subscribe('a:1');
    expect(filters()).toEqual([{ resourceSubscriptions: ['a:1', 'a:2'] }]);
  });

  it('can be given up; with the last one ends the listening', async () => {
    const { session, filters, acknowledge, subscribe, cancelled } = open({ resources: { subscribe: true } });
    await subscribe('a:1', 'a:2');
    await session.unsubscribe('a:1');
    await settle();
    await acknowledge();
    expect(filters().at(-1)).toEqual({ resourceSubscriptions: ['a:2'] });
    await session.unsubscribe('a:2');
    await session.unsubscribe('a:2');
    await settle();
    expect(filters()).toHaveLength(2);
    expect(cancelled()).toEqual([1, 2]);
  });

  it('is not, when the server does not agree', async () => {
    const { session, acknowledge, end, clock, filters } = open();
    await acknowledge();
    const refused = expect(session.subscribe('a:b')).rejects.toMatchObject({ code: 'capabilityMissing' });
    await settle();
    await acknowledge(lists);
    await refused;
    await end();
    await clock.advance(1_000);
    expect(filters().at(-1)).toEqual(lists);
  });

  it('is not, when the server refuses; what was agreed to before goes on', async () => {
    const { server, session, acknowledge, tell, events, log } = open();
    await acknowledge();
    const refused = expect(session.subscribe('a:b')).rejects.toMatchObject({ code: 'capabilityMissing' });
    await settle();
    server.say({ jsonrpc: '2.0', id: 2, error: { code: -32602, message: 'No such resource' } });
    await refused;
    await tell('tools/list_changed', {}, 1);
    expect(events).toEqual(['tools changed']);
    expect(log).toContainEqual(['debug', expect.stringContaining('No such resource')]);
  });

  it('is not, when the server ends the new subscription; the old one goes on', async () => {
    const { session, acknowledge, end, clock, listens } = open();
    await acknowledge();
    const refused = expect(session.subscribe('a:b')).rejects.toMatchObject({ code: 'capabilityMissing' });
    await settle();
    await end();
    await refused;
    await clock.advance(100_000);
    expect([listens().length, session.receivesListChanges('tools')]).toEqual([2, true]);
  });

  it('is told of though the server ends the old subscription before it agrees to the new one', async () => {
    const { session, acknowledge, end, events } = open();
    await acknowledge();
    const subscribed = session.subscribe('a:b');
    await settle();
    await end(1);
    await acknowledge();
    await subscribed;
    expect(session.receivesListChanges('tools')).toBe(true);
    // There was no subscription between the two.
    expect(events).toEqual(['tools changed', 'resources changed', 'a:b updated']);
  });

  it('is asked for at once even while the server is left alone for a while', async () => {
    const { subscribe, acknowledge, end, clock, filters } = open();
    await acknowledge();
    await end();
    await subscribe('a:b');
    await clock.advance(100_000);
    expect(filters()).toEqual([lists, { ...lists, resourceSubscriptions: ['a:b'] }]);
  });

  it('counts as agreed to when the server tells without saying so', async () => {
    const { session, clock } = open({ resources: { subscribe: true } });
    const subscribed = session.subscribe('a:b');
    await settle();
    await clock.advance(10_000);
    await subscribed;
  });

  it('is waited for no longer than the connection lasts', async () => {
    const { session, peer } = open();
    const ended = expect(session.subscribe('a:b')).rejects.toMatchObject({ code: 'connectionClosed' });
    await settle();
    peer.dispose();
    await ended;
    await expect(session.subscribe('a:c')).rejects.toMatchObject({ code: 'connectionClosed' });
  });
});

describe('a server that stops telling', () => {
  it('or begins late may have had something to tell meanwhile', async () => {
    const { acknowledge, clock, events } = open();
    await clock.advance(1_001);
    await acknowledge();
    expect(events).toEqual(['tools changed', 'resources changed']);
  });

  it('is asked again after a while, and what may have been missed is looked at [listen-again]', async () => {
    const { session, acknowledge, subscribe, end, clock, listens, events } = open();
    await subscribe('a:b');
    await clock.advance(60_000);
    await end();
    expect(session.receivesListChanges('tools')).toBe(false);
    await clock.advance(999);
    const before = listens().length;
    await clock.advance(1);
    expect(listens()).toHaveLength(before + 1);
    expect(events).toEqual([]);
    await acknowledge();
    const missed = ['tools changed', 'resources changed', 'a:b updated'];
    expect(events).toEqual(missed);
    await session.unsubscribe('a:b');
    await settle();
    await acknowledge();
    expect(events).toEqual(missed);
  });

  it('is asked ever more slowly, down to every half minute, until it has told for a minute', async () => {
    const { end, clock, listens } = open();
    const waits: number[] = [];
    for (let time = 0; time < 7; time += 1) {
      await end();
      const from = clock.now();
      const before = listens().length;
      while (listens().length === before) await clock.advance(500);
      waits.push(clock.now() - from);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    await clock.advance(60_000);
    await end();
    const before = listens().length;
    await clock.advance(1_000);
    expect(listens()).toHaveLength(before + 1);
  });

  it.each([1, '1'])('is not cancelled back when it cancels %j', async (requestId) => {
    const { server, clock, listens, cancelled } = open();
    server.notify('notifications/cancelled', { requestId });
    await settle();
    await clock.advance(1_000);
    expect(listens()).toHaveLength(2);
    expect(cancelled()).toEqual([]);
  });

  it('is asked again when the stream broke, and not any more when it refuses [listen-again]', async () => {
    const broken = new PatchbayError('answerLost', 'The stream broke.');
    const { server, clock } = openStateless({
      offers,
      script: (scripted) => scripted.fail('subscriptions/listen', broken),
    });
    await settle();
    await clock.advance(1_000);
    expect(server.sentFor('subscriptions/listen')).toHaveLength(2);
    server.fail('subscriptions/listen', { code: -32601, message: 'Method not found' });
    await clock.advance(2_000);
    expect(server.sentFor('subscriptions/listen')).toHaveLength(3);
    await clock.advance(1_000_000);
    expect(server.sentFor('subscriptions/listen')).toHaveLength(3);
  });

  it('for want of a sign-in is asked again after the next one, without asking for another [listen-again]', async () => {
    const { server, clock, authorization, session, events } = openStateless({
      offers,
      isHttp: true,
      script: (scripted) =>
        scripted.fail('subscriptions/listen', new PatchbayError('needsSignIn', 'Nobody signed in.')),
    });
    const asked = () => server.hintsFor('subscriptions/listen').map((hints) => hints?.isUnattended);
    await settle();
    await clock.advance(1_000_000);
    expect(asked()).toEqual([false]);
    authorization.fire();
    authorization.fire();
    await clock.advance(1_000);
    await clock.advance(1_000_000);
    expect(asked()).toEqual([false, true]);
    server.on('subscriptions/listen', () => {});
    authorization.fire();
    await clock.advance(1_000);
    server.notify('notifications/subscriptions/acknowledged', { notifications: lists });
    await settle();
    expect([asked(), session.receivesListChanges('tools')]).toEqual([[false, true, true], true]);
    expect(events).toEqual(['tools changed', 'resources changed']);
  });

  it('is not asked again once the connection ended', async () => {
    const { peer, end, clock, listens } = open();
    await end();
    peer.dispose();
    await clock.advance(1_000_000);
    expect(listens()).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });
});
