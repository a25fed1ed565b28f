import { describe, expect, it } from 'vitest';
import { CancelledError, PatchbayError } from '../../../../src/base/errors.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';
import type { ElicitRequest } from '../../../../src/protocol/mcp/elicitation.ts';
import type { SamplingResult } from '../../../../src/protocol/mcp/sampling.ts';
import type { ServerRequestHandlers } from '../../../../src/protocol/session/session.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { problem } from '../../../fixtures/problem.ts';
import { bareParams, maximumMs, openStateless } from '../../../fixtures/statelessSession.ts';

const paris = { type: 'text', text: 'Paris' } as const;
const sampled: SamplingResult = { role: 'assistant', content: [paris], model: 'm', stopReason: 'endTurn' };

const requests: ServerRequestHandlers = {
  listRoots: () => Promise.resolve({ roots: [{ uri: 'file:///a' }] }),
  createMessage: () => Promise.resolve(sampled),
  elicit: () => Promise.resolve({ action: 'accept', content: { name: 'octocat' } }),
};

const form = { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer', default: 30 } } };
const elicitation = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: form } };
const message = { role: 'user', content: { type: 'text', text: 'Capital?' } };
const sampling = { method: 'sampling/createMessage', params: { messages: [message], maxTokens: 5 } };
const roots = { method: 'roots/list' };

const inputRequired = (inputRequests?: unknown, requestState?: unknown) => ({
  resultType: 'input_required',
  ...(inputRequests !== undefined && { inputRequests }),
  ...(requestState !== undefined && { requestState }),
});

/** A server that answers tools/call with each of `rounds`, one after the other, then with a final result. */
function open(rounds: readonly unknown[], handlers: ServerRequestHandlers = requests) {
  const opened = openStateless({ requests: handlers });
  let count = 0;
  opened.server.on('tools/call', () => rounds[(count += 1) - 1] ?? { resultType: 'complete', content: [] });
  const call = (signal?: AbortSignal) =>
    opened.session.request('tools/call', { name: 'x', arguments: { a: 1 } }, signal === undefined ? {} : { signal });
  return { ...opened, call, calls: () => opened.server.sentFor('tools/call') };
}

describe('input a server asks for in a result', () => {
  it('is given with the same parameters, under the same keys, in a new request [rounds-retry] [rounds-new-id]', async () => {
    const state = ' {"a":"\u0000é"}= ';
    const { call, calls } = open([inputRequired({ who: elicitation, city: sampling, where: roots }, state)]);
    expect(await call()).toEqual({ resultType: 'complete', content: [] });
    expect(calls().map(({ id }) => id)).toEqual([1, 2]);
    expect(bareParams(calls()[1])).toEqual({
      name: 'x',
      arguments: { a: 1 },
      inputResponses: {
        who: { action: 'accept', content: { name: 'octocat', age: 30 } },
        city: { ...sampled, content: paris },
        where: { roots: [{ uri: 'file:///a' }] },
      },
      requestState: state,
    });
    expect(calls()[1]).toHaveProperty(['params', '_meta', 'io.modelcontextprotocol/protocolVersion'], '2026-07-28');
  });

  it('is what the latest round asked for, with its state or none [rounds-state]', async () => {
    const { call, calls } = open([inputRequired({ one: roots }, 'first'), inputRequired({ two: roots })]);
    await call();
    const answer = { roots: [{ uri: 'file:///a' }] };
    expect(calls().map((sent) => bareParams(sent))).toEqual([
      { name: 'x', arguments: { a: 1 } },
      { name: 'x', arguments: { a: 1 }, inputResponses: { one: answer }, requestState: 'first' },
      { name: 'x', arguments: { a: 1 }, inputResponses: { two: answer } },
    ]);
  });

  it('stays with the call it was asked for [rounds-unrelated]', async () => {
    const { call, calls, clock } = open([inputRequired(undefined, 'secret')]);
    const first = call();
    await settle();
    await call();
    await clock.advance(250);
    await first;
    expect(calls().map((sent) => bareParams(sent)['requestState'])).toEqual([undefined, undefined, 'secret']);
  });

  it('may be no input but time: a quarter of a second [rounds-bounded]', async () => {
    const { call, calls, clock } = open([inputRequired(undefined, 's')]);
    const result = call();
    await settle();
    await clock.advance(249);
    expect(calls()).toHaveLength(1);
    await clock.advance(1);
    await result;
    expect(calls()).toHaveLength(2);
  });

  it('is declined or given as the user says: that is an answer too', async () => {
    const elicit = () => Promise.resolve({ action: 'decline' as const });
    const { call, calls } = open([inputRequired({ who: elicitation })], { elicit });
    await call();
    expect(bareParams(calls()[1])['inputResponses']).toEqual({ who: { action: 'decline' } });
  });

  it('may be time for as long as a call may take, ever less often [rounds-bounded]', async () => {
    const { call, calls, clock } = open(Array.from({ length: 1_000 }, () => inputRequired(undefined, 's')));
    const late = expect(call()).rejects.toMatchObject({ code: 'timeout' });
    await settle();
    await clock.advance(1_000);
    expect(calls()).toHaveLength(3);
    await clock.advance(9_000);
    expect(calls()).toHaveLength(8);
    await clock.advance(maximumMs);
    await late;
    expect(calls()).toHaveLength(18);
  });

  it('takes as many rounds as a person takes part in, and as long [elicit-visit-patience]', async () => {
    const page = { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: 'https://example.com/' } };
    const asked: ElicitRequest[] = [];
    const { call, calls, clock } = open(
      Array.from({ length: 20 }, () => inputRequired({ page }, 's')),
      {
        async elicit(request, { waitForPerson }) {
          asked.push(request);
          const waiting = waitForPerson();
          await new Promise<void>((resolve) => void clock.after(maximumMs, resolve));
          waiting.dispose();
          return { action: 'accept' };
        },
      },
    );
    const result = call();
    for (let round = 0; round < 20; round += 1) {
      await settle();
      await clock.advance(maximumMs);
    }
    expect(await result).toEqual({ resultType: 'complete', content: [] });
    expect(calls()).toHaveLength(21);
    expect(asked.map(({ mode, ...more }) => [mode, 'isRequired' in more, 'wasVisited' in more])).toEqual([
      ['url', true, false],
      ...Array.from({ length: 19 }, () => ['url', true, true]),
    ]);
  });

  it('is asked for at most a hundred times [rounds-bounded]', async () => {
    const { call, calls } = open(Array.from({ length: 120 }, () => inputRequired({ where: roots })));
    await expect(call()).rejects.toEqual(problem('invalidMessage', '100 rounds'));
    expect(calls()).toHaveLength(101);
  });
});

describe('a call ends without being sent again', () => {
  it('when the user refuses, and whoever else was asked is let go [sampling-declined-round]', async () => {
    let other: AbortSignal | undefined;
    const { call, calls } = open([inputRequired({ city: sampling, who: elicitation })], {
      createMessage: () => Promise.reject(new JsonRpcError(-1, 'User rejected sampling request')),
      elicit: (_request, { signal }) => {
        other = signal;
        return new Promise(() => {});
      },
    });
    await expect(call()).rejects.toEqual(problem('declined', 'User rejected'));
    expect(calls()).toHaveLength(1);
    expect(other?.aborted).toBe(true);
  });

  it('with the reason when the answer fails for one of ours', async () => {
    const error = new PatchbayError('invalidArguments', 'The answer does not fit the form.');
    const { call } = open([inputRequired({ who: elicitation })], { elicit: () => Promise.reject(error) });
    await expect(call()).rejects.toBe(error);
  });

  it.each([
    ['asks for what was not offered', inputRequired({ a: sampling })],
    ['asks for an unknown method', inputRequired({ a: { method: 'tools/call', params: {} } })],
    ['asks without a method', inputRequired({ a: { params: {} } })],
    ['asks with something else', inputRequired({ a: 'elicitation/create' })],
    ['asks with params that are no object', inputRequired({ a: { method: 'roots/list', params: [] } })],
    ['asks wrongly', inputRequired({ a: { method: 'elicitation/create', params: { message: 5 } } })],
    ['asks with a list', inputRequired([roots])],
    ['has a state that is no text', inputRequired(undefined, 5)],
    ['asks for nothing', inputRequired()],
    ['asks too much', inputRequired(Object.fromEntries(Array.from({ length: 101 }, (_, key) => [key, roots])))],
  ])('when the server %s [rounds-undeclared]', async (_what, round) => {
    const { listRoots, elicit } = requests;
    const { call, calls } = open([round], { ...(listRoots && { listRoots }), ...(elicit && { elicit }) });
    await expect(call()).rejects.toMatchObject({ code: 'invalidMessage' });
    expect(calls()).toHaveLength(1);
  });

  it.each(['tools/list', 'resources/list'])('when it is %s [rounds-methods]', async (method) => {
    const { server, session } = openStateless({ requests });
    server.on(method, () => inputRequired({ a: roots }));
    await expect(session.request(method)).rejects.toMatchObject({ code: 'invalidMessage' });
  });
});

describe('a call that is sent again', () => {
  it('can be cancelled as well', async () => {
    const { server, session } = openStateless({ requests });
    server.on('tools/call', ({ inputResponses }) =>
      inputResponses === undefined ? inputRequired({ where: roots }) : undefined,
    );
    const controller = new AbortController();
    const result = session.request('tools/call', { name: 'x' }, { signal: controller.signal });
    await settle();
    const reason = new CancelledError();
    controller.abort(reason);
    await expect(result).rejects.toBe(reason);
    await settle();
    expect(server.sentFor('notifications/cancelled')).toMatchObject([{ params: { requestId: 2 } }]);
  });

  it('has no more time than is left of the whole', async () => {
    const { server, session, clock } = openStateless({
      requests: {
        elicit: () =>
          new Promise((resolve) => void clock.after(maximumMs - 5_000, () => resolve({ action: 'cancel' }))),
      },
    });
    server.on('tools/call', ({ inputResponses }) =>
      inputResponses === undefined ? inputRequired({ who: elicitation }) : undefined,
    );
    const late = expect(session.request('tools/call', { name: 'x' })).rejects.toMatchObject({ code: 'timeout' });
    await settle();
    await clock.advance(maximumMs);
    await late;
    expect(server.sentFor('notifications/cancelled')).toHaveLength(1);
  });

  it('leaves nothing behind', async () => {
    const { call, clock } = open([inputRequired({ where: roots })]);
    await call();
    await clock.advance(maximumMs);
    expect(clock.waiting).toBe(0);
  });
});

describe('while the user decides', () => {
  function openQuestion() {
    const signals: AbortSignal[] = [];
    const opened = open([inputRequired({ who: elicitation })], {
      elicit(_request, { signal }) {
        signals.push(signal);
        return new Promise(() => {});
      },
    });
    return { ...opened, isClosed: () => signals.map(({ aborted }) => aborted) };
  }

  it('the call can be cancelled, and the question goes [rounds-bounded]', async () => {
    const { call, calls, isClosed } = openQuestion();
    const controller = new AbortController();
    const result = call(controller.signal);
    await settle();
    expect(isClosed()).toEqual([false]);
    const reason = new CancelledError();
    controller.abort(reason);
    await expect(result).rejects.toBe(reason);
    expect(isClosed()).toEqual([true]);
    expect(calls()).toHaveLength(1);
  });

  it('the connection can end', async () => {
    const { call, peer, isClosed } = openQuestion();
    const result = call();
    const ended = expect(result).rejects.toMatchObject({ code: 'connectionClosed' });
    await settle();
    peer.dispose();
    await ended;
    expect(isClosed()).toEqual([true]);
  });

  it('no more than the longest time for a call may pass', async () => {
    const { call, clock, isClosed } = openQuestion();
    const late = expect(call()).rejects.toMatchObject({ code: 'timeout' });
    await settle();
    await clock.advance(maximumMs);
    await late;
    expect(isClosed()).toEqual([true]);
  });
});
