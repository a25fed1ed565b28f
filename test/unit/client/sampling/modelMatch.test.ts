import { describe, expect, it } from 'vitest';
import { matchModel } from '../../../../src/client/sampling/samplingPolicy.ts';
import type { ModelInfo } from '../../../../src/client/sampling/ports.ts';
import type { ModelPreferences } from '../../../../src/protocol/mcp/sampling.ts';

const models: ModelInfo[] = [
  ['gpt-4o', 'GPT-4o', 'gpt-4o'],
  ['gpt-4o-mini', 'GPT-4o mini', 'gpt-4o-mini'],
  ['claude-opus-4', 'Claude Opus 4', 'claude-opus'],
  ['gemini-2-flash', 'Gemini 2 Flash', 'gemini'],
].map(([id = '', name = '', family = '']) => ({ id, name, family, vendor: 'v', maxInputTokens: 1 }));

describe('matching a model', () => {
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
    expect(matchModel(models, preferences)?.model.id).toBe(expected);
  });

  it('does not take "gemini" for a mini model', () => {
    const onlyGemini = models
      .filter(({ family }) => family === 'gemini')
      .map((model) => ({ ...model, id: 'gemini', name: 'Gemini' }));
    expect(matchModel(onlyGemini, { costPriority: 1 })?.because).toContain('first');
  });

  it('finds nothing among nothing', () => {
    expect(matchModel([], { hints: [{ name: 'x' }] })).toBeUndefined();
  });
});
