import { describe, expect, it, vi } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import { type ModelAnswer, ModelError, type ModelGateway } from '../../../../src/models/modelGateway.ts';
import type { SamplingRequest } from '../../../../src/protocol/mcp/sampling.ts';
import { maskSecrets } from '../../../../src/client/sampling/secretMarks.ts';
import { problem } from '../../../fixtures/problem.ts';
import {
  answering,
  approve,
  createSamplingHost,
  ruleTerms,
  editsOf,
  type SamplingScript,
  send,
  testModel as model,
} from '../../../fixtures/samplingHost.ts';

const saying = (text: string): Pick<SamplingRequest, 'messages'> => ({
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
});
const showing = (type: 'image' | 'audio'): Pick<SamplingRequest, 'messages'> => ({
  messages: [{ role: 'user', content: [{ type, data: '', mimeType: 'x/y' }] }],
});
const request: SamplingRequest = { ...saying('question'), maxTokens: 100 };
const markOf = (value: string) => ({ kind: 'keyFormat', what: 'a key', value, places: [], isMaskable: true }) as const;

/** A model that says these pieces, and counts its tokens so. */
function counting(usage: ModelAnswer['usage'], ...pieces: readonly string[]): ModelGateway['generate'] {
  return async (...args) => ({ ...(await answering(...pieces)(...args)), usage });
}
const rejection = { name: 'JsonRpcError', code: -1 };

function setUp(script: SamplingScript = {}) {
  const host = createSamplingHost(script);
  const ask = (
    sent: SamplingRequest = request,
    signal = new AbortController().signal,
    definition = 'd1',
    server = 's',
  ) => host.handler.handle(sent, { server, definition: () => Promise.resolve(definition), cause: 'tool t', signal });
  return { ...host, ask };
}

/** A person who makes a rule with each request that they are asked about. */
function ruling(script: SamplingScript = {}, more: Parameters<typeof ruleTerms>[1] = {}) {
  const made = setUp({
    request: (review) => approve({ rule: ruleTerms(made.clock.now(), more) })(review),
    ...script,
  });
  return made;
}

/** A person who has made a rule with the first request, and approves what they are asked about afterwards. */
async function ruled(
  script: SamplingScript = {},
  more: Parameters<typeof ruleTerms>[1] = {},
  first: SamplingRequest = request,
) {
  const made = setUp({
    request: (review) => approve(made.reviews.length === 1 ? { rule: ruleTerms(made.clock.now(), more) } : {})(review),
    ...script,
  });
  await made.ask(first);
  return made;
}

describe('a request', () => {
  it('goes through review, model and review, and is recorded [sampling-consent]', async () => {
    const { ask, audit, shown, reviews, sessions } = setUp();
    const content = [{ type: 'text', text: 'answer' }];
    expect(await ask()).toEqual({ role: 'assistant', content, model: 'm1', stopReason: 'endTurn' });
    expect(reviews[0]).toMatchObject({ server: 's', cause: 'tool t', request, models: [model], suggestedModel: 'm1' });
    expect(shown).toEqual(['', 'an', 'answer']);
    expect(sessions[0]?.isDisposed).toBe(true);
    expect(audit).toMatchObject([{ server: 's', action: 'sampling', outcome: 'approved', detail: { model: 'm1' } }]);
  });

  it('reaches the model as edited, with a token limit that was only ever lowered [sampling-max-tokens]', async () => {
    const edits = editsOf(request, { messages: [['other']], maxTokens: 50 });
    const { ask, audit, generated } = setUp({ request: approve({ edits }) });
    await ask();
    expect(generated).toEqual([{ ...saying('other'), maxTokens: 50 }]);
    expect(audit[0]?.outcome).toBe('approved, request edited');
    const higher = setUp({ request: approve({ edits: { ...edits, maxTokens: 101 } }) });
    await expect(higher.ask()).rejects.toMatchObject(rejection);
    expect([higher.generated, higher.audit[0]?.outcome]).toEqual([[], 'declined']);
  });

  it('reaches the model with what the person masks replaced in all of it, or does not reach it', async () => {
    const mark = markOf('que\r\nstion');
    const edits = editsOf(request, { messages: [['my que\nstion']], masked: [mark] });
    const mask: SamplingScript['mask'] = (sent, marks) => maskSecrets(sent, marks, () => Promise.resolve());
    const metadata = { key: mark.value };
    const { ask, audit, generated } = setUp({ request: approve({ edits }), mask });
    await ask({ ...request, metadata });
    expect(generated).toMatchObject([{ ...saying('my [masked: a key]'), metadata: { key: '[masked: a key]' } }]);
    expect(audit[0]).toMatchObject({ outcome: 'approved, secrets masked', detail: { masked: 1 } });
    const broken = setUp({ request: approve({ edits }), mask: () => Promise.reject(new Error('no')) });
    await expect(broken.ask()).rejects.toMatchObject(rejection);
    expect(broken.generated).toEqual([]);
  });

  it('gets the answer as edited', async () => {
    const { ask, audit } = setUp({ answer: () => ({ kind: 'send', content: [{ type: 'text', text: 'mine' }] }) });
    expect((await ask()).content).toEqual([{ type: 'text', text: 'mine' }]);
    expect(audit[0]?.outcome).toBe('approved, answer edited');
  });

  it('can be answered by hand, without a model', async () => {
    const { ask, generated } = setUp({ request: () => ({ kind: 'answer', text: 'by me' }) });
    expect(await ask()).toMatchObject({ content: [{ type: 'text', text: 'by me' }], model: 'human' });
    expect(generated).toEqual([]);
  });

  it('that is declined, or whose answer is withheld, is refused with -1 [sampling-refused]', async () => {
    const declined = setUp({ request: () => ({ kind: 'decline' }) });
    await expect(declined.ask()).rejects.toMatchObject(rejection);
    expect(declined.generated).toEqual([]);
    const withheld = setUp({ answer: () => ({ kind: 'withhold' }) });
    await expect(withheld.ask()).rejects.toMatchObject(rejection);
    expect([declined, withheld].map(({ audit }) => audit[0]?.outcome)).toEqual(['declined', 'declined']);
  });

  it('goes back to the person when the model fails, and when they ask again', async () => {
    let tries = 0;
    const { ask, shown } = setUp({
      generate: (...args) => (tries++ === 0 ? Promise.reject(new Error('no quota')) : answering('ok')(...args)),
      answer: (answer, round) => (round === 0 ? { kind: 'retry' } : send(answer)),
    });
    expect((await ask()).content).toEqual([{ type: 'text', text: 'ok' }]);
    expect(shown).toEqual(['', 'failed: no quota', '', 'ok', '', 'ok']);
  });

  it('stopped by the person while the model answers is refused, and the model told', async () => {
    let modelSignal: AbortSignal | undefined;
    const { ask, sessions } = setUp({
      generate: (_id, _request, _onText, signal) => {
        modelSignal = signal;
        return new Promise(() => {});
      },
    });
    const refused = expect(ask()).rejects.toMatchObject(rejection);
    await vi.waitFor(() => expect(modelSignal).toBeDefined());
    sessions[0]?.stop();
    await refused;
    expect(modelSignal?.aborted).toBe(true);
  });

  it('cancelled by the server leaves the screen', async () => {
    const controller = new AbortController();
    const { ask, sessions, audit } = setUp({ request: () => new Promise(() => {}) });
    const outcome = expect(ask(request, controller.signal)).rejects.toBeInstanceOf(CancelledError);
    await vi.waitFor(() => expect(sessions).toHaveLength(1));
    controller.abort(new CancelledError());
    await outcome;
    expect(sessions[0]?.isDisposed).toBe(true);
    expect(audit[0]?.outcome).toBe('cancelled');
  });
});

describe('limits', () => {
  it.each<[string, Partial<SamplingRequest>]>([
    ['messages, however short', { messages: Array.from({ length: 200_000 }, () => ({ role: 'user', content: [] })) }],
    ['tools', { tools: [{ name: 't', description: 'x'.repeat(20_000_000), inputSchema: {} }] }],
  ])('refuse too many %s, before anybody is asked', async (_, part) => {
    const { ask, reviews, audit } = setUp();
    await expect(ask({ ...request, ...part })).rejects.toMatchObject(rejection);
    expect(reviews).toEqual([]);
    expect(audit.at(-1)).toMatchObject({ outcome: 'refused', detail: { by: 'limit' } });
  });

  it('that are run against again and again leave room in the record for the rest', async () => {
    const { ask, audit, clock } = setUp({ request: () => ({ kind: 'decline' }) });
    const tooMuch = { ...request, maxTokens: 1_001 };
    for (let count = 0; count < 500; count += 1) await expect(ask(tooMuch)).rejects.toMatchObject(rejection);
    expect(audit).toHaveLength(20);
    await expect(ask()).rejects.toMatchObject(rejection);
    expect(audit).toHaveLength(21);
    await clock.advance(60_000);
    await expect(ask(tooMuch)).rejects.toMatchObject(rejection);
    expect(audit).toHaveLength(22);
  });

  it('refuse without asking: too many tokens, too many open requests [sampling-limits]', async () => {
    const { ask, reviews } = setUp({ request: () => new Promise(() => {}) });
    await expect(ask({ ...request, maxTokens: 1_001 })).rejects.toEqual(problem(-1, '1000'));
    void ask();
    void ask();
    await vi.waitFor(() => expect(reviews).toHaveLength(2));
    await expect(ask()).rejects.toEqual(problem(-1, 'waiting'));
    expect(reviews).toHaveLength(2);
  });
});

it.each([
  ['approved', approve(), true],
  ['answered by hand', () => ({ kind: 'answer', text: 'mine' }) as const, true],
  ['declined', () => ({ kind: 'decline' }) as const, false],
  ['refused by the limits, and not by the person', approve(), undefined, 1_000_000_000],
])('what the person said is told, and no time passes meanwhile: %s', async (_, decide, isApproved, maxTokens = 100) => {
  const told: boolean[] = [];
  const waits: string[] = [];
  const { handler } = setUp({ request: decide });
  const asked = { ...request, maxTokens };
  const answer = handler.handle(asked, {
    server: 's',
    cause: undefined,
    signal: new AbortController().signal,
    onDecision: (is) => told.push(is),
    waitForPerson() {
      waits.push('begun');
      return { dispose: () => void waits.push('over') };
    },
  });
  await answer.catch(() => {});
  expect(told).toEqual(isApproved === undefined ? [] : [isApproved]);
  expect(waits.slice(0, 2)).toEqual(isApproved === undefined ? [] : ['begun', 'over']);
  expect(waits.filter((wait) => wait === 'begun')).toHaveLength(waits.length / 2);
});

describe('a rule', () => {
  it('lets as many requests through as it says, then asks again', async () => {
    const { ask, reviews, audit, handler } = await ruled();
    await ask();
    await ask();
    expect(reviews).toHaveLength(1);
    expect(audit.slice(1)).toMatchObject(
      [1, 2].map(() => ({ outcome: 'allowed by a rule', detail: { by: 'rule', rule: 'rule 1' } })),
    );
    await ask();
    expect(reviews).toHaveLength(2);
    expect(reviews[1]?.askedBecause).toContain('2 requests of this hour are used up');
    expect(handler.rules.rules).toHaveLength(1);
  });

  it('lets requests through again when an hour is over', async () => {
    const { ask, reviews, clock } = await ruled({}, { expiresAt: Number.MAX_SAFE_INTEGER });
    await ask();
    await clock.advance(1_800_000);
    await ask();
    await clock.advance(1_800_001);
    await ask();
    expect(reviews).toHaveLength(1);
    await ask();
    expect(reviews).toHaveLength(2);
  });

  it('counts the tokens that were taken, and before the answer those that may be', async () => {
    // Of a request: 8 characters and 100 for the answer; it takes 16.
    const { ask, reviews } = await ruled({}, { requestsPerHour: 50, tokensPerHour: 140 });
    await ask();
    await ask();
    await ask();
    expect(reviews).toHaveLength(1);
    await ask();
    expect(reviews[1]?.askedBecause).toContain('140 tokens of this hour');
  });

  it.each<[string, Partial<SamplingRequest>, string]>([
    ['more tokens', { maxTokens: 101 }, 'asks for more tokens'],
    ['one character more', saying('question!'), 'is longer'],
    ['longer stop sequences', { stopSequences: ['x'] }, 'is longer'],
    ['a system prompt that was not seen', { ...saying('q'), systemPrompt: 'x' }, 'another system prompt'],
    ['metadata that was not seen', { metadata: { user: 'b' } }, 'other metadata'],
    ['tools', { tools: [{ name: 't', inputSchema: {} }] }, 'offers tools'],
    ['context', { includeContext: 'thisServer' }, 'asks for context'],
    ['an image', showing('image'), 'has images'],
    ['sound', showing('audio'), 'has sound'],
  ])('does not cover %s', async (_, wider, because) => {
    const { ask, reviews } = await ruled();
    await ask({ ...request, ...wider });
    expect(reviews).toHaveLength(2);
    expect(reviews[1]?.askedBecause).toContain(because);
  });

  it('does not cover another definition of the server, nor another server', async () => {
    const { ask, reviews } = await ruled();
    await ask(request, undefined, 'd2');
    expect(reviews[1]?.askedBecause).toContain('another definition');
    await ask(request, undefined, 'd1', 'other');
    expect(reviews).toHaveLength(3);
    expect(reviews[2]?.askedBecause).toBeUndefined();
  });

  it('does not cover what may be secret, and cannot be made of it', async () => {
    let isSecret = false;
    const mark = markOf('question');
    const findSecrets = () => Promise.resolve(isSecret ? [mark] : []);
    const { ask, reviews } = await ruled({ findSecrets });
    isSecret = true;
    await ask();
    expect(reviews[1]).toMatchObject({ marks: [mark], askedBecause: expect.stringContaining('may be secret') });
    const secretFirst = await ruled({ findSecrets });
    expect(secretFirst.handler.rules.rules).toEqual([]);
  });

  it('does not use another model under the same id', async () => {
    const models = [{ ...model, destination: 'localhost:1' }];
    const { ask, reviews, generated } = await ruled({ models });
    models[0] = { ...model, destination: 'example.com' };
    await ask();
    expect(reviews[1]?.askedBecause).toContain('is no longer available or has changed');
    expect(generated).toHaveLength(2);
  });

  it('ends when it is revoked, with what it lets through just then', async () => {
    let modelSignal: AbortSignal | undefined;
    let isSlow = false;
    const { ask, reviews, handler } = await ruled({
      generate: (...args) => {
        if (!isSlow) return answering('a')(...args);
        modelSignal = args[3];
        return new Promise(() => {});
      },
    });
    isSlow = true;
    const answer = ask();
    await vi.waitFor(() => expect(modelSignal).toBeDefined());
    expect(handler.rules.running).toBe(1);
    isSlow = false;
    await handler.rules.revoke(() => true, 'by the person');
    await answer;
    expect(modelSignal?.aborted).toBe(true);
    expect(reviews[1]?.askedBecause).toContain('was stopped');
    expect(handler.rules.running).toBe(0);
    await ask();
    expect(reviews).toHaveLength(3);
  });

  it('ends when the server stops, unless it is kept', async () => {
    const session = await ruled();
    session.handler.serverStopped('s');
    expect(session.handler.rules.rules).toEqual([]);
    const kept = await ruled({}, { isKept: true });
    kept.handler.serverStopped('s');
    expect(kept.handler.rules.rules).toHaveLength(1);
  });

  it('takes the place of one for the same server and model', async () => {
    const { ask, handler } = ruling();
    await ask();
    await ask({ ...request, maxTokens: 200 });
    expect(handler.rules.rules).toMatchObject([{ id: 'rule 2', seen: { maxTokens: 200 } }]);
  });

  it('can have the person review each answer', async () => {
    const decisions = ['send', 'send', 'withhold', 'retry'] as const;
    let decided = 0;
    const answer: SamplingScript['answer'] = (given) => {
      const kind = decisions[decided++] ?? 'send';
      return kind === 'send' ? send(given) : { kind };
    };
    const { ask, sessions, audit, reviews } = await ruled({ answer }, { reviewsAnswer: true, requestsPerHour: 3 });
    await ask();
    expect(sessions[1]).toMatchObject({ letThrough: 'm1', isDisposed: true });
    expect(reviews[1]?.askedBecause).toContain('Its answer needs your approval');
    await expect(ask()).rejects.toMatchObject(rejection);
    await ask();
    expect(audit.map(({ outcome, detail }) => [outcome, detail['by']])).toEqual([
      ['approved', 'person'],
      ['allowed by a rule', 'rule'],
      ['declined', 'person'],
      ['approved', 'person'],
    ]);
  });

  it('falls back to the person when the model fails, and says why', async () => {
    let isBroken = false;
    const failure = new ModelError('rateLimited', 'Too many requests.');
    const { ask, reviews } = await ruled({
      generate: (...args) => (isBroken ? Promise.reject(failure) : answering('a')(...args)),
      request: (review) => (isBroken ? { kind: 'decline' } : approve({ rule: ruleTerms(1_000_000) })(review)),
    });
    isBroken = true;
    await expect(ask()).rejects.toMatchObject(rejection);
    expect(reviews[1]?.askedBecause).toBe('The model of your rule did not answer: Too many requests.');
  });

  it('lets no call of a tool through, which nobody has seen', async () => {
    let callsTool = false;
    const call = { type: 'tool_use', id: '1', name: 'rm', input: {} } as const;
    const { ask, reviews, audit } = await ruled({
      generate: async (...args) => {
        const answer = await answering('a')(...args);
        return callsTool ? { ...answer, result: { ...answer.result, content: [call] } } : answer;
      },
    });
    callsTool = true;
    await ask();
    expect(reviews[1]?.askedBecause).toContain('more than text');
    expect(audit[1]).toMatchObject({ outcome: 'approved', detail: { by: 'person' } });
  });

  it('that cannot be made is none, and the answer is sent', async () => {
    const made = ruling();
    made.kept.update = () => Promise.reject(new Error('no space left'));
    await made.ask();
    expect(made.handler.rules.rules).toEqual([]);
    expect(made.audit[0]?.detail['reason']).toBe('The rule could not be kept: no space left');
  });

  it('lets nothing through where it cannot be counted', async () => {
    const made = await ruled({}, { isKept: true });
    made.kept.update = () => Promise.reject(new Error('no space left'));
    await made.ask();
    expect(made.reviews).toHaveLength(2);
  });
});

describe('the tokens of a day', () => {
  const many = { requestsPerHour: 100, tokensPerHour: 100_000, expiresAt: Number.MAX_SAFE_INTEGER };

  it('end what rules let through, for all servers together, and are told to the person', async () => {
    const { ask, reviews, clock } = ruling({ limits: { dailyTokens: 180 } }, many);
    // 16 tokens each; a request may take 108.
    for (const server of ['a', 'b']) await ask(request, undefined, 'd1', server);
    expect(reviews.map(({ budget }) => budget)).toEqual([
      { used: 0, limit: 180 },
      { used: 16, limit: 180 },
    ]);
    for (const server of ['a', 'b', 'a']) await ask(request, undefined, 'd1', server);
    expect(reviews).toHaveLength(2);
    await ask(request, undefined, 'd1', 'b');
    expect(reviews[2]?.askedBecause).toContain('token budget for today');
    expect(reviews[2]?.budget?.used).toBe(80);
    await clock.advance(86_400_000);
    await ask(request, undefined, 'd1', 'b');
    expect(reviews).toHaveLength(3);
  });

  it('are counted for requests that the person approves, whose number nothing limits', async () => {
    const { ask, kept } = setUp({ limits: { dailyTokens: 1 } });
    await ask();
    await ask();
    expect(kept.use?.tokens).toBe(32);
  });

  it.each([-1_000_000_000, Number.NaN, Number.POSITIVE_INFINITY, 1.5])(
    'are estimated where a model counts %d of them',
    async (count) => {
      const usage = { inputTokens: count, outputTokens: count };
      const { ask, kept, audit } = setUp({ generate: counting(usage, 'four') });
      await ask();
      expect(kept.use?.tokens).toBe(12);
      expect(audit[0]?.detail).toMatchObject({ inputTokens: 8, outputTokens: 4, tokensAreEstimated: true });
    },
  );

  it.each([
    { inputTokens: 0, outputTokens: 0 },
    { inputTokens: 1, outputTokens: 1 },
    { inputTokens: undefined, outputTokens: 0 },
    { inputTokens: 3, outputTokens: undefined },
  ])('are estimated where a model counts fewer than the text has: %j', async (usage) => {
    const shown: unknown[] = [];
    const { ask, kept, audit } = setUp({
      generate: counting(usage, 'a long', ' answer'),
      answer: (answer) => (shown.push(answer.usage), send(answer)),
    });
    await ask();
    await ask();
    expect(kept.use?.tokens).toBe(2 * (8 + 13));
    expect(audit[0]?.detail).toMatchObject({ inputTokens: 8, outputTokens: 13, tokensAreEstimated: true });
    expect(shown[0]).toEqual({ inputTokens: undefined, outputTokens: undefined });
  });

  it('include what came before an answer that has less of it', async () => {
    const { ask, kept } = setUp({
      async generate(...args) {
        await answering('x'.repeat(50))(...args);
        return { ...(await answering()(...args)), usage: { inputTokens: 8, outputTokens: 0 } };
      },
    });
    await ask();
    expect(kept.use?.tokens).toBe(8 + 50);
  });

  it('include an answer that is cut off, or that the person withholds', async () => {
    const cut = setUp({
      async generate(...args) {
        await answering('x'.repeat(50))(...args);
        throw new ModelError('failed', 'It was cut off.');
      },
      request: (review, round) => (round === 0 ? approve()(review) : { kind: 'decline' }),
    });
    await cut.ask().catch(() => {});
    expect(cut.kept.use?.tokens).toBe(8 + 50);
    const withheld = setUp({
      generate: counting({ inputTokens: 0, outputTokens: 0 }, 'x'.repeat(50)),
      answer: () => ({ kind: 'withhold' }),
    });
    await expect(withheld.ask()).rejects.toMatchObject(rejection);
    expect(withheld.kept.use?.tokens).toBe(8 + 50);
  });

  it('are those that were reserved where a model counts more than could be', async () => {
    const usage = { inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: 1e12 };
    const { ask, kept } = setUp({ generate: counting(usage, 'a') });
    await ask();
    await ask();
    expect(kept.use?.tokens).toBe(2 * (8 + 100));
  });

  it('are not held up for long by a clock that was far ahead', async () => {
    const { ask, kept, reviews } = ruling({ limits: { dailyTokens: 1_000 } });
    await kept.budget.update(() => ({ day: '2099-01-01', tokens: 1_000 }));
    await ask();
    await ask();
    expect(reviews).toHaveLength(1);
  });

  it('are not taken for a request that is cancelled before it is sent', async () => {
    const abort = new AbortController();
    const { ask, kept, generated } = setUp();
    const { budget } = kept;
    const update = budget.update.bind(budget);
    budget.update = async (change) => {
      const use = await update(change);
      if ((use?.tokens ?? 0) > 0) abort.abort(new CancelledError());
      return use;
    };
    await expect(ask(request, abort.signal)).rejects.toBeInstanceOf(CancelledError);
    expect(generated).toEqual([]);
    await vi.waitFor(() => expect(kept.use?.tokens).toBe(0));
  });

  it('are not taken where the provider did no work', async () => {
    const { ask, kept } = setUp({
      generate: () => Promise.reject(new ModelError('unauthorized', 'No key.')),
      request: (review, round) => (round === 0 ? approve()(review) : { kind: 'decline' }),
    });
    await expect(ask()).rejects.toMatchObject(rejection);
    expect(kept.use?.tokens).toBe(0);
  });
});

describe('a conversation', () => {
  const conversation = (rounds: number): SamplingRequest => ({
    ...request,
    messages: Array.from({ length: 2 * rounds - 1 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: `message ${at}` }],
    })),
  });

  it('is told by what is new in each round', async () => {
    const { ask, reviews } = setUp();
    for (const round of [1, 2, 3]) await ask(conversation(round));
    await ask(request);
    const later = [2, 3].map((number) => ({ number, newFrom: 2 * number - 3 }));
    expect(reviews.map(({ round }) => round)).toEqual([undefined, ...later, undefined]);
  });

  it('ends after a number of rounds, without a question', async () => {
    const { ask, reviews, audit } = setUp({ limits: { maximumRounds: 3 } });
    for (const round of [1, 2, 3]) await ask(conversation(round));
    await expect(ask(conversation(4))).rejects.toEqual(problem(-1, '3 rounds'));
    expect(reviews).toHaveLength(3);
    expect(audit[3]).toMatchObject({ outcome: 'refused', detail: { by: 'limit' } });
  });

  it('counts as seen only what a person has approved as it came', async () => {
    const edited = setUp({
      request: (review) =>
        approve(review.round === undefined ? { edits: editsOf(review.request, { messages: [['question']] }) } : {})(
          review,
        ),
    });
    for (const round of [1, 2, 3]) await edited.ask(conversation(round));
    expect(edited.reviews.map(({ round }) => round?.newFrom)).toEqual([undefined, 0, 3]);
    const allowed = await ruled({}, {}, { ...conversation(1), ...saying('as long as it') });
    await allowed.ask(conversation(1));
    await allowed.ask(conversation(2));
    expect(allowed.reviews.map(({ round }) => round)).toEqual([undefined, { number: 2, newFrom: 0 }]);
  });

  it.each<[string, Partial<SamplingRequest>]>([
    ['system prompt', { systemPrompt: 'other' }],
    ['tools', { tools: [{ name: 't', inputSchema: {} }] }],
    ['metadata', { metadata: { user: 'b' } }],
  ])('is all new with other %s', async (_, other) => {
    const { ask, reviews } = setUp();
    await ask(conversation(1));
    await ask({ ...conversation(2), ...other });
    expect(reviews[1]?.round).toEqual({ number: 2, newFrom: 0 });
  });

  it('is not continued by a request that was declined, nor by another server', async () => {
    const { ask, reviews } = setUp({
      request: (review, _round) => (reviews.length === 1 ? { kind: 'decline' } : approve()(review)),
    });
    await expect(ask(conversation(1))).rejects.toMatchObject(rejection);
    await ask(conversation(2));
    await ask(conversation(3), undefined, 'd1', 'other');
    expect(reviews.map(({ round }) => round)).toEqual([undefined, undefined, undefined]);
  });
});

describe('the record', () => {
  const entry = async (script: SamplingScript) => {
    const { ask, audit } = setUp(script);
    await ask().catch(() => {});
    expect(audit).toHaveLength(1);
    const [first] = audit;
    if (first === undefined) throw new Error('no entry');
    return first;
  };

  it('says who decided, which model, what it took and cost, and digests of both texts', async () => {
    const priced = { ...model, destination: 'localhost:11434', price: { input: 2, output: 10 } };
    const { detail } = await entry({ models: [priced] });
    expect(detail).toEqual({
      by: 'person',
      cause: 'tool t',
      model: 'm1',
      modelName: 'Model One',
      destination: 'localhost:11434',
      messages: 1,
      maxTokens: 100,
      inputTokens: 10,
      outputTokens: 6,
      cost: 0.000_08,
      requestDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      answerDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('has texts only where they are wanted, with what may be secret masked', async () => {
    const mark = markOf('question');
    const findSecrets = () => Promise.resolve([mark]);
    const { detail } = await entry({ recordsBodies: true, findSecrets, generate: answering('your question') });
    expect(detail).toMatchObject({ marked: 1, request: '[masked: a key]', answer: 'your [masked: a key]' });
  });

  it('has no text with a secret that the person typed, or the model said', async () => {
    const findSecrets: SamplingScript['findSecrets'] = (searched) =>
      Promise.resolve(['typed', 'said'].filter((word) => JSON.stringify(searched).includes(word)).map(markOf));
    const { detail } = await entry({
      recordsBodies: true,
      findSecrets,
      request: approve({ edits: editsOf(request, { messages: [['typed']] }) }),
      generate: answering('said'),
    });
    expect(detail).toMatchObject({ request: '[masked: a key]', answer: '[masked: a key]' });
  });

  it('has no texts where they could not be searched', async () => {
    const findSecrets = () => Promise.reject(new Error('no patterns'));
    const { detail } = await entry({ recordsBodies: true, findSecrets });
    expect(detail).not.toHaveProperty('request');
  });

  it('says what a model got, also where the server gets nothing', async () => {
    const edits = editsOf(request, { maxTokens: 50 });
    const withheld = await entry({ request: approve({ edits }), answer: () => ({ kind: 'withhold' }) });
    expect(withheld).toMatchObject({
      outcome: 'declined',
      detail: { modelName: 'Model One', inputTokens: 10, sentDigest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    const abort = new AbortController();
    let isSlow = false;
    const slow = await ruled({
      generate: (...args) => {
        if (!isSlow) return answering('a')(...args);
        abort.abort(new CancelledError());
        return new Promise(() => {});
      },
    });
    isSlow = true;
    await expect(slow.ask(request, abort.signal)).rejects.toBeInstanceOf(CancelledError);
    expect(slow.audit[1]).toMatchObject({ outcome: 'cancelled', detail: { rule: 'rule 1', modelName: 'Model One' } });
  });

  it('has the tokens of all tries', async () => {
    const { detail } = await entry({ answer: (answer, round) => (round < 2 ? { kind: 'retry' } : send(answer)) });
    expect(detail).toMatchObject({ inputTokens: 30, outputTokens: 18 });
  });
});

describe('a person is asked', () => {
  it('where a request cannot be searched for secrets', async () => {
    const { ask, reviews } = setUp({ findSecrets: () => Promise.reject(new Error('no patterns')) });
    await ask();
    expect(reviews[0]?.marks).toMatchObject([{ kind: 'unsearched', isMaskable: false }]);
  });

  it('again where a model has become another one since it was shown', async () => {
    const models = [{ ...model, destination: 'good.example' }];
    const { ask, shown, generated } = setUp({
      models,
      request: (review, round) => {
        if (round > 0) return { kind: 'decline' };
        models[0] = { ...model, destination: 'evil.example' };
        return approve()({ ...review, models });
      },
    });
    await expect(ask()).rejects.toMatchObject(rejection);
    expect(generated).toEqual([]);
    expect(shown.at(-1)).toContain('is no longer available or has changed');
  });

  it('about whole tokens, whatever number the server sends', async () => {
    const { ask, generated } = setUp();
    await ask({ ...request, maxTokens: 0.5 });
    expect(generated[0]?.maxTokens).toBe(1);
  });
});

it('the choice of a model is remembered for the server if the person says so', async () => {
  const other = { ...model, id: 'm2', name: 'Model Two' };
  const { ask, reviews, chosen } = setUp({
    models: [model, other],
    request: (review) => approve({ model: 'm2', remembersModel: reviews.length === 2 })(review),
  });
  await ask();
  expect(chosen.size).toBe(0);
  await ask();
  await ask();
  expect(reviews.map(({ suggestedModel }) => suggestedModel)).toEqual(['m1', 'm1', 'm2']);
});
