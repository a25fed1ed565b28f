import { describe, expect, it } from 'vitest';
import { chooseModel } from '../../../../src/client/sampling/modelChoice.ts';
import type { ModelInfo } from '../../../../src/models/modelGateway.ts';
import type { ModelPreferences } from '../../../../src/protocol/mcp/sampling.ts';

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
      { hints: [{ name: 'llama' }, { name: 'gemini' }, { name: 'claude' }] },
      'gemini-2-flash',
    ],
    ['prefers hints to priorities [sampling-model]', { hints: [{ name: 'opus' }], costPriority: 1 }, 'claude-opus-4'],
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
    expect(chooseModel(models, preferences, 'gpt-4o-mini')).toMatchObject({
      model: { id: 'gpt-4o-mini' },
      because: 'you chose it for this server',
    });
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

  it('weighs all priorities among the models of a hint', () => {
    expect(chooseModel(models, { hints: [{ name: 'gpt' }], costPriority: 1 }, undefined)?.model.id).toBe('gpt-4o-mini');
  });

  it('takes priorities beyond 0 to 1, and those that are no numbers, for the nearest that is allowed', () => {
    expect(chooseModel(models, { costPriority: Number.NaN, intelligencePriority: -4 }, undefined)?.because).toContain(
      'first',
    );
    expect(chooseModel(models, { costPriority: 1e9 }, undefined)?.because).toContain('low cost (100 %)');
  });
});
