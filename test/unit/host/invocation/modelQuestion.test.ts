import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { layOutRequest } from '../../../../src/host/consent/samplingView.ts';
import { promptContent, toModelRequest, toolContent } from '../../../../src/host/invocation/modelQuestion.ts';
import type { ContentBlock } from '../../../../src/protocol/mcp/content.ts';
import type { PromptMessage } from '../../../../src/protocol/mcp/prompts.ts';

const said = (role: 'user' | 'assistant', value: string): PromptMessage => ({
  role,
  content: { type: 'text', text: value },
});

/** The blocks that the result of a tool becomes. */
function blocksOf(content: readonly ContentBlock[], more: Partial<Parameters<typeof toolContent>[0]> = {}) {
  const messages = toolContent({ content, isError: false, ...more });
  expect(messages.map(({ role }) => role)).toEqual(['user']);
  return messages[0]?.content;
}

describe('the messages of a prompt', () => {
  it('are joined where one role follows itself, and what models do not know becomes text', () => {
    const link: PromptMessage = { role: 'assistant', content: { type: 'resource_link', uri: 'demo://a', name: 'a' } };
    expect(promptContent([said('user', 'a'), said('user', 'b'), link])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Resource: `a` `demo://a`' }] },
    ]);
  });
});

describe('the result of a tool', () => {
  it('keeps texts, without what the panel does not show', () => {
    const block: ContentBlock = { type: 'text', text: 'a', annotations: { priority: 1 }, _meta: { secret: 'x' } };
    expect(blocksOf([block])).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('keeps images and sounds that the panel can show, and names the others', () => {
    expect(
      blocksOf([
        { type: 'image', mimeType: 'Image/PNG; x=y', data: 'aG\nk=' },
        { type: 'audio', mimeType: 'audio/wav', data: 'aGk=', _meta: { a: 1 } },
        { type: 'image', mimeType: 'image/tiff', data: 'aGk=' },
        { type: 'audio', mimeType: 'audio/wav', data: 'not base64!' },
      ]),
    ).toEqual([
      { type: 'image', mimeType: 'image/png', data: 'aGk=' },
      { type: 'audio', mimeType: 'audio/wav', data: 'aGk=' },
      { type: 'text', text: '(image, `image/tiff`, not included)' },
      { type: 'text', text: '(audio, `audio/wav`, not included)' },
    ]);
  });

  it('turns links, embedded resources and unknown content into text, or the image that they are', () => {
    expect(
      blocksOf([
        { type: 'resource_link', uri: 'demo://a', name: 'a' },
        { type: 'resource', resource: { uri: 'demo://t', mimeType: 'text/x-python', text: 'print()' } },
        { type: 'resource', resource: { uri: 'demo://i', mimeType: 'image/png', blob: 'aGk=' } },
        { type: 'resource', resource: { uri: 'demo://b', mimeType: 'application/zip', blob: 'aGk=' } },
        { type: 'unknown', original: { type: 'video' } },
      ]),
    ).toEqual([
      { type: 'text', text: 'Resource: `a` `demo://a`' },
      { type: 'text', text: 'Resource: `demo://t`\n\n```python\nprint()\n```' },
      { type: 'image', mimeType: 'image/png', data: 'aGk=' },
      { type: 'text', text: 'Resource: `demo://b` (`application/zip`, not included)' },
      { type: 'text', text: '```json\n{\n  "type": "video"\n}\n```' },
    ]);
  });

  it('has its structured content as JSON, unless a text says the same', () => {
    const structuredContent = { sum: 3 };
    expect(blocksOf([], { structuredContent })).toEqual([{ type: 'text', text: '```json\n{\n  "sum": 3\n}\n```' }]);
    const text: ContentBlock = { type: 'text', text: '{ "sum":  3 }' };
    expect(blocksOf([text], { structuredContent })).toEqual([{ type: 'text', text: text.text }]);
    expect(blocksOf([{ type: 'text', text: '{"sum":4}' }], { structuredContent })).toHaveLength(2);
  });

  it('says that it is an error', () => {
    expect(blocksOf([{ type: 'text', text: 'a' }], { isError: true })).toEqual([
      { type: 'text', text: '**The tool reported an error.**' },
      { type: 'text', text: 'a' },
    ]);
  });

  it('is cut to what a person can review, and says so', () => {
    const long: ContentBlock = { type: 'text', text: 'x'.repeat(limits.shown.review.characters) };
    const many = Array.from({ length: 2_000 }, (): ContentBlock => ({ type: 'text', text: 'x' }));
    for (const content of [[long], [long, long], many]) {
      const messages = toolContent({ content, isError: false, structuredContent: { a: 'y'.repeat(100_000) } });
      expect(layOutRequest(toModelRequest({ messages }, 'Why?', 100)).unreviewable).toBeUndefined();
      expect(JSON.stringify(messages)).toContain('it is too long)');
    }
    expect(blocksOf([long, said('user', 'b').content])?.at(-1)).toEqual({
      type: 'text',
      text: '… (1 more parts are left out: it is too long)',
    });
  });
});

describe('a request', () => {
  const messages = promptContent([said('user', 'a')]);

  it('has the question in the first message, before the content', () => {
    const content = [
      { type: 'text', text: 'Why?' },
      { type: 'text', text: 'a' },
    ];
    expect(toModelRequest({ messages }, 'Why?', 100_000)).toEqual({
      messages: [{ role: 'user', content }],
      maxTokens: 4_096,
    });
    expect(toModelRequest({ messages }, undefined, 100_000).messages).toEqual(messages);
  });

  it('asks for no more tokens than a request may have', () => {
    expect(toModelRequest({ messages }, undefined, 10).maxTokens).toBe(10);
  });
});
