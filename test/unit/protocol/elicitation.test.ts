import { describe, expect, it } from 'vitest';
import type { UnknownRecord } from '../../../src/base/json.ts';
import { createNullLogger } from '../../../src/base/logger.ts';
import {
  type ElicitContext,
  type ElicitRequest,
  type ElicitResult,
  readElicitRequest,
  completeElicitResult,
} from '../../../src/protocol/mcp/elicitation.ts';
import { Peer } from '../../../src/protocol/peer.ts';
import { openSession } from '../../../src/protocol/revisions/openSession.ts';
import { createManualClock, settle } from '../../fixtures/manualClock.ts';
import { problem } from '../../fixtures/problem.ts';
import { createScriptedServer } from '../../fixtures/scriptedServer.ts';
import { sessionSetup } from '../../fixtures/sessionSetup.ts';

function form(properties: UnknownRecord, more: UnknownRecord = {}): UnknownRecord {
  return { message: 'm', requestedSchema: { type: 'object', properties, ...more } };
}

it.each<[string, UnknownRecord, RegExp]>([
  ['a field that no form can show', form({ a: { type: 'object' } }), /: the field "a" must be a string, number/],
  ['no schema', { message: 'm' }, /requestedSchema must be an object/],
  ['too long a message', { ...form({}), message: 'x'.repeat(20_001) }, /message is too long/],
  ['an unknown mode', { ...form({}), mode: 'voice' }, /mode must be/],
  ['no address', { message: 'm', mode: 'url' }, /url must be a string/],
])('a question is refused with %s [elicit-schema]', (_name, params, message) => {
  expect(() => readElicitRequest(params)).toThrow(problem(-32602, message));
});

describe('an answer that is sent', () => {
  const request = readElicitRequest(
    form(
      {
        name: { type: 'string', default: 'Ada' },
        age: { type: 'integer', minimum: 0, default: -1 },
        isSure: { type: 'boolean' },
        ['__proto__']: { type: 'string', default: 'own' },
      },
      { required: ['name'] },
    ),
  );

  const filledIn = { name: '', isSure: false };

  it.each<[string, ElicitResult, object]>([
    ['has defaults where it has nothing', { action: 'accept' }, { name: 'Ada' }],
    ['keeps what was filled in', { action: 'accept', content: filledIn }, filledIn],
  ])('%s', (_name, result, content) => {
    const settled = completeElicitResult(result, request);
    expect(settled.content).toMatchObject(content);
    expect(Object.keys(settled.content ?? {})).toContain('__proto__');
    expect(settled.content).not.toHaveProperty('age');
  });

  it('leaves out what may be null and was not filled in [elicit-nullable]', () => {
    const nullable = readElicitRequest(form({ f: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null } }));
    expect(completeElicitResult({ action: 'accept' }, nullable)).toEqual({ action: 'accept', content: {} });
  });

  it.each<ElicitResult>([{ action: 'decline', content: { name: 'x' } }, { action: 'cancel' }])(
    'has no content for %j',
    (result) => {
      expect(completeElicitResult(result, request)).toEqual({ action: result.action });
    },
  );

  it('fits the form, or is not sent [elicit-validated]', () => {
    expect(() => completeElicitResult({ action: 'accept', content: { age: 1.5 } }, request)).toThrow(
      problem('invalidArguments', '"age" is missing or not valid'),
    );
  });
});

/** A session whose user gives the given answer. */
async function open(answer: (request: ElicitRequest, context: ElicitContext) => Promise<ElicitResult>) {
  const server = createScriptedServer();
  const clock = createManualClock();
  const limits = { requestMs: 1_000, maximumMs: 1_000 };
  const peer = new Peer({ channel: server.transport, clock, logger: createNullLogger(), ...limits });
  const asked: ElicitRequest[] = [];
  const setup = sessionSetup(clock, {
    capabilities: { elicitation: { form: {}, url: {} } },
    requests: {
      elicit(request, context) {
        asked.push(request);
        return answer(request, context);
      },
    },
  });
  const { session } = await openSession(peer, setup, { isProbed: false });
  return { server, session, asked, clock, peer };
}

const accept = (): Promise<ElicitResult> => Promise.resolve({ action: 'accept' });
const visit = { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'e1' };
const refusal = { code: -32042, message: 'Visit first', data: { elicitations: [visit] } };

describe('a question of the server', () => {
  it('is answered with the defaults, whoever answers [elicit-defaults]', async () => {
    const { server } = await open(accept);
    const answer = await server.ask('elicitation/create', form({ name: { type: 'string', default: 'Ada' } }));
    expect(answer['result']).toEqual({ action: 'accept', content: { name: 'Ada' } });
  });

  it('that cannot be asked reaches nobody [elicit-mode]', async () => {
    const { server, asked } = await open(accept);
    const answer = await server.ask('elicitation/create', form({ deep: { type: 'object' } }));
    expect(answer).toMatchObject({ error: { code: -32602, message: expect.stringContaining('"deep"') } });
    expect(asked).toEqual([]);
  });

  it('hears of the end of its own visit only [elicit-complete]', async () => {
    const completed: boolean[] = [];
    const { server } = await open((_request, context) => {
      void context.completed?.then(() => completed.push(true));
      return accept();
    });
    await server.ask('elicitation/create', visit);
    server.notify('notifications/elicitation/complete', { elicitationId: 'other' });
    server.notify('notifications/elicitation/complete', {});
    await settle();
    expect(completed).toEqual([]);
    server.notify('notifications/elicitation/complete', { elicitationId: 'e1' });
    server.notify('notifications/elicitation/complete', { elicitationId: 'e1' });
    await settle();
    expect(completed).toEqual([true]);
  });
});

it('a visit takes a person as long as it does, and what they ran waits [elicit-visit-patience]', async () => {
  const visits: { dispose(): void }[] = [];
  let ended: AbortSignal | undefined;
  const { server, session, clock, peer } = await open((_request, context) => {
    visits.push(context.waitForPerson());
    ({ ended } = context);
    return accept();
  });
  server.on('tools/call', () => undefined);
  const call = session.request('tools/call', { name: 't' });
  await settle();
  expect(await server.ask('elicitation/create', visit)).toMatchObject({ result: { action: 'accept' } });
  await clock.advance(60_000);
  visits[0]?.dispose();
  server.say({ jsonrpc: '2.0', id: server.sentFor('tools/call')[0]?.['id'], result: { content: [] } });
  expect(await call).toEqual({ content: [] });
  expect(ended?.aborted).toBe(false);
  peer.dispose();
  expect(ended?.aborted).toBe(true);
});

describe('a request refused with -32042', () => {
  it('is sent again once the user has been there [elicit-required]', async () => {
    const { server, session, asked } = await open(accept);
    server.on('tools/call', () => {
      if (asked.length === 0) throw refusal;
      return { content: [] };
    });
    expect(await session.request('tools/call', { name: 't' })).toEqual({ content: [] });
    expect(asked).toEqual([{ ...visit, isRequired: true }]);
    const ids = server.sentFor('tools/call').map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  it.each(['decline', 'cancel'] as const)(
    'fails when the user answers "%s", without asking for the rest',
    async (action) => {
      const { server, session, asked } = await open(() => Promise.resolve({ action }));
      server.fail('tools/call', { ...refusal, data: { elicitations: [visit, { ...visit, elicitationId: 'e2' }] } });
      await expect(session.request('tools/call', { name: 't' })).rejects.toMatchObject({ code: 'declined' });
      expect(asked).toHaveLength(1);
      expect(server.sentFor('tools/call')).toHaveLength(1);
    },
  );

  it('is given up when the caller goes away meanwhile', async () => {
    const controller = new AbortController();
    const { server, session } = await open((_request, { signal }) => {
      controller.abort(new Error('gone'));
      return Promise.reject(signal.reason as Error);
    });
    server.fail('tools/call', refusal);
    await expect(session.request('tools/call', { name: 't' }, { signal: controller.signal })).rejects.toThrow('gone');
  });

  it('again and again is met as long as a person takes part, who is told of pages seen before', async () => {
    const { server, session, asked } = await open((_request, { waitForPerson }) => {
      waitForPerson().dispose();
      return accept();
    });
    server.on('tools/call', () => {
      if (asked.length < 20) throw refusal;
      return { content: [] };
    });
    expect(await session.request('tools/call', { name: 't' })).toEqual({ content: [] });
    expect(asked.map((request) => request.mode === 'url' && request.wasVisited)).toEqual([
      undefined,
      ...Array.from({ length: 19 }, () => true),
    ]);
  });

  it('again and again without a person is given up', async () => {
    const { server, session, asked } = await open(accept);
    server.fail('tools/call', refusal);
    await expect(session.request('tools/call', { name: 't' })).rejects.toMatchObject({ code: -32042 });
    expect(asked).toHaveLength(10);
  });

  it.each([
    undefined,
    { elicitations: [] },
    { elicitations: [{ message: 'no address' }] },
    { elicitations: [form({})] },
    { elicitations: Array.from({ length: 11 }, () => visit) },
  ])('is an error like any other with data %j', async (data) => {
    const { server, session, asked } = await open(accept);
    server.fail('tools/call', { ...refusal, data });
    await expect(session.request('tools/call', { name: 't' })).rejects.toMatchObject({ code: -32042 });
    expect(asked).toEqual([]);
  });
});
