import { describe, expect, it } from 'vitest';
import type { SamplingReview } from '../../../../src/client/sampling/ports.ts';
import type { SecretMark } from '../../../../src/client/sampling/secretMarks.ts';
import type { SamplingContent, SamplingRequest } from '../../../../src/protocol/mcp/sampling.ts';
import { editableText, replaceText, toConsentView } from '../../../../src/host/consent/samplingView.ts';
import { sampleReview } from '../../../fixtures/samplingHost.ts';

const { facts } = sampleReview;

function viewOf(request: Partial<SamplingRequest>, more: Partial<SamplingReview> = {}) {
  return toConsentView({ ...sampleReview, request: { messages: [], maxTokens: 1, ...request }, ...more });
}

it('shows a tool by the name the model gets, with its titles beside', () => {
  const inputSchema = { type: 'object' };
  const { tools } = viewOf({
    tools: [
      { name: 'delete_all', title: 'List files', annotations: { title: 'Ls', readOnlyHint: true }, inputSchema },
      { name: 'plain', inputSchema },
    ],
  });
  expect(tools.map(({ name, titles }) => [name, titles])).toEqual([
    ['delete_all', ['List files', 'Ls']],
    ['plain', []],
  ]);
});

it('shows what is said of a tool, what tools gave, and the metadata [sampling-parts]', () => {
  const view = viewOf({
    metadata: { user: 'a' },
    tools: [
      {
        name: 'weather',
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object', required: ['high'] },
        annotations: { readOnlyHint: true },
      },
      { name: 'plain', inputSchema: {} },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'tool_result', toolUseId: 'a', isError: true, structuredContent: { high: 24 }, content: [] },
          { type: 'tool_result', toolUseId: 'b', content: [] },
        ],
      },
    ],
  });
  expect(JSON.parse(view.metadata ?? '')).toEqual({ user: 'a' });
  expect(view.tools[0]?.claims).toMatch(/the tool changes nothing\.$/);
  expect(JSON.parse(view.tools[0]?.outputSchema ?? '')).toMatchObject({ required: ['high'] });
  expect(view.tools[1]).toMatchObject({ claims: undefined, outputSchema: undefined });
  expect(view.messages[0]?.content).toMatchObject([
    { kind: 'toolResult', isError: true, structured: { members: expect.anything() as unknown } },
    { kind: 'toolResult', isError: false, structured: undefined },
  ]);
});

it('cannot be approved where its metadata cannot be shown whole', () => {
  const view = viewOf({ metadata: { long: 'x'.repeat(3_000_000) } });
  expect(view.unreviewable).toMatch(/too long/);
  expect(view.metadata).toBeUndefined();
});

it.each([
  ['many members', Array.from({ length: 450_000 }, () => ({}))],
  ['many members at depth', Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 1))],
])('cannot be approved with %s, which are not laid out', (_name, rows) => {
  const reason = 'It has more than 50,000 parts, too many to review.';
  const input = { type: 'tool_use', id: 'a', name: 'b', input: { rows } } as const;
  const view = viewOf({ systemPrompt: 'x', messages: [{ role: 'assistant', content: [input] }] });
  expect(view).toMatchObject({ unreviewable: reason, messages: [], systemPrompt: '' });
  expect(viewOf({ metadata: { rows } })).toMatchObject({ unreviewable: reason, metadata: undefined });
  expect(viewOf({ tools: [{ name: 'a', inputSchema: { enum: rows } }] }).unreviewable).toBe(reason);
});

describe('what may be secret', () => {
  const mark: SecretMark = { kind: 'envFile', what: 'KEY of .env', value: '', places: ['metadata'], isMaskable: true };

  it.each([
    ['a-long-secret-value', 'a-lo…ue'],
    ['12345678', '12…8'],
    ['abcd', 'a…'],
    ['\u{1F511}secret-of-a-key', '\u{1F511}se…ey'],
  ])('is shown as a part of %s only', (value, excerpt) => {
    expect(viewOf({}, { marks: [{ ...mark, value }] }).marks).toEqual([
      { what: 'KEY of .env', places: ['metadata'], value, excerpt, mask: '[masked: KEY of .env]', isMaskable: true },
    ]);
  });

  it('allows no rule where it cannot be masked', () => {
    expect(viewOf({}, { marks: [mark] }).noRuleBecause).toBeUndefined();
    const unmaskable = { ...mark, isMaskable: false };
    expect(viewOf({}, { marks: [unmaskable] }).noRuleBecause).toMatch(/cannot be masked/);
    const special = { ...facts, special: 'it has images' };
    const view = viewOf({}, { marks: [unmaskable], facts: special });
    expect(view.noRuleBecause).toBe('No rule covers such a request, as it has images.');
    expect(viewOf({}, { definition: undefined }).noRuleBecause).toBe('No rule covers what an app asks.');
  });
});

it.each([
  [899_000, false, '899,000 of 1,000,000 tokens for today are used.'],
  [999_899, false, '999,899 of 1,000,000 tokens for today are used.'],
  [999_900, true, '999,900 of 1,000,000 tokens for today are used. Approving exceeds this limit.'],
  [1_000_123, true, '1,000,123 of 1,000,000 tokens for today are used. Approving exceeds this limit.'],
])('says whether a request of 101 tokens fits into the day after %i', (used, isExceeded, text) => {
  expect(viewOf({}, { budget: { used, limit: 1_000_000 } }).budget).toEqual({ text, isExceeded });
  expect(viewOf({}).budget).toBeUndefined();
});

it('says where each model is, what it costs, and what it does not take', () => {
  const bare = { vendor: 'v', family: 'f', maxInputTokens: 0 };
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
  const sound = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } as const;
  const { models, suggestedModel } = viewOf(
    { maxTokens: 500, messages: [{ role: 'user', content: [image, sound] }], tools: [{ name: 't', inputSchema: {} }] },
    {
      suggestedModel: 'a',
      models: [
        { ...bare, id: 'a', name: 'A', destination: 'a.example', price: { input: 1, output: 4 } },
        { ...bare, id: 'b', name: 'B', destination: '[::1]:80', price: { input: 0, output: 0 }, abilities: {} },
        { ...bare, id: 'c', name: 'C', destination: 'c.example', price: { input: 0, output: 0 } },
        { ...bare, id: 'd', name: 'D', destination: 'localhost:1', abilities: { audio: false } },
        { ...bare, id: 'e', name: 'E', abilities: { image: false, audio: true, tools: false } },
      ],
    },
  );
  expect(suggestedModel).toBe('a');
  const tokens = 'about 100 tokens, up to 500 more for the answer';
  expect(models.map(({ detail, cost, problem }) => [detail, cost, problem])).toEqual([
    ['a.example, $1.00 in, $4.00 out per million tokens', `${tokens}; at most $0.0021`, undefined],
    ['[::1]:80', `${tokens}; free on this computer`, undefined],
    ['c.example', `${tokens}; free`, undefined],
    ['localhost:1', `${tokens}; price unknown`, 'This model does not take sound, which this request has.'],
    ['v', `${tokens}; price unknown`, 'This model does not take images or tools, which this request has.'],
  ]);
});

const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;

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
