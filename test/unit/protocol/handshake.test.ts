import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../src/base/errors.ts';
import type { UnknownRecord } from '../../../src/base/json.ts';
import { createNullLogger } from '../../../src/base/logger.ts';
import type { LoggingMessage } from '../../../src/protocol/mcp/logging.ts';
import type { SamplingResult } from '../../../src/protocol/mcp/sampling.ts';
import { Peer } from '../../../src/protocol/peer.ts';
import { openSession } from '../../../src/protocol/revisions/openSession.ts';
import { handshakeRevisions } from '../../../src/protocol/session/revision.ts';
import type { ServerRequestHandlers } from '../../../src/protocol/session/session.ts';
import { createManualClock, settle } from '../../fixtures/manualClock.ts';
import { problem } from '../../fixtures/problem.ts';
import { createScriptedServer, type ScriptedServer } from '../../fixtures/scriptedServer.ts';
import { sessionSetup } from '../../fixtures/sessionSetup.ts';

function open(server: ScriptedServer, revision?: string, requests: ServerRequestHandlers = {}) {
  const events: unknown[] = [];
  const clock = createManualClock();
  const times = { clock, requestMs: 1_000, maximumMs: 1_000 };
  const peer = new Peer({ channel: server.transport, logger: createNullLogger(), ...times });
  const setup = sessionSetup(clock, {
    capabilities: { roots: { listChanged: true } },
    requests,
    events: {
      listChanged: (kind) => events.push(kind),
      resourceUpdated: (uri) => events.push(uri),
      logged: (message: LoggingMessage) => events.push(message),
      taskChanged: (id) => events.push(id),
    },
    revision,
  });
  const opened = openSession(peer, setup, { isProbed: false });
  return { session: opened.then(({ session }) => session), events, clock };
}

/** The answer of a server to the handshake. */
function agreed(protocolVersion: unknown, version = '1', capabilities = {}) {
  return { protocolVersion, capabilities, serverInfo: { name: 's', version } };
}

describe('negotiation', () => {
  it.each(handshakeRevisions)('accepts a server of %s [version-accept]', async (protocolVersion) => {
    const server = createScriptedServer({ protocolVersion });
    expect((await open(server).session).revision).toBe(protocolVersion);
    expect(server.sent.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized']);
  });

  it('takes the revision before the first one for the first', async () => {
    const server = createScriptedServer({ protocolVersion: '2024-10-07' });
    expect((await open(server).session).revision).toBe('2024-11-05');
  });

  it('asks a server for its tools that says nothing of what it has', async () => {
    const server = createScriptedServer();
    server.on('initialize', () => ({ protocolVersion: '2024-11-05' }));
    expect((await open(server).session).capabilities).toEqual({ tools: {} });
    server.on('initialize', () => ({ protocolVersion: '2024-11-05', capabilities: [] }));
    expect((await open(server).session).capabilities).toEqual({});
  });

  it('does not wait for ever for what comes of a notification', async () => {
    const server = createScriptedServer();
    const { transport } = server;
    const send: typeof transport.send = (message, hints) =>
      'method' in message && message.method === 'notifications/initialized'
        ? new Promise(() => {})
        : transport.send(message, hints);
    const { session, clock } = open({ ...server, transport: { ...transport, send } });
    await settle();
    await clock.advance(5_000);
    await expect(session).resolves.toBeDefined();
  });

  it('offers the newest revision, its capabilities and its name [version-offer]', async () => {
    const server = createScriptedServer();
    await open(server).session;
    expect(server.sent[0]).toMatchObject({
      params: {
        protocolVersion: '2025-11-25',
        capabilities: { roots: { listChanged: true } },
        clientInfo: { name: 'test', version: '0' },
      },
    });
  });

  it('turns away a server of an unknown revision, naming both sides [version-accept]', async () => {
    const { session } = open(createScriptedServer({ protocolVersion: '2031-01-01' }));
    await expect(session).rejects.toEqual(problem('unsupportedRevision', /2031-01-01.*2025-11-25/));
  });

  it.each([
    [{ code: -32602, message: 'No', data: { supported: ['2099-01-01'] } }, 'unsupportedRevision', /"No".*2099-01-01/],
    [{ code: -32000, message: 'License expired' }, 'connectionClosed', /refused the handshake: "License expired"/],
  ])('says what a server answered that refuses: %j', async (error, code, message) => {
    const server = createScriptedServer();
    server.fail('initialize', error);
    await expect(open(server).session).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it.each([-32602, -32004])(
    'tries again with a revision the server offers in a refusal of code %i [version-error]',
    async (code) => {
      const server = createScriptedServer();
      server.on('initialize', ({ protocolVersion }) => {
        if (protocolVersion === '2025-03-26') return agreed(protocolVersion);
        throw { code, message: 'Unsupported protocol version', data: { supported: ['2024-11-05', '2025-03-26'] } };
      });
      expect((await open(server).session).revision).toBe('2025-03-26');
    },
  );

  it.each([-32602, -32000])(
    'offers older revisions to a server that refuses with %i and names none [version-older]',
    async (code) => {
      const server = createScriptedServer();
      server.on('initialize', ({ protocolVersion }) => {
        if (protocolVersion !== '2024-11-05') throw { code, message: 'Unsupported protocol version' };
        return agreed(protocolVersion);
      });
      expect((await open(server).session).revision).toBe('2024-11-05');
      const offered = server.sentFor('initialize').map(({ params }) => (params as UnknownRecord)['protocolVersion']);
      expect(offered).toEqual(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']);
    },
  );

  it('shows the first refusal of a server that answers no more after it [version-older]', async () => {
    const server = createScriptedServer();
    server.on('initialize', ({ protocolVersion }) => {
      if (protocolVersion === '2025-11-25') throw { code: -32000, message: 'License expired' };
      return undefined;
    });
    const { session, clock } = open(server);
    const failure = expect(session).rejects.toMatchObject({ message: expect.stringContaining('License expired') });
    await settle();
    await clock.advance(1_000);
    await failure;
  });

  it('holds a pinned revision [version-pinned]', async () => {
    const server = createScriptedServer({ protocolVersion: '2025-03-26' });
    await expect(open(server, '2025-06-18').session).rejects.toMatchObject({ code: 'unsupportedRevision' });
    expect(server.sent[0]).toMatchObject({ params: { protocolVersion: '2025-06-18' } });
    const { session } = open(createScriptedServer({ protocolVersion: '2025-03-26' }), '2025-03-26');
    expect((await session).revision).toBe('2025-03-26');
  });

  it('reads capabilities and names that are written carelessly', async () => {
    const server = createScriptedServer();
    server.on('initialize', () => ({
      protocolVersion: '2024-11-05',
      capabilities: { tools: true, prompts: null, resources: { subscribe: true } },
    }));
    const session = await open(server).session;
    expect(session.capabilities).toEqual({ tools: {}, resources: { subscribe: true } });
    expect(session.server).toEqual({ name: 'unknown', version: '' });
  });
});

describe('while open', () => {
  it('answers a ping even before the handshake is over [ping-early] [ping-answers]', async () => {
    const server = createScriptedServer();
    server.on('initialize', () => undefined);
    void open(server);
    expect(await server.ask('ping', undefined, 0)).toEqual({ jsonrpc: '2.0', id: 0, result: {} });
  });

  it('passes on what the server tells', async () => {
    const server = createScriptedServer();
    const { session, events } = open(server);
    await session;
    server.notify('notifications/tools/list_changed');
    server.notify('notifications/resources/updated', { uri: 'a:b' });
    server.notify('notifications/message', { level: 'shout', data: 'hi', logger: 'x' });
    await settle();
    expect(events).toEqual(['tools', 'a:b', { level: 'info', data: 'hi', logger: 'x' }]);
  });

  it('refuses what it did not offer [sampling-undeclared]', async () => {
    const server = createScriptedServer();
    await open(server).session;
    expect(await server.ask('roots/list')).toMatchObject({ error: { code: -32601 } });
    expect(await server.ask('sampling/createMessage', {})).toMatchObject({ error: { code: -32601 } });
  });
});

describe('answers to sampling on the wire', () => {
  const request = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 };
  const text = { type: 'text', text: 'a' } as const;
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
  const audio = { type: 'audio', data: 'AA==', mimeType: 'audio/wav' } as const;
  const toolUse = { type: 'tool_use', id: '1', name: 't', input: {} } as const;

  async function sample(protocolVersion: string, content: SamplingResult['content']) {
    const server = createScriptedServer({ protocolVersion });
    const answer: SamplingResult = { role: 'assistant', content, model: 'm' };
    await open(server, undefined, { createMessage: () => Promise.resolve(answer) }).session;
    return server.ask('sampling/createMessage', request);
  }

  it.each([
    ['2025-06-18', [text], text],
    ['2025-11-25', [text], text],
    ['2025-11-25', [text, toolUse], [text, toolUse]],
    ['2025-06-18', [text, text], { type: 'text', text: 'aa' }],
    ['2025-06-18', [toolUse, text], text],
    ['2025-03-26', [audio], audio],
    ['2024-11-05', [image, image], image],
    ['2024-11-05', [], { type: 'text', text: '' }],
  ])('%s: %j [sampling-content]', async (protocolVersion, content, expected) => {
    expect(await sample(protocolVersion, content)).toMatchObject({ result: { content: expected, model: 'm' } });
  });

  it.each([
    ['2024-11-05', [audio]],
    ['2025-06-18', [toolUse]],
  ])('%s has no words for %j', async (protocolVersion, content) => {
    expect(await sample(protocolVersion, content)).toMatchObject({ error: { code: -32603 } });
  });

  it('turns a bad request away before anybody is asked [sampling-invalid]', async () => {
    const server = createScriptedServer();
    await open(server, undefined, { createMessage: () => expect.unreachable('asked') }).session;
    expect(await server.ask('sampling/createMessage', { messages: [] })).toMatchObject({ error: { code: -32602 } });
  });
});

describe('a session the server has forgotten', () => {
  const lost = new PatchbayError('sessionLost', 'The server has forgotten the session.');

  /** A transport whose sends fail with an expired session until there is a new one. */
  function forgetful(server: ScriptedServer, state: { isForgotten: boolean; isStuck: boolean }): ScriptedServer {
    const { transport } = server;
    const send: typeof transport.send = (message) => {
      const method = 'method' in message ? message.method : undefined;
      if (state.isStuck && method === 'notifications/initialized') return new Promise(() => {});
      return state.isForgotten && method !== 'initialize' ? Promise.reject(lost) : transport.send(message);
    };
    return { ...server, transport: { ...transport, send } };
  }

  async function openForgetful() {
    const state = { isForgotten: false, isStuck: false, handshakes: 0 };
    const server = createScriptedServer();
    server.on('initialize', ({ protocolVersion }) => {
      state.handshakes += 1;
      state.isForgotten = false;
      return agreed(protocolVersion, '1', { tools: {}, resources: { subscribe: true }, logging: {} });
    });
    const methods = ['tools/call', 'tools/list', 'resources/subscribe', 'resources/unsubscribe', 'logging/setLevel'];
    for (const method of methods) server.on(method, () => ({ ok: true }));
    const { session, events, clock } = open(forgetful(server, state));
    return { state, server, events, clock, session: await session };
  }

  it('is replaced once for all requests that find out, and each is sent again [http-session-lost]', async () => {
    const { state, server, session } = await openForgetful();
    state.isForgotten = true;
    const answers = await Promise.all([
      session.request('tools/call', { name: 'a' }),
      session.request('tools/call', { name: 'b' }),
      session.request('tools/list'),
    ]);
    expect(answers).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
    expect(state.handshakes).toBe(2);
    expect(server.sentFor('tools/call')).toHaveLength(2);
    expect(server.sentFor('notifications/initialized')).toHaveLength(2);
  });

  it('is told again what the old one was told, and its lists are read anew [http-session-lost]', async () => {
    const { server, events, session } = await openForgetful();
    await session.subscribe('file:///a');
    await session.subscribe('file:///b');
    await session.unsubscribe('file:///b');
    await session.setLogLevel('error');
    await session.renew?.();
    expect(server.sentFor('resources/subscribe').map(({ params }) => params)).toEqual([
      { uri: 'file:///a' },
      { uri: 'file:///b' },
      { uri: 'file:///a' },
    ]);
    expect(server.sentFor('logging/setLevel')).toHaveLength(2);
    expect(events).toEqual(expect.arrayContaining(['tools', 'resources']));
  });

  it('that could not be replaced is replaced with the next request', async () => {
    const { state, server, session } = await openForgetful();
    state.isForgotten = true;
    server.fail('initialize', { code: -32603, message: 'still starting' });
    await expect(session.request('tools/list')).rejects.toMatchObject({ code: 'connectionClosed' });
    server.on('initialize', ({ protocolVersion }) => {
      state.isForgotten = false;
      return agreed(protocolVersion, '2');
    });
    await expect(session.request('tools/list')).resolves.toEqual({ ok: true });
    expect(session.server.version).toBe('2');
  });

  it('again and again is replaced ever more slowly, until one has lasted a minute', async () => {
    const { state, clock, session } = await openForgetful();
    const waits: number[] = [];
    const lose = async (): Promise<void> => {
      state.isForgotten = true;
      const from = clock.now();
      const answer = session.request('tools/list');
      await settle();
      while (state.isForgotten) await clock.advance(250);
      await answer;
      waits.push(clock.now() - from);
    };
    for (let time = 0; time < 9; time += 1) await lose();
    await clock.advance(60_000);
    await lose();
    expect(waits).toEqual([0, 750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500, 22_500, 0]);
  });

  it('is replaced once more when the new one is lost before all was told again', async () => {
    const { state, server, clock, session } = await openForgetful();
    await session.setLogLevel('error');
    server.on('logging/setLevel', () => undefined);
    state.isForgotten = true;
    const answer = session.request('tools/list');
    await settle();
    expect(state.handshakes).toBe(2);
    state.isForgotten = true;
    const renewed = session.renew?.();
    server.on('logging/setLevel', () => ({}));
    await Promise.all([clock.advance(2_000), renewed]);
    expect(await answer).toEqual({ ok: true });
    expect(state.handshakes).toBe(3);
  });

  it('is not replaced for ever by a server that never takes the end of the handshake', async () => {
    const { state, clock, session } = await openForgetful();
    state.isForgotten = true;
    state.isStuck = true;
    const failure = expect(session.request('tools/list')).rejects.toMatchObject({ code: 'timeout' });
    await settle();
    await clock.advance(1_000);
    await failure;
    expect(clock.waiting).toBe(0);
  });

  it('that spoke another revision than the server does now cannot be replaced, and nothing was pinned', async () => {
    const { state, server, session } = await openForgetful();
    state.isForgotten = true;
    server.on('initialize', () => ({ protocolVersion: '2025-03-26', capabilities: {}, serverInfo: {} }));
    const message = expect.stringMatching(/2025-11-25.*Restart/) as string;
    await expect(session.request('tools/list')).rejects.toMatchObject({ code: 'sessionLost', message });
  });
});

it('a lost answer is asked for again where that does no harm, and once only [http-never-twice]', async () => {
  const server = createScriptedServer();
  const { transport } = server;
  const failed: unknown[] = [];
  const send: typeof transport.send = (message) => {
    const method = 'method' in message ? message.method : undefined;
    if (method === undefined || method === 'initialize' || method.startsWith('notifications/'))
      return transport.send(message);
    failed.push(message);
    return Promise.reject(new PatchbayError('answerLost', 'The answer was lost.'));
  };
  const session = await open({ ...server, transport: { ...transport, send } }).session;
  session.validateTool({ name: 'reads', inputSchema: {}, annotations: { readOnlyHint: true } });
  session.validateTool({ name: 'writes', inputSchema: {} });
  for (const [method, params, sends] of [
    ['tools/list', undefined, 2],
    ['resources/read', { uri: 'file:///a' }, 2],
    ['tools/call', { name: 'reads' }, 2],
    ['tools/call', { name: 'writes' }, 1],
    ['tools/call', { name: 'never listed' }, 1],
    ['logging/setLevel', { level: 'info' }, 1],
  ] as const) {
    failed.length = 0;
    await expect(session.request(method, params)).rejects.toMatchObject({ code: 'answerLost' });
    expect(failed, method).toHaveLength(sends);
    expect(new Set(failed.map((message) => (message as UnknownRecord)['id'])).size).toBe(sends);
  }
});
