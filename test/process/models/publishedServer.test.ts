import { LLMock } from '@copilotkit/aimock';
import { beforeEach, describe, expect, it } from 'vitest';
import { modelApis } from '../../../src/models/modelGateway.ts';
import { closeLater } from '../../fixtures/closeLater.ts';
import { ask, connectionTo, failure, list, userText } from './modelHarness.ts';

const weather = {
  name: 'weather',
  description: 'The weather of a city',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
} as const;

let mock: LLMock;

/** A published server that speaks the API of each provider, and that does not know this code. */
beforeEach(async () => {
  mock = new LLMock({ port: 0, chunkSize: 5 });
  const input = { prompt_tokens: 12, input_tokens: 12, promptTokenCount: 12 };
  const output = { completion_tokens: 5, output_tokens: 5, candidatesTokenCount: 5 };
  mock.addFixture({
    match: { userMessage: 'Hello?' },
    response: {
      content: 'Good morning from a mock',
      usage: { ...input, ...output },
    },
  });
  mock.addFixture({
    match: { userMessage: 'Think first.' },
    response: { content: 'Done.', reasoning: 'Let me think about it.' },
  });
  mock.addFixture({ match: { userMessage: 'Weather?', hasToolResult: true }, response: { content: 'Sunny in Bern.' } });
  mock.addFixture({
    match: { userMessage: 'Weather?' },
    response: { toolCalls: [{ name: 'weather', arguments: '{"city":"Bern"}' }] },
  });
  mock.addFixture({ match: { userMessage: 'Too long' }, response: { content: 'Once upon', finishReason: 'length' } });
  await mock.start();
  closeLater({ close: () => mock.stop() });
});

describe.each(modelApis)('a published server, by %s', (api) => {
  it('streams text, and says what it took', async () => {
    const pieces: string[] = [];
    const options = { key: 'mock', onText: (piece: string) => void pieces.push(piece) };
    const { result, usage } = await ask(connectionTo(mock.url, api), {}, options);
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'Good morning from a mock' }],
      stopReason: 'endTurn',
    });
    expect(pieces.length).toBeGreaterThan(2);
    expect(usage).toEqual({ inputTokens: 12, outputTokens: 5 });
  });

  it('calls a tool and gets its result', async () => {
    const connection = connectionTo(mock.url, api);
    const request = { messages: [userText('Weather?')], tools: [weather] };
    const first = await ask(connection, request, { key: 'mock' });
    expect(first.result).toMatchObject({
      content: [{ type: 'tool_use', name: 'weather', input: { city: 'Bern' } }],
      stopReason: 'toolUse',
    });
    const [call] = first.result.content;
    if (call?.type !== 'tool_use') expect.unreachable('no call');
    const content = [{ type: 'text', text: '23 degrees' }] as const;
    const result = { type: 'tool_result', toolUseId: call.id, content } as const;
    const messages = [...request.messages, first.result, { role: 'user' as const, content: [result] }];
    const second = await ask(connection, { ...request, messages }, { key: 'mock' });
    expect(second.result).toMatchObject({ content: [{ text: 'Sunny in Bern.' }], stopReason: 'endTurn' });
  });

  it('reaches the maximum of tokens, and keeps its thoughts for itself', async () => {
    const connection = connectionTo(mock.url, api);
    const long = await ask(connection, { messages: [userText('Too long')] }, { key: 'mock' });
    expect(long.result).toMatchObject({ content: [{ text: 'Once upon' }], stopReason: 'maxTokens' });
    const thoughtful = await ask(connection, { messages: [userText('Think first.')] }, { key: 'mock' });
    expect(thoughtful.result.content).toEqual([{ type: 'text', text: 'Done.' }]);
  });

  it('fails with the errors of its API', async () => {
    mock.nextRequestError(429, { message: 'Rate limit reached', type: 'rate_limit_error' });
    const limited = await failure(ask(connectionTo(mock.url, api), {}, { key: 'mock' }));
    expect([limited.kind, limited.message]).toEqual(['rateLimited', expect.stringContaining('Rate limit reached')]);
    const message = 'prompt is too long: 210000 tokens > 200000 maximum';
    mock.nextRequestError(400, { message, type: 'invalid_request_error' });
    expect((await failure(ask(connectionTo(mock.url, api), {}, { key: 'mock' }))).kind).toBe('contextOverflow');
  });
});

describe('a published server', () => {
  it('lists its models', async () => {
    const models = await list(mock.url, 'openai-chat', 'mock');
    expect(models.length).toBeGreaterThan(0);
    expect(models.every(({ id }) => id !== '')).toBe(true);
  });
});
