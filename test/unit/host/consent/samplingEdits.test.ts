import { describe, expect, it } from 'vitest';
import { applyConsentEdits, editableText, replaceText } from '../../../../src/host/consent/samplingView.ts';
import type { SamplingContent, SamplingRequest } from '../../../../src/protocol/mcp/sampling.ts';

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
const unchanged = { messages: [['one', undefined], ['two']], systemPrompt: 'system', maxTokens: 100 };

describe('applyConsentEdits', () => {
  it('leaves an unedited request as it is', () => {
    expect(applyConsentEdits(request, unchanged)).toEqual(request);
  });

  it('replaces text and keeps the rest of a block', () => {
    const edited = applyConsentEdits(request, {
      messages: [['1', undefined], ['2']],
      systemPrompt: 'other',
      maxTokens: 7,
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

  it('takes out what was emptied', () => {
    const edited = applyConsentEdits(request, { messages: [['', undefined], ['']], systemPrompt: '', maxTokens: 100 });
    expect(edited?.messages).toEqual([{ role: 'user', content: [picture] }]);
    expect(edited).not.toHaveProperty('systemPrompt');
  });

  it.each([
    ['more tokens than asked for', { ...unchanged, maxTokens: 101 }],
    ['a message more', { ...unchanged, messages: [...unchanged.messages, ['three']] }],
    ['a message less', { ...unchanged, messages: [['one', undefined]] }],
    ['a block less', { ...unchanged, messages: [['one'], ['two']] }],
    ['text in place of a picture', { ...unchanged, messages: [['one', 'x'], ['two']] }],
  ])('refuses %s', (_name, edits) => {
    expect(applyConsentEdits(request, edits)).toBeUndefined();
  });

  it('refuses to send nothing', () => {
    const [, second] = request.messages;
    const textOnly = { ...request, messages: second === undefined ? [] : [second] };
    expect(applyConsentEdits(textOnly, { ...unchanged, messages: [['']] })).toBeUndefined();
  });
});

describe('replaceText', () => {
  const content: readonly SamplingContent[] = [
    picture,
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
    picture,
  ];

  it('gives unedited content back untouched', () => {
    expect(replaceText(content, editableText(content))).toBe(content);
  });

  it('puts the new text where the first one was', () => {
    expect(replaceText(content, 'new')).toEqual([picture, { type: 'text', text: 'new' }, picture]);
    expect(replaceText([picture], 'new')).toEqual([{ type: 'text', text: 'new' }, picture]);
  });

  it('never leaves an answer without content', () => {
    expect(replaceText([{ type: 'text', text: 'a' }], '')).toEqual([{ type: 'text', text: '' }]);
    expect(replaceText(content, '')).toEqual([picture, picture]);
  });
});
