import { describe, expect, it } from 'vitest';
import { createCall } from '../../../src/models/callOptions.ts';
import { endpointOf } from '../../../src/models/endpoint.ts';
import type { ModelApi, ModelConnection } from '../../../src/models/modelGateway.ts';
import { providerMetadataKey } from '../../../src/models/prompt.ts';
import type { SamplingContent, SamplingRequest, ToolResultContent } from '../../../src/protocol/mcp/sampling.ts';

const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'IMAGE/PNG' } as const;
const audio = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' } as const;

function call(request: Partial<SamplingRequest>, connection: Partial<ModelConnection> = {}) {
  const whole = {
    id: 'it',
    name: 'It',
    api: 'openai-chat',
    baseUrl: 'https://api.example.com/v1',
    model: 'm',
    ...connection,
  } as const;
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }] as const;
  return createCall({ messages, maxTokens: 10, ...request }, whole, endpointOf(whole)).options;
}

/** The prompt of a round in which a tool was called and has returned `result`. */
function promptOf(result: Partial<ToolResultContent>, api: ModelApi = 'anthropic', meta: object = {}) {
  return call(
    {
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'draw.it', input: { x: 1 }, ...meta }] },
        { role: 'user', content: [{ type: 'tool_result', toolUseId: '1', content: [], ...result }] },
      ],
    },
    { api },
  ).prompt;
}

function outputOf(result: Partial<ToolResultContent>, api?: ModelApi): unknown {
  const message = promptOf(result, api).find(({ role }) => role === 'tool');
  const [part] = message?.role === 'tool' ? message.content : [];
  return part?.type === 'tool-result' ? part.output : undefined;
}

describe('the messages', () => {
  it('have a system prompt, texts, images and audio', () => {
    const content: SamplingContent[] = [{ type: 'text', text: 'Look:' }, { type: 'text', text: '' }, image, audio];
    expect(call({ systemPrompt: 'Be short.', messages: [{ role: 'user', content }] }).prompt).toEqual([
      { role: 'system', content: 'Be short.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look:' },
          { type: 'file', data: image.data, mediaType: 'image/png' },
          { type: 'file', data: audio.data, mediaType: 'audio/wav' },
        ],
      },
    ]);
  });

  it('have the calls and the results of tools, by names that each provider takes', () => {
    const result = { content: [{ type: 'text', text: 'done' }] } as const;
    expect(promptOf(result)).toEqual([
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'draw_it', input: { x: 1 } }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: '1', toolName: 'draw_it', output: { type: 'text', value: 'done' } },
        ],
      },
    ]);
  });

  it('have each kind of result', () => {
    const text = { type: 'text', text: '{"a": 1}' } as const;
    expect(outputOf({ isError: true, content: [{ type: 'text', text: 'No' }] })).toEqual({
      type: 'error-text',
      value: 'No',
    });
    expect(outputOf({ isError: true })).toEqual({ type: 'error-text', value: 'The tool failed.' });
    expect(outputOf({})).toEqual({ type: 'text', value: 'The tool returned nothing.' });
    expect(outputOf({ structuredContent: { a: 1 } })).toEqual({ type: 'text', value: '{"a":1}' });
    expect(outputOf({ content: [text], structuredContent: { a: 1 } })).toEqual({ type: 'text', value: '{"a": 1}' });
    expect(outputOf({ content: [{ type: 'text', text: 'one' }], structuredContent: 2 })).toEqual({
      type: 'text',
      value: 'one\n2',
    });
    expect(
      outputOf({
        content: [
          { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
          { type: 'resource_link', uri: 'file:///b', name: 'b' },
        ],
      }),
    ).toEqual({ type: 'text', value: 'inside\n[A link to the resource b: file:///b]' });
  });

  it('have the images of a result: in it, or after it for chat completions', () => {
    expect(outputOf({ content: [image] })).toEqual({
      type: 'content',
      value: [{ type: 'image-data', data: image.data, mediaType: 'image/png' }],
    });
    expect(outputOf({ content: [image] }, 'openai-chat')).toEqual({ type: 'text', value: 'The result follows.' });
    expect(promptOf({ content: [image] }, 'openai-chat').at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'text' }, { type: 'file', data: image.data }],
    });
  });

  it('give back what a provider wants back, and nothing that a server made up', () => {
    const signed = (thoughtSignature: unknown) => ({ _meta: { [providerMetadataKey]: { thoughtSignature, more: 1 } } });
    const optionsOf = (meta: object): unknown => {
      const [message] = promptOf({}, 'gemini', meta);
      return message?.role === 'assistant' ? message.content[0]?.providerOptions : 'none';
    };
    expect(optionsOf(signed('YWJj+/=='))).toEqual({ google: { thoughtSignature: 'YWJj+/==' } });
    for (const wrong of [7, 'with space', { a: 1 }, 'x'.repeat(300_000)])
      expect(optionsOf(signed(wrong))).toBeUndefined();
    expect(optionsOf({ _meta: { [providerMetadataKey]: 'text' } })).toBeUndefined();
  });

  it.each([
    ['audio', { abilities: { audio: false } }, { messages: [{ role: 'user', content: [audio] }] }],
    ['tools', { abilities: { tools: false } }, { tools: [{ name: 'a', inputSchema: {} }] }],
    [
      'an image of a result',
      { abilities: { image: false } },
      { messages: [{ role: 'user', content: [{ type: 'tool_result', toolUseId: '1', content: [image] }] }] },
    ],
    ['an image of the model', {}, { messages: [{ role: 'assistant', content: [image] }] }],
  ] as const)('have no %s that the model does not take', (_what, connection, request) => {
    expect(() => call(request as Partial<SamplingRequest>, connection)).toThrow(
      expect.objectContaining({ kind: 'unsupported' }),
    );
  });

  it.each([
    ['no content', { messages: [{ role: 'user', content: [] }] }],
    ['less than one token', { maxTokens: 0.5 }],
    [
      'calls in the name of the user',
      { messages: [{ role: 'user', content: [{ type: 'tool_use', id: '1', name: 'a', input: {} }] }] },
    ],
    ['a stop sequence that is too long', { stopSequences: ['x'.repeat(2_000)] }],
    ['too many stop sequences', { stopSequences: Array.from({ length: 100 }, String) }],
  ] as const)('are not sent with %s', (_what, request) => {
    expect(() => call(request as Partial<SamplingRequest>)).toThrow(expect.objectContaining({ kind: 'failed' }));
  });
});

describe('the options', () => {
  it('never ask for more tokens than the request', () => {
    expect(call({ maxTokens: 41.9 }).maxOutputTokens).toBe(41);
    expect(call({ maxTokens: 1e300 }).maxOutputTokens).toBe(2 ** 31 - 1);
  });

  it('have as many stop sequences as an API takes', () => {
    const stopSequences = ['a', 'b', ' ', 'c', 'd', 'e', 'f'];
    expect(call({ stopSequences }).stopSequences).toEqual(['a', 'b', 'c', 'd']);
    expect(call({ stopSequences }, { api: 'gemini' }).stopSequences).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(call({ stopSequences }, { api: 'anthropic' }).stopSequences).toHaveLength(6);
    expect(call({ stopSequences }, { api: 'openai-responses' })).not.toHaveProperty('stopSequences');
    const thinker = { baseUrl: 'https://api.openai.com/v1', model: 'o3' };
    expect(call({ stopSequences }, thinker)).not.toHaveProperty('stopSequences');
  });

  it('offer tools, and say how they may be used', () => {
    const tools = [{ name: 'a b', description: 'It', inputSchema: { type: 'object' } }] as const;
    expect(call({ tools })).toMatchObject({
      tools: [{ type: 'function', name: 'a_b', description: 'It', inputSchema: { type: 'object' } }],
      toolChoice: { type: 'auto' },
    });
    for (const mode of ['required', 'none'] as const) {
      expect(call({ tools, toolChoice: { mode } }).toolChoice).toEqual({ type: mode });
    }
    expect(call({ toolChoice: { mode: 'required' } })).not.toHaveProperty('toolChoice');
  });

  it('pass on of the metadata what an API has a member for', () => {
    const metadata = { user_id: 'me', other: 'x' };
    const anthropic = { api: 'anthropic', baseUrl: 'https://api.anthropic.com/v1' } as const;
    expect(call({ metadata }, anthropic).providerOptions).toEqual({ anthropic: { metadata: { userId: 'me' } } });
    expect(call({ metadata: { user_id: 7 } }, anthropic).providerOptions).toEqual({ anthropic: {} });
    expect(call({ metadata }).providerOptions).toEqual({});
    expect(call({ metadata }, { api: 'openai-responses' }).providerOptions).toEqual({ openai: { store: false } });
  });
});
