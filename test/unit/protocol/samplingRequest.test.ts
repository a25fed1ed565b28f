import { describe, expect, it } from 'vitest';
import { readSamplingRequest } from '../../../src/protocol/mcp/sampling.ts';
import { problem } from '../../fixtures/problem.ts';

const text = { type: 'text', text: 'hi' };
const use = { type: 'tool_use', id: 'a', name: 't', input: {} };
const result = { type: 'tool_result', toolUseId: 'a', content: [text] };
const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });

describe('a sampling request', () => {
  it('is read whole, a single block becoming a list', () => {
    const request = {
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: { type: 'image', data: 'AA==', mimeType: 'image/png' } },
        user({ type: 'audio', data: 'AA==', mimeType: 'audio/wav' }),
      ],
      maxTokens: 10,
      systemPrompt: 'be brief',
      temperature: 0.5,
      stopSequences: ['.'],
      includeContext: 'thisServer',
      modelPreferences: { hints: [{ name: 'x' }, 7, { name: 5 }], costPriority: 0.1, more: 'x' },
      metadata: { any: 'thing' },
      tools: [{ name: 't', inputSchema: {} }],
      toolChoice: { mode: 'required' },
    };
    const read = readSamplingRequest({ ...request, unheardOf: true });
    expect(read).toEqual({
      ...request,
      messages: request.messages.map(({ role, content }) => ({
        role,
        content: Array.isArray(content) ? content : [content],
      })),
      modelPreferences: { hints: [{ name: 'x' }], costPriority: 0.1 },
    });
  });

  it('may use tools and answer them in the next message [sampling-tool-results]', () => {
    const messages = [user(text), assistant(text, use), user(result), assistant(text)];
    expect(readSamplingRequest({ messages, maxTokens: 1 }).messages).toEqual(messages);
  });

  it('keeps all of what a tool gave, and what belongs to it [sampling-parts]', () => {
    const whole = { ...result, structuredContent: { high: 24 }, isError: true, _meta: { cache: 1 } };
    const messages = [assistant({ ...use, _meta: { cache: 2 } }), user(whole)];
    expect(readSamplingRequest({ messages, maxTokens: 1 }).messages).toEqual(messages);
    const bare = [assistant(use), user({ ...result, structuredContent: null, isError: false, _meta: null })];
    expect(readSamplingRequest({ messages: bare, maxTokens: 1 }).messages[1]?.content).toEqual([result]);
  });

  it.each<[string, object]>([
    ['messages', { maxTokens: 1 }],
    ['messages', { messages: [], maxTokens: 1 }],
    ['maxTokens', { messages: [user(text)] }],
    ['maxTokens', { messages: [user(text)], maxTokens: 0 }],
    ['maxTokens', { messages: [user(text)], maxTokens: '5' }],
    ['tools', { messages: [user(text)], maxTokens: 1, tools: [{ name: 't', description: 5, inputSchema: {} }] }],
    ['messages[0]', { messages: ['hi'], maxTokens: 1 }],
    ['messages[1].role', { messages: [user(text), { role: 'system', content: text }], maxTokens: 1 }],
    ['messages[0].content', { messages: [{ role: 'user' }], maxTokens: 1 }],
    ['messages[0].content', { messages: [user({ type: 'resource_link', uri: 'a:b' })], maxTokens: 1 }],
    ['systemPrompt', { messages: [user(text)], maxTokens: 1, systemPrompt: 7 }],
    ['stopSequences', { messages: [user(text)], maxTokens: 1, stopSequences: [1] }],
    ['tools', { messages: [user(text)], maxTokens: 1, tools: [{ name: 't' }] }],
    ['tool_use', { messages: [assistant({ type: 'tool_use', id: 'a' })], maxTokens: 1 }],
    ['mixes', { messages: [assistant(use), user(result, text)], maxTokens: 1 }],
    ['not open', { messages: [user(result)], maxTokens: 1 }],
    ['without tool_result', { messages: [assistant(use), user(text)], maxTokens: 1 }],
  ])('with bad %s is refused with -32602 that names it: %j [sampling-invalid]', (named, params) => {
    expect(() => readSamplingRequest(params as Record<string, unknown>)).toThrow(problem(-32602, named));
  });
});
