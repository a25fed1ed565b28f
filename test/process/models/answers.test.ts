import { describe, expect, it } from 'vitest';
import { type ModelApi, modelApis } from '../../../src/models/modelGateway.ts';
import { providerMetadataKey } from '../../../src/models/prompt.ts';
import type { SamplingRequest } from '../../../src/protocol/mcp/sampling.ts';
import { ask, connectionTo, expectFailure, failure, startEndpoint, userText } from './modelHarness.ts';

const picture = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const;
const weather = {
  name: 'weather.of/city',
  description: 'The weather of a city',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const;

/** A request for a short answer, as each API has it. */
const requests: Readonly<Record<ModelApi, object>> = {
  'openai-chat': {
    messages: [{ role: 'system', content: 'Be short.' }, { role: 'user' }],
    max_tokens: 41,
    stop: ['END'],
    temperature: 0.25,
    stream: true,
  },
  'openai-responses': {
    input: [{ role: 'system', content: 'Be short.' }, { role: 'user' }],
    max_output_tokens: 41,
    temperature: 0.25,
    stream: true,
    store: false,
  },
  anthropic: {
    system: [{ type: 'text', text: 'Be short.' }],
    max_tokens: 41,
    stop_sequences: ['END'],
    temperature: 0.25,
    stream: true,
    metadata: { user_id: 'someone' },
  },
  gemini: {
    systemInstruction: { parts: [{ text: 'Be short.' }] },
    generationConfig: { maxOutputTokens: 41, stopSequences: ['END'], temperature: 0.25 },
  },
};

describe.each(modelApis)('a model behind %s', (api) => {
  it('streams its text, and says what it took', async () => {
    const endpoint = await startEndpoint({ answers: [{ pieces: ['Good ', 'morning', '!'] }] });
    const pieces: string[] = [];

    const answer = await ask(connectionTo(endpoint.origin, api), {}, { onText: (piece) => pieces.push(piece) });

    expect(pieces).toEqual(['Good ', 'morning', '!']);
    expect(answer).toEqual({
      result: {
        role: 'assistant',
        content: [{ type: 'text', text: 'Good morning!' }],
        model: 'test-model',
        stopReason: 'endTurn',
      },
      usage: { inputTokens: 11, outputTokens: 7 },
    });
    expect(endpoint.requests).toHaveLength(1);
  });

  it('gets the system prompt, the maximum of tokens, the temperature and stop sequences', async () => {
    const endpoint = await startEndpoint({ answers: [{ pieces: ['Yes'] }] });
    await ask(connectionTo(endpoint.origin, api), {
      systemPrompt: 'Be short.',
      maxTokens: 41.9,
      temperature: 0.25,
      stopSequences: ['END'],
      metadata: { user_id: 'someone', secret: 'not for providers' },
    });
    const sent = JSON.stringify(endpoint.requests[0]?.body);
    expect(JSON.parse(sent)).toMatchObject(requests[api]);
    expect(sent).not.toContain('not for providers');
    expect(sent.includes('someone')).toBe(api === 'anthropic');
  });

  it('sends its key in the header of its API, and none without a key', async () => {
    const endpoint = await startEndpoint({ key: 'secret-key', answers: [{ pieces: ['Yes'] }] });
    await ask(connectionTo(endpoint.origin, api), {}, { key: ' secret-key\n' });
    const { kind, message } = await failure(ask(connectionTo(endpoint.origin, api)));
    expect([kind, message]).toEqual(['unauthorized', expect.stringContaining('wants a key: add one.')]);
    const { authorization, 'x-api-key': other, 'x-goog-api-key': google } = endpoint.requests[1]?.headers ?? {};
    expect([authorization, other, google]).toEqual([undefined, undefined, undefined]);
    expect(JSON.stringify(endpoint.requests.map(({ headers }) => headers))).not.toContain('ai-sdk');
  });

  it('calls a tool, and gets its result in the next round', async () => {
    const toolCalls = [{ id: 'call_1', name: 'weather_of_city', input: { city: 'Bern' }, signature: 'c2lnbmF0dXJl' }];
    const endpoint = await startEndpoint({ answers: [{ pieces: ['Let me see.'], toolCalls }, { pieces: ['Sunny.'] }] });
    const connection = connectionTo(endpoint.origin, api);
    const request: SamplingRequest = { messages: [userText('The weather?')], maxTokens: 100, tools: [weather] };

    const first = await ask(connection, { ...request, toolChoice: { mode: 'required' } });

    expect(first.result.stopReason).toBe('toolUse');
    expect(first.result.content).toMatchObject([
      { type: 'text', text: 'Let me see.' },
      { type: 'tool_use', name: 'weather.of/city', input: { city: 'Bern' } },
    ]);
    const call = first.result.content[1];
    if (call?.type !== 'tool_use') expect.unreachable('no call');
    const meta = { [providerMetadataKey]: { thoughtSignature: 'c2lnbmF0dXJl' } };
    if (api === 'gemini') expect(call).toMatchObject({ _meta: meta });
    else expect(call.id).toBe('call_1');

    const content = [{ type: 'text', text: '23 degrees' }] as const;
    const result = { type: 'tool_result', toolUseId: call.id, content, structuredContent: { wind: 4 } } as const;
    const messages = [...request.messages, first.result, { role: 'user', content: [result] } as const];
    const second = await ask(connection, { ...request, messages });

    expect(second.result.content).toEqual([{ type: 'text', text: 'Sunny.' }]);
    const sent = JSON.stringify(endpoint.requests[1]?.body);
    expect(sent).toContain('23 degrees');
    expect(sent).toContain('wind');
    // The name is one that the provider takes, wherever it is.
    expect(sent).not.toContain('weather.of/city');
    expect(sent.split('weather_of_city').length).toBeGreaterThan(2);
    if (api === 'gemini') expect(sent).toContain('"thoughtSignature":"c2lnbmF0dXJl"');
    else expect(sent.split('call_1').length).toBeGreaterThan(2);
  });

  it.each([
    ['endTurn', 'endTurn'],
    ['maxTokens', 'maxTokens'],
    ['stopSequence', api === 'anthropic' ? 'stopSequence' : 'endTurn'],
  ] as const)('stops with %s', async (stop, stopReason) => {
    const endpoint = await startEndpoint({ answers: [{ pieces: ['Once upon a time'], stop }] });
    const { result } = await ask(connectionTo(endpoint.origin, api));
    expect(result.stopReason).toBe(stopReason);
  });

  it('ends at a stop sequence where its API does not know it', async () => {
    const endpoint = await startEndpoint({ answers: [{ pieces: ['one two E', 'N', 'D three'], fault: 'endless' }] });
    const pieces: string[] = [];
    const options = { onText: (piece: string) => void pieces.push(piece) };
    const { result } = await ask(connectionTo(endpoint.origin, api), { stopSequences: ['END', 'five'] }, options);
    expect(result).toMatchObject({ content: [{ text: 'one two ' }], stopReason: 'stopSequence' });
    expect(pieces.join('')).toBe('one two ');
    await endpoint.requests[0]?.closed;
  });

  it('refuses, even after some text', async () => {
    const answer = { pieces: ['First, you'], stop: 'refused' } as const;
    await expectFailure(api, [answer], 'refused', /^Test model at 127\.0\.0\.1:\d+ refuses to answer/);
  });

  it('gets an image, and never one that it does not take', async () => {
    const endpoint = await startEndpoint({ answers: [{ pieces: ['A dot.'] }] });
    const messages: SamplingRequest['messages'] = [
      { role: 'user', content: [picture, { type: 'text', text: 'What?' }] },
    ];
    await ask(connectionTo(endpoint.origin, api), { messages });
    expect(JSON.stringify(endpoint.requests[0]?.body)).toContain(picture.data);

    const blind = connectionTo(endpoint.origin, api, { abilities: { image: false } });
    const { kind, message } = await failure(ask(blind, { messages }));
    expect([kind, message]).toEqual(['unsupported', '"Test model" does not take images: choose another model.']);
    expect(endpoint.requests).toHaveLength(1);
  });

  it('gets the image that a tool returned', async () => {
    const endpoint = await startEndpoint({ answers: [{ pieces: ['A dot.'] }] });
    await ask(connectionTo(endpoint.origin, api), {
      tools: [weather],
      messages: [
        userText('Draw.'),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: weather.name, input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', toolUseId: 'call_1', content: [picture] }] },
      ],
    });
    expect(JSON.stringify(endpoint.requests[0]?.body)).toContain(picture.data);
  });

  it('does not answer with its thoughts', async () => {
    const endpoint = await startEndpoint({ answers: [{ thoughts: 'The user greets me.', pieces: ['Hello!'] }] });
    const { result } = await ask(connectionTo(endpoint.origin, api));
    expect(result.content).toEqual([{ type: 'text', text: 'Hello!' }]);
  });

  it('calls only tools that were offered', async () => {
    const toolCalls = [{ id: 'call_1', name: 'delete_all', input: {} }];
    const words = 'calls the tool "delete_all", which was not offered';
    await expectFailure(api, [{ toolCalls }], 'failed', words, { tools: [weather] });
  });

  it('fails with an empty answer', async () => {
    const endpoint = await startEndpoint({ answers: [{}, { stop: 'maxTokens' }] });
    const connection = connectionTo(endpoint.origin, api);
    expect((await failure(ask(connection))).message).toContain('gave an empty answer');
    expect((await failure(ask(connection))).message).toContain('used all 100 tokens');
  });

  it('says no tokens where its provider does not', async () => {
    const endpoint = await startEndpoint({ answers: [{ pieces: ['Yes'], usage: null }] });
    const { usage } = await ask(connectionTo(endpoint.origin, api));
    expect(usage).toEqual({ inputTokens: undefined, outputTokens: undefined });
  });

  it('never has more tokens than were asked for, as its provider counts them', async () => {
    const endpoint = await startEndpoint({
      answers: [{ pieces: ['x'.repeat(1_000)], usage: { input: 3, output: 400 } }],
    });
    const { result } = await ask(connectionTo(endpoint.origin, api), { maxTokens: 100 });
    expect(result).toMatchObject({ content: [{ text: 'x'.repeat(250) }], stopReason: 'maxTokens' });
  });
});

describe.each(['openai-chat', 'openai-responses'] as const)('a model of OpenAI behind %s', (api) => {
  it('refuses in words, which are no answer', async () => {
    const refusal = 'I cannot help with that.';
    await expectFailure(api, [{ refusal }], 'refused', 'It says: “I cannot help with that.”');
  });
});

describe('a local model', () => {
  it('does not answer with thoughts that its server leaves in the text', async () => {
    const endpoint = await startEndpoint({ answers: [{ pieces: ['<thi', 'nk>Hm', '.</think>\n\n', 'Hello', '!'] }] });
    const pieces: string[] = [];
    const options = { onText: (text: string) => void pieces.push(text) };
    const { result } = await ask(connectionTo(endpoint.origin, 'openai-chat'), {}, options);
    expect(result.content).toEqual([{ type: 'text', text: 'Hello!' }]);
    expect(pieces).toEqual(['Hello', '!']);
  });
});
