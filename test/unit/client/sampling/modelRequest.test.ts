import { describe, expect, it } from 'vitest';
import { chooseModel } from '../../../../src/client/sampling/modelChoice.ts';
import { applyEdits, factsOf, type RequestEdits } from '../../../../src/client/sampling/modelRequest.ts';
import type { ModelInfo } from '../../../../src/models/modelGateway.ts';
import type { ModelPreferences, SamplingRequest } from '../../../../src/protocol/mcp/sampling.ts';

const models: ModelInfo[] = [
  ['gpt-4o', 'GPT-4o', 'gpt-4o'],
  ['gpt-4o-mini', 'GPT-4o mini', 'gpt-4o-mini'],
  ['claude-opus-4', 'Claude Opus 4', 'claude-opus'],
  ['gemini-2-flash', 'Gemini 2 Flash', 'gemini'],
].map(([id = '', name = '', family = '']) => ({ id, name, family, vendor: 'v', maxInputTokens: 1 }));

describe('choosing a model', () => {
  it.each<[string, ModelPreferences | undefined, string]>([
    ['takes the first model without any preference', undefined, 'gpt-4o'],
    ['follows a hint that is part of a name', { hints: [{ name: 'claude' }] }, 'claude-opus-4'],
    [
      'takes hints in their order',
      { hints: ['llama', 'gemini', 'claude'].map((name) => ({ name })) },
      'gemini-2-flash',
    ],
    ['prefers hints to priorities [sampling-model]', { hints: [{ name: 'opus' }], costPriority: 1 }, 'claude-opus-4'],
    ['weighs priorities among the models of a hint', { hints: [{ name: 'gpt' }], costPriority: 1 }, 'gpt-4o-mini'],
    ['ignores empty hints', { hints: [{ name: '' }, {}] }, 'gpt-4o'],
    ['takes a small model for cost', { costPriority: 0.9, intelligencePriority: 0.1 }, 'gpt-4o-mini'],
    ['takes a small model for speed', { speedPriority: 1 }, 'gpt-4o-mini'],
    ['takes a large model for intelligence', { intelligencePriority: 0.8, speedPriority: 0.2 }, 'claude-opus-4'],
    ['takes the first one where priorities are equal', { costPriority: 0.5, intelligencePriority: 0.5 }, 'gpt-4o'],
  ])('%s', (_, preferences, expected) => {
    expect(chooseModel(models, preferences, undefined)?.model.id).toBe(expected);
  });

  it('does not take "gemini" for a mini model', () => {
    const onlyGemini = models
      .filter(({ family }) => family === 'gemini')
      .map((model) => ({ ...model, id: 'gemini', name: 'Gemini' }));
    expect(chooseModel(onlyGemini, { costPriority: 1 }, undefined)?.because).toContain('first');
  });

  it('finds nothing among nothing', () => {
    expect(chooseModel([], { hints: [{ name: 'x' }] }, undefined)).toBeUndefined();
  });

  it('takes the model that the person chose for the server before everything the server says', () => {
    const preferences = { hints: [{ name: 'claude' }], intelligencePriority: 1 };
    const chosen = { model: { id: 'gpt-4o-mini' }, because: 'you chose it for this server' };
    expect(chooseModel(models, preferences, 'gpt-4o-mini')).toMatchObject(chosen);
    expect(chooseModel(models, preferences, 'gone')?.model.id).toBe('claude-opus-4');
  });

  it('says what the server wants, the most important first', () => {
    const match = chooseModel(models, { speedPriority: 0.2, intelligencePriority: 0.8 }, undefined);
    expect(match?.because).toBe('the server wants intelligence (80 %), then speed (20 %)');
  });

  it('goes by prices where all are known', () => {
    const prices = [2, 9, 0.5, 3];
    const priced = models.map((model, at) => ({ ...model, price: { input: prices[at] ?? 0, output: 1 } }));
    expect(chooseModel(priced, { costPriority: 1 }, undefined)?.model.id).toBe('claude-opus-4');
    // One without a price: names decide again.
    const incomplete = priced.map((model, at) => (at === 0 ? { ...model, price: undefined } : model));
    expect(chooseModel(incomplete, { costPriority: 1 }, undefined)?.model.id).toBe('gpt-4o-mini');
  });

  it('reads as many hints as the panel shows', () => {
    const hints = [...Array.from({ length: 20 }, () => ({ name: 'llama' })), { name: 'claude' }];
    expect(chooseModel(models, { hints }, undefined)?.because).toContain('first');
  });

  it('takes priorities beyond 0 to 1, and those that are no numbers, for the nearest that is allowed', () => {
    const none = { costPriority: Number.NaN, intelligencePriority: -4 };
    expect(chooseModel(models, none, undefined)?.because).toContain('first');
    expect(chooseModel(models, { costPriority: 1e9 }, undefined)?.because).toContain('low cost (100 %)');
  });
});

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
    const others = { systemPrompt: 'other', maxTokens: 7 };
    const edited = await apply(request, { ...others, messages: [['1', undefined], ['2']], masked: [] });
    expect(edited).toEqual({
      ...request,
      ...others,
      messages: [
        { role: 'user', content: [{ type: 'text', text: '1', annotations: { priority: 1 } }, picture] },
        { role: 'assistant', content: [{ type: 'text', text: '2' }] },
      ],
    });
  });

  it('takes out what was emptied', async () => {
    const edited = await apply(request, { ...unchanged, messages: [['', undefined], ['']], systemPrompt: '' });
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
