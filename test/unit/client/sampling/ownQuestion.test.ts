import { describe, expect, it, vi } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import type { OwnAnswer, RequestDecision } from '../../../../src/client/sampling/ports.ts';
import { noRuleReason } from '../../../../src/client/sampling/samplingRules.ts';
import { ModelError, type ModelGateway } from '../../../../src/models/modelGateway.ts';
import type { SamplingRequest } from '../../../../src/protocol/mcp/sampling.ts';
import {
  answering,
  approve,
  createSamplingHost,
  editsOf,
  type SamplingScript,
  testModel,
} from '../../../fixtures/samplingHost.ts';

const request: SamplingRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'question' }] }],
  maxTokens: 100,
};

function ask(script: SamplingScript = {}, asked: SamplingRequest = request) {
  const host = createSamplingHost(script);
  const stop = new AbortController();
  const seen: string[] = [];
  const isPanelOpen = (): string => (host.sessions.every(({ isDisposed }) => isDisposed) ? 'closed' : 'open');
  const own: OwnAnswer = {
    onBegin: ({ name }) => seen.push(`begin ${name}, panel ${isPanelOpen()}`),
    onText: (piece) => seen.push(piece),
    onFailure: (message) => seen.push(`failed: ${message}`),
  };
  const context = { server: 's', cause: 'prompt p', signal: stop.signal };
  const answered = host.handler.ask(asked, context, own);
  answered.catch(() => {});
  return { ...host, answered, seen, stop: () => stop.abort(new CancelledError()) };
}

describe('a question of the person', () => {
  it('closes the panel when it is approved, streams, and asks for no review', async () => {
    const { answered, seen, audit, reviews, shown } = ask();
    expect(await answered).toMatchObject({ result: { content: [{ type: 'text', text: 'answer' }] }, model: testModel });
    expect(seen).toEqual(['begin Model One, panel closed', 'an', 'swer']);
    expect(shown).toEqual([]);
    expect(reviews).toMatchObject([{ server: 's', cause: 'prompt p' }]);
    expect(audit).toHaveLength(1);
    expect(audit[0]).toMatchObject({ action: 'sampling', outcome: 'approved', detail: { by: 'person', model: 'm1' } });
    expect(audit[0]).toMatchObject({ detail: { cause: 'prompt p, asked by you' } });
  });

  it('is asked about although a rule covers the same request of the server, and offers none', async () => {
    const { handler, reviews, generated } = createSamplingHost({
      request: (review) => {
        const rule = { requestsPerHour: 9, tokensPerHour: 9_000, expiresAt: 1e15, reviewsAnswer: false, isKept: false };
        return approve({ rule })(review);
      },
    });
    const signal = new AbortController().signal;
    const context = { server: 's', cause: 'prompt p', signal };
    const definition = () => Promise.resolve('digest');
    await handler.handle(request, { ...context, definition });
    await handler.handle(request, { ...context, definition });
    expect(reviews).toHaveLength(1);
    await handler.ask(request, { ...context, definition } as never, { onBegin() {}, onText() {}, onFailure() {} });
    expect(reviews).toHaveLength(2);
    expect(reviews[1] && noRuleReason(reviews[1])).toBe('You asked this yourself: no rule is needed.');
    expect(generated).toHaveLength(3);
    expect(handler.rules.rules).toHaveLength(1);
  });

  it('shows the request again, as it was sent, when the model fails', async () => {
    let tries = 0;
    const generate: ModelGateway['generate'] = async (...args) => {
      tries += 1;
      if (tries > 1) return answering('whole')(...args);
      args[2]('half');
      throw new ModelError('rateLimited', 'Too many requests.');
    };
    const mark = { kind: 'keyFormat', what: 'a key', value: 'k', places: [], isMaskable: true } as const;
    const edits = editsOf(request, { messages: [['mine']], masked: [mark] });
    const { answered, seen, shown, reviews, audit } = ask({
      generate,
      request: (review) => approve(reviews.length === 1 ? { edits } : {})(review),
    });
    const { spent } = await answered;
    const begin = 'begin Model One, panel closed';
    expect(seen).toEqual([begin, 'half', 'failed: Too many requests.', begin, 'whole']);
    expect(shown).toEqual(['failed: Too many requests.']);
    expect(reviews[1]).toMatchObject({
      request: { messages: [{ content: [{ text: 'mine' }] }] },
      suggestedModel: 'm1',
    });
    // The tokens of both tries; the first failed before the provider counted.
    expect(spent).toMatchObject({ areEstimated: true });
    expect(audit).toMatchObject([{ outcome: 'approved, secrets masked', detail: { masked: 1 } }]);
  });

  it('searches an edited request for secrets again', async () => {
    const searched: string[] = [];
    const generate: ModelGateway['generate'] = () => Promise.reject(new ModelError('failed', 'No.'));
    const { answered, reviews } = ask({
      generate,
      findSecrets: async (asked) => (searched.push(asked.systemPrompt ?? ''), []),
      request: (review) =>
        reviews.length === 1
          ? approve({ edits: editsOf(request, { systemPrompt: 'new' }) })(review)
          : { kind: 'decline' },
    });
    await expect(answered).rejects.toBeInstanceOf(CancelledError);
    expect(searched).toEqual(['', 'new']);
  });

  it('keeps what has arrived when the person stops the model', async () => {
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const generate: ModelGateway['generate'] = (_model, _request, onText, signal) => {
      onText('half');
      begin();
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          onText(' too late');
          reject(new Error('closed'));
        });
      });
    };
    const { answered, seen, stop, audit } = ask({ generate });
    await begun;
    stop();
    expect(await answered).toMatchObject({ result: { content: [{ text: 'half' }] }, model: { id: 'm1' } });
    expect(seen).toEqual(['begin Model One, panel closed', 'half']);
    expect(audit).toMatchObject([{ outcome: 'approved, stopped', detail: { by: 'person', tokensAreEstimated: true } }]);
  });

  it('that is declined is cancelled, and recorded once', async () => {
    const { answered, seen, audit, generated } = ask({ request: () => ({ kind: 'decline' }) });
    await expect(answered).rejects.toBeInstanceOf(CancelledError);
    expect(seen).toEqual([]);
    expect(generated).toEqual([]);
    expect(audit).toMatchObject([{ outcome: 'declined', detail: { by: 'person' } }]);
  });

  it('that is cancelled while the panel is open was cancelled by the person', async () => {
    let show = (): void => {};
    const shown = new Promise<void>((resolve) => (show = resolve));
    const { answered, stop, audit, sessions } = ask({
      request() {
        show();
        return new Promise<RequestDecision>(() => {});
      },
    });
    await shown;
    stop();
    await expect(answered).rejects.toBeInstanceOf(CancelledError);
    expect(sessions).toMatchObject([{ isDisposed: true }]);
    expect(audit).toMatchObject([{ outcome: 'cancelled', detail: { by: 'person' } }]);
  });

  it('beyond a limit is refused in words', async () => {
    const { answered, reviews, audit } = ask({}, { ...request, maxTokens: 1_001 });
    const message = 'Sampling request refused: maxTokens is above the limit of 1000.';
    await expect(answered).rejects.toMatchObject({ code: 'declined', message });
    expect(reviews).toEqual([]);
    expect(audit).toMatchObject([{ outcome: 'refused' }]);
  });

  it.each(['s', '', 'own'])('is asked while “%s” has as many open requests as it may have', async (server) => {
    const { handler, reviews } = createSamplingHost({ request: () => new Promise(() => {}) });
    const context = { server, cause: 'prompt p', signal: new AbortController().signal };
    for (let open = 0; open < 2; open += 1) handler.handle(request, context).catch(() => {});
    await vi.waitFor(() => expect(reviews).toHaveLength(2));
    await expect(handler.handle(request, context)).rejects.toThrow('waiting');
    handler.ask(request, context, { onBegin() {}, onText() {}, onFailure() {} }).catch(() => {});
    await vi.waitFor(() => expect(reviews).toHaveLength(3));
  });

  it('can be answered by the person without a model', async () => {
    const { answered, seen, generated } = ask({ request: () => ({ kind: 'answer', text: 'my own' }) });
    const { result, model } = await answered;
    expect(result.content).toEqual([{ type: 'text', text: 'my own' }]);
    expect(model).toBeUndefined();
    expect([seen, generated]).toEqual([[], []]);
  });

  it('is no round of a conversation of the server', async () => {
    const { handler, reviews } = createSamplingHost();
    const signal = new AbortController().signal;
    const context = { server: 's', cause: 'prompt p', signal };
    await handler.ask(request, context, { onBegin() {}, onText() {}, onFailure() {} });
    const longer = { ...request, messages: [...request.messages, { role: 'assistant', content: [] } as const] };
    await handler.handle(longer, context);
    expect(reviews.map(({ round }) => round)).toEqual([undefined, undefined]);
  });
});
