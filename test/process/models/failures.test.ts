import { createServer } from 'node:https';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/base/errors.ts';
import { modelLimits } from '../../../src/base/modelLimits.ts';
import { createHttpModelGateway } from '../../../src/models/httpModelGateway.ts';
import { modelApis } from '../../../src/models/modelGateway.ts';
import { closeLater } from '../../fixtures/closeLater.ts';
import { listen } from '../../fixtures/listen.ts';
import { createManualClock, type ManualClock } from '../../fixtures/manualClock.ts';
import { readCertificate } from '../../fixtures/network.ts';
import { ask, connectionTo, createClient, expectFailure, failure, startEndpoint } from './modelHarness.ts';

const eventStream = { 'content-type': 'text/event-stream' };
const overloaded = /It says: “(?:Overloaded|The model is overloaded\.|The server had an error)”$/;

describe.each(modelApis)('a model behind %s', (api) => {
  it('that is not there is not found, with the whole address', async () => {
    const body = { error: { message: 'The model `test-model` does not exist', code: 'model_not_found' } };
    const words = 'It says: “The model `test-model` does not exist”';
    const { endpoint, error } = await expectFailure(api, [{ status: 404, body }], 'notFound', words);
    const path = endpoint.requests[0]?.path?.replace(/\?.*/, '');
    expect(error.message).toContain(`There is no model "test-model" at ${endpoint.origin}${path}`);
  });

  it('takes no more requests for some time', async () => {
    const answer = { status: 429, headers: { 'retry-after': '17' }, body: { error: { message: 'Slow down' } } };
    const { endpoint, error } = await expectFailure(api, [answer], 'rateLimited', 'Try again in 17 seconds.');
    expect(error.retryAfterMs).toBe(17_000);
    // A person decides about another try.
    expect(endpoint.requests).toHaveLength(1);
  });

  it('does not accept a key, which is in no error', async () => {
    const key = 'sk-very-secret';
    const message = `Incorrect API key provided: ${key}. See \u202eexample`;
    const answer = { status: 401, body: { error: { message, type: 'authentication_error' } } };
    const { error } = await expectFailure(api, [answer], 'unauthorized', 'does not accept the key', {}, { key });
    expect(error.message).toContain('provided: •••. See ⟨U+202E⟩example');
    expect(everythingOf(error)).not.toContain(key);
  });

  it('is cut off in the middle', async () => {
    for (const fault of ['cut', 'noEnd'] as const)
      await expectFailure(api, [{ pieces: ['Half of'], fault }], 'cutOff', 'ended in the middle of the answer');
  });

  it('fails in the middle', async () => {
    const kind = api === 'anthropic' || api === 'gemini' ? 'rateLimited' : 'failed';
    await expectFailure(api, [{ pieces: ['Half of'], fault: 'failure' }], kind, overloaded);
  });

  it('fails at once', async () => {
    const endpoint = await startEndpoint({ answers: [{ fault: 'failure' }] });
    expect((await failure(ask(connectionTo(endpoint.origin, api)))).message).toMatch(overloaded);
  });

  it('is cut off after the characters that its tokens can have', async () => {
    const endpoint = await startEndpoint({ answers: [{ pieces: ['On '], fault: 'endless' }] });
    const { result, usage } = await ask(connectionTo(endpoint.origin, api), { maxTokens: 10 });
    const { charactersPerToken, spareCharacters } = modelLimits.answer;
    expect(result.stopReason).toBe('maxTokens');
    const [block] = result.content;
    expect(block?.type === 'text' && block.text.length).toBe(10 * charactersPerToken + spareCharacters);
    expect(usage).toEqual({ inputTokens: undefined, outputTokens: undefined });
    await endpoint.requests[0]?.closed;
  });

  it('sends a line without end', async () => {
    const options = { maximums: { line: 100_000 } };
    const answer = { pieces: ['On '], fault: 'endlessLine' } as const;
    const { endpoint } = await expectFailure(
      api,
      [answer],
      'failed',
      'sends more than an answer can have',
      {},
      options,
    );
    await endpoint.requests[0]?.closed;
  });

  it('sends more bytes than an answer has', async () => {
    const options = { maximums: { bytes: 1_000_000 } };
    const { endpoint } = await expectFailure(
      api,
      [{ fault: 'endless' }],
      'failed',
      '',
      { maxTokens: 1_000_000 },
      options,
    );
    await endpoint.requests[0]?.closed;
  });

  it('sends an error without end', async () => {
    const words = 'failed with HTTP status 500. It says: “error error';
    const { endpoint, error } = await expectFailure(api, [{ status: 500, fault: 'endlessError' }], 'failed', words);
    expect(error.message.length).toBeLessThan(700);
    await endpoint.requests[0]?.closed;
  });

  it('redirects, which is not followed with a key', async () => {
    const elsewhere = await startEndpoint({ answers: [{ pieces: ['Yes'] }] });
    const headers = { location: `${elsewhere.origin}/v2/chat?token=hidden` };
    const words = `redirects to ${elsewhere.origin}/v2/chat: set`;
    await expectFailure(api, [{ status: 307, headers }], 'failed', words, {}, { key: 'sk-secret' });
    expect(elsewhere.requests).toEqual([]);
  });

  it('is cancelled: the connection is closed, and the reason is passed on', async () => {
    const endpoint = await startEndpoint({ answers: [{ pieces: ['Wait'], fault: 'silent' }] });
    const controller = new AbortController();
    const reason = new CancelledError();
    const onText = (): void => controller.abort(reason);
    const asked = ask(connectionTo(endpoint.origin, api), {}, { signal: controller.signal, onText });
    await expect(asked).rejects.toBe(reason);
    await endpoint.requests[0]?.closed;
  });

  it('says nothing more: the request ends', async () => {
    const clock = createManualClock();
    const options = { clock, onText: (): void => void advanceWhenWaiting(clock) };
    const answer = { pieces: ['Wait'], fault: 'silent' } as const;
    const words = 'sent nothing for 5 minutes: try again.';
    const { endpoint } = await expectFailure(api, [answer], 'cutOff', words, {}, options);
    await endpoint.requests[0]?.closed;
    expect(clock.waiting).toBe(0);
  });

  it('answers with a page instead of a stream', async () => {
    const answer = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Welcome!</html>' };
    await expectFailure(api, [answer], 'failed', 'does not stream an answer at');
  });

  it('answers with an error instead of a stream', async () => {
    const answer = { status: 200, body: { error: { message: 'Out of order' } } };
    await expectFailure(api, [answer], 'failed', 'It says: “Out of order”');
  });
});

describe('a model', () => {
  it('whose thoughts do not end gives no answer', async () => {
    const words = 'used all 100 tokens, possibly on reasoning';
    const { endpoint } = await expectFailure('anthropic', [{ fault: 'endlessThoughts' }], 'failed', words);
    await endpoint.requests[0]?.closed;
  });

  it('that is not running says so', async () => {
    const endpoint = await startEndpoint({ answers: [] });
    await endpoint.stop();
    const { kind, message } = await failure(ask(connectionTo(endpoint.origin, 'openai-chat', { name: 'Ollama' })));
    expect(kind).toBe('unreachable');
    expect(message).toBe(
      `Ollama at 127.0.0.1:${endpoint.port} cannot be reached (ECONNREFUSED): start it, or check its address.`,
    );
  });

  it('whose address does not exist is unreachable', async () => {
    const { kind, message } = await failure(ask(connectionTo('http://models.invalid', 'openai-chat')));
    expect([kind, message]).toEqual(['unreachable', expect.stringMatching(/reached \(E\w+\): check its address/)]);
  });

  it('whose certificate is not trusted is unreachable', async () => {
    const folder = fileURLToPath(new URL('../../fixtures/certificates/', import.meta.url));
    const { port } = closeLater(await listen(createServer(readCertificate('selfSigned', folder))));
    const { kind, message } = await failure(ask(connectionTo(`https://127.0.0.1:${port}`, 'openai-chat')));
    expect([kind, message]).toEqual(['unreachable', expect.stringContaining('its certificate is not trusted')]);
  });

  it('that calls a tool with half an input fails', async () => {
    const chunk = (delta: object, finish: string | null) =>
      `data: ${JSON.stringify({ id: '1', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city": "Be' } };
    const body = `${chunk({ tool_calls: [call] }, null)}${chunk({}, 'length')}data: [DONE]\n\n`;
    const answer = { status: 200, headers: eventStream, body };
    const tools = [{ name: 'weather', inputSchema: { type: 'object' } }];
    await expectFailure('openai-chat', [answer], 'failed', 'not a whole JSON object', { tools });
  });

  it('of Gemini that wants to continue its answer in another request does not get one', async () => {
    const candidate = { content: { role: 'model', parts: [{ text: 'One' }] }, finishReason: 'CONTINUATION' };
    const body = `data: ${JSON.stringify({ candidates: [{ ...candidate, continuationToken: 'more' }] })}\n\n`;
    const answer = { status: 200, headers: eventStream, body };
    const { endpoint } = await expectFailure('gemini', [answer], 'cutOff', 'would need another request');
    expect(endpoint.requests).toHaveLength(1);
  });

  it('whose key cannot be sent is not asked', async () => {
    const words = 'characters that no key has';
    const options = { key: 'a\r\nb: c' };
    const { endpoint } = await expectFailure('anthropic', [{ pieces: ['Yes'] }], 'unauthorized', words, {}, options);
    expect(endpoint.requests).toEqual([]);
  });

  it('that was removed is not found; one whose address is none is not listed', async () => {
    const broken = connectionTo('ftp://example.com', 'openai-chat');
    const gateway = createHttpModelGateway({
      connections: () => [broken],
      readKey: () => Promise.resolve(undefined),
      http: createClient(),
      clock: createManualClock(),
    });
    const request = { messages: [], maxTokens: 1 };
    expect(await gateway.list()).toEqual([]);
    const { kind } = await failure(gateway.generate('http:gone', request, () => {}, new AbortController().signal));
    expect(kind).toBe('notFound');
  });
});

/** Lets the time pass as soon as the next byte is waited for. */
async function advanceWhenWaiting(clock: ManualClock): Promise<void> {
  while (clock.waiting === 0) await setImmediate();
  await clock.advance(modelLimits.answer.silence);
}

/** All that an error says, however it is shown. */
function everythingOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return [error.message, error.stack, JSON.stringify(error), everythingOf(error.cause)].join('\n');
}
