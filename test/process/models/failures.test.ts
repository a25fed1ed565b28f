import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/base/errors.ts';
import { modelLimits } from '../../../src/base/modelLimits.ts';
import { createHttpModelGateway } from '../../../src/models/httpModelGateway.ts';
import { modelApis } from '../../../src/models/modelConnection.ts';
import { createManualClock, type ManualClock } from '../../fixtures/manualClock.ts';
import { ask, connectionTo, createClient, failure, startEndpoint, stopLater } from './modelHarness.ts';

describe.each(modelApis)('a model behind %s', (api) => {
  it('that is not there is not found, with the whole address', async () => {
    const body = { error: { message: 'The model `test-model` does not exist', code: 'model_not_found' } };
    const endpoint = await startEndpoint({ answers: [{ status: 404, body }] });
    const { kind, message } = await failure(ask(connectionTo(endpoint.origin, api)));
    expect(kind).toBe('notFound');
    expect(message).toContain(
      `There is no model "test-model" at ${endpoint.origin}${pathOf(endpoint.requests[0]?.path)}`,
    );
    expect(message).toContain('It says: “The model `test-model` does not exist”');
  });

  it('takes no more requests for some time', async () => {
    const headers = { 'retry-after': '17' };
    const endpoint = await startEndpoint({
      answers: [{ status: 429, headers, body: { error: { message: 'Slow down' } } }],
    });
    const { kind, retryAfterMs, message } = await failure(ask(connectionTo(endpoint.origin, api)));
    expect([kind, retryAfterMs, message]).toEqual([
      'rateLimited',
      17_000,
      expect.stringContaining('Try again in 17 seconds.'),
    ]);
    // A person decides about another try.
    expect(endpoint.requests).toHaveLength(1);
  });

  it('does not accept a key, which is in no error', async () => {
    const key = 'sk-very-secret';
    const body = {
      error: { message: `Incorrect API key provided: ${key}. See \u202eexample`, type: 'authentication_error' },
    };
    const endpoint = await startEndpoint({ answers: [{ status: 401, body }] });
    const error = await failure(ask(connectionTo(endpoint.origin, api), {}, { key }));
    expect([error.kind, error.message]).toEqual(['unauthorized', expect.stringContaining('does not accept the key')]);
    expect(error.message).toContain('provided: •••. See ⟨U+202E⟩example');
    expect(everythingOf(error)).not.toContain(key);
  });

  it('is cut off in the middle', async () => {
    const endpoint = await startEndpoint({
      answers: [
        { pieces: ['Half of'], fault: 'cut' },
        { pieces: ['Half of'], fault: 'noEnd' },
      ],
    });
    for (const _ of ['the connection', 'the stream']) {
      const { kind, message } = await failure(ask(connectionTo(endpoint.origin, api)));
      expect([kind, message]).toEqual(['cutOff', expect.stringContaining('ended in the middle of the answer')]);
    }
  });

  it('fails in the middle', async () => {
    const endpoint = await startEndpoint({ answers: [{ pieces: ['Half of'], fault: 'failure' }] });
    const { kind, message } = await failure(ask(connectionTo(endpoint.origin, api)));
    const isOverloaded = api === 'anthropic' || api === 'gemini';
    expect(kind).toBe(isOverloaded ? 'rateLimited' : 'failed');
    expect(message).toMatch(/It says: “(?:Overloaded|The model is overloaded\.|The server had an error)”$/);
  });

  it('fails at once', async () => {
    const endpoint = await startEndpoint({ answers: [{ fault: 'failure' }] });
    const { message } = await failure(ask(connectionTo(endpoint.origin, api)));
    expect(message).toMatch(/It says: “(?:Overloaded|The model is overloaded\.|The server had an error)”$/);
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
    const endpoint = await startEndpoint({ answers: [{ pieces: ['On '], fault: 'endlessLine' }] });
    const { kind, message } = await failure(
      ask(connectionTo(endpoint.origin, api), {}, { maximums: { line: 100_000 } }),
    );
    expect([kind, message]).toEqual(['failed', expect.stringContaining('sends more than an answer can have')]);
    await endpoint.requests[0]?.closed;
  });

  it('sends more bytes than an answer has', async () => {
    const endpoint = await startEndpoint({ answers: [{ fault: 'endless' }] });
    const { kind } = await failure(
      ask(connectionTo(endpoint.origin, api), { maxTokens: 1_000_000 }, { maximums: { bytes: 1_000_000 } }),
    );
    expect(kind).toBe('failed');
    await endpoint.requests[0]?.closed;
  });

  it('sends an error without end', async () => {
    const endpoint = await startEndpoint({ answers: [{ status: 500, fault: 'endlessError' }] });
    const { kind, message } = await failure(ask(connectionTo(endpoint.origin, api)));
    expect(kind).toBe('failed');
    expect(message).toContain('failed with HTTP status 500. It says: “error error');
    expect(message.length).toBeLessThan(700);
    await endpoint.requests[0]?.closed;
  });

  it('redirects, which is not followed with a key', async () => {
    const elsewhere = await startEndpoint({ answers: [{ pieces: ['Yes'] }] });
    const headers = { location: `${elsewhere.origin}/v2/chat?token=hidden` };
    const endpoint = await startEndpoint({ answers: [{ status: 307, headers }] });
    const { kind, message } = await failure(ask(connectionTo(endpoint.origin, api), {}, { key: 'sk-secret' }));
    expect([kind, message]).toEqual([
      'failed',
      expect.stringContaining(`redirects to ${elsewhere.origin}/v2/chat: set`),
    ]);
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
    const endpoint = await startEndpoint({ answers: [{ pieces: ['Wait'], fault: 'silent' }] });
    const onText = (): void => void advanceWhenWaiting(clock);
    const { kind, message } = await failure(ask(connectionTo(endpoint.origin, api), {}, { clock, onText }));
    expect([kind, message]).toEqual(['cutOff', expect.stringContaining('sent nothing for 5 minutes: try again.')]);
    await endpoint.requests[0]?.closed;
    expect(clock.waiting).toBe(0);
  });

  it('answers with a page instead of a stream', async () => {
    const headers = { 'content-type': 'text/html' };
    const endpoint = await startEndpoint({ answers: [{ status: 200, headers, body: '<html>Welcome!</html>' }] });
    const { kind, message } = await failure(ask(connectionTo(endpoint.origin, api)));
    expect([kind, message]).toEqual(['failed', expect.stringContaining('does not stream an answer at')]);
  });

  it('answers with an error instead of a stream', async () => {
    const endpoint = await startEndpoint({ answers: [{ status: 200, body: { error: { message: 'Out of order' } } }] });
    const { kind, message } = await failure(ask(connectionTo(endpoint.origin, api)));
    expect([kind, message]).toEqual(['failed', expect.stringContaining('It says: “Out of order”')]);
  });
});

describe('a model', () => {
  it('whose thoughts do not end gives no answer', async () => {
    const endpoint = await startEndpoint({ answers: [{ fault: 'endlessThoughts' }] });
    const { kind, message } = await failure(ask(connectionTo(endpoint.origin, 'anthropic')));
    expect([kind, message]).toEqual(['failed', expect.stringContaining('used all 100 tokens, possibly on reasoning')]);
    await endpoint.requests[0]?.closed;
  });

  it('that is not running says so', async () => {
    const endpoint = await startEndpoint({ answers: [] });
    await endpoint.stop();
    const { kind, message } = await failure(ask(connectionTo(endpoint.origin, 'openai-chat', { name: 'Ollama' })));
    expect(kind).toBe('unreachable');
    expect(message).toBe(`Ollama at 127.0.0.1:${endpoint.port} cannot be reached (ECONNREFUSED): is it running?`);
  });

  it('whose address does not exist is unreachable', async () => {
    const connection = connectionTo('http://models.invalid', 'openai-chat');
    const { kind, message } = await failure(ask(connection));
    expect([kind, message]).toEqual([
      'unreachable',
      expect.stringMatching(/cannot be reached \(E\w+\): is its address right/),
    ]);
  });

  it('whose certificate is not trusted is unreachable', async () => {
    const folder = new URL('../../fixtures/certificates/', import.meta.url);
    const read = (name: string): Buffer => readFileSync(new URL(name, folder));
    const server = createServer({ key: read('selfSigned.key.pem'), cert: read('selfSigned.pem') });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    stopLater(() => server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { kind, message } = await failure(ask(connectionTo(`https://127.0.0.1:${port}`, 'openai-chat')));
    expect([kind, message]).toEqual(['unreachable', expect.stringContaining('its certificate is not trusted')]);
  });

  it('that calls a tool with half an input fails', async () => {
    const chunk = (delta: object, finish: string | null) =>
      `data: ${JSON.stringify({ id: '1', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city": "Be' } };
    const body = `${chunk({ tool_calls: [call] }, null)}${chunk({}, 'length')}data: [DONE]\n\n`;
    const headers = { 'content-type': 'text/event-stream' };
    const endpoint = await startEndpoint({ answers: [{ status: 200, headers, body }] });
    const tools = [{ name: 'weather', inputSchema: { type: 'object' } }];
    const { kind, message } = await failure(ask(connectionTo(endpoint.origin, 'openai-chat'), { tools }));
    expect([kind, message]).toEqual(['failed', expect.stringContaining('not a whole JSON object')]);
  });

  it('of Gemini that wants to continue its answer in another request does not get one', async () => {
    const candidate = { content: { role: 'model', parts: [{ text: 'One' }] }, finishReason: 'CONTINUATION' };
    const body = `data: ${JSON.stringify({ candidates: [{ ...candidate, continuationToken: 'more' }] })}\n\n`;
    const headers = { 'content-type': 'text/event-stream' };
    const endpoint = await startEndpoint({ answers: [{ status: 200, headers, body }] });
    const { kind, message } = await failure(ask(connectionTo(endpoint.origin, 'gemini')));
    expect([kind, message]).toEqual(['cutOff', expect.stringContaining('would need another request')]);
    expect(endpoint.requests).toHaveLength(1);
  });

  it('whose key cannot be sent is not asked', async () => {
    const endpoint = await startEndpoint({ answers: [{ pieces: ['Yes'] }] });
    const { kind, message } = await failure(ask(connectionTo(endpoint.origin, 'anthropic'), {}, { key: 'a\r\nb: c' }));
    expect([kind, message]).toEqual(['unauthorized', expect.stringContaining('characters that no key has')]);
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

function pathOf(path = ''): string {
  return path.replace(/\?.*/, '');
}
