import { describe, expect, it } from 'vitest';
import { applyEdits, factsOf, type RequestEdits } from '../../../../src/client/sampling/modelRequest.ts';
import type { SamplingRequest } from '../../../../src/protocol/mcp/sampling.ts';

const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
const request: SamplingRequest = {
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'one', annotations: { priority: 1 } }, picture] },
    { role: 'assistant', content: [{ type: 'text', text: 'two' }] },
  ],
  maxTokens: 100,
  systemPrompt: 'system',
  temperature: 0.5,
};
const unchanged = { messages: [['one', undefined], ['two']], systemPrompt: 'system', maxTokens: 100, masked: [] };
const mask = () => Promise.reject(new Error('Nothing is masked.'));
const apply = (to: SamplingRequest, edits: RequestEdits) => applyEdits(to, edits, { find: mask, mask });

describe('applyEdits', () => {
  it('leaves an unedited request as it is', async () => {
    expect(await apply(request, unchanged)).toEqual(request);
  });

  it('replaces text and keeps the rest of a block', async () => {
    const edited = await apply(request, {
      messages: [['1', undefined], ['2']],
      systemPrompt: 'other',
      maxTokens: 7,
      masked: [],
    });
    expect(edited).toEqual({
      ...request,
      systemPrompt: 'other',
      maxTokens: 7,
      messages: [
        { role: 'user', content: [{ type: 'text', text: '1', annotations: { priority: 1 } }, picture] },
        { role: 'assistant', content: [{ type: 'text', text: '2' }] },
      ],
    });
  });

  it('takes out what was emptied', async () => {
    const edited = await apply(request, {
      messages: [['', undefined], ['']],
      systemPrompt: '',
      maxTokens: 100,
      masked: [],
    });
    expect(edited?.messages).toEqual([{ role: 'user', content: [picture] }]);
    expect(edited).not.toHaveProperty('systemPrompt');
  });

  it.each([
    ['more tokens than asked for', { ...unchanged, maxTokens: 101 }],
    ['a message more', { ...unchanged, messages: [...unchanged.messages, ['three']] }],
    ['a message less', { ...unchanged, messages: [['one', undefined]] }],
    ['a block less', { ...unchanged, messages: [['one'], ['two']] }],
    ['text in place of a picture', { ...unchanged, messages: [['one', 'x'], ['two']] }],
  ])('refuses %s', async (_name, edits) => {
    expect(await apply(request, edits)).toBeUndefined();
  });

  it('refuses to send nothing', async () => {
    const [, second] = request.messages;
    const textOnly = { ...request, messages: second === undefined ? [] : [second] };
    expect(await apply(textOnly, { ...unchanged, messages: [['']] })).toBeUndefined();
  });
});

it('estimates the tokens of a part of a long request, and counts the rest as no fewer', async () => {
  const content = Array.from({ length: 200 }, () => ({ type: 'text', text: 'x'.repeat(100_000) }) as const);
  let estimated = 0;
  const facts = await factsOf({ messages: [{ role: 'user', content }], maxTokens: 1 }, (text) => {
    estimated += text.length;
    return Math.ceil(text.length / 4);
  });
  expect(estimated).toBeLessThan(1_000_000);
  expect(facts.estimatedTokens).toBeGreaterThan(19_000_000);
});
