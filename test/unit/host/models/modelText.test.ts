import { describe, expect, it } from 'vitest';
import { modelChoices, serverChoices } from '../../../../src/host/models/addModel.ts';
import { parsePrice } from '../../../../src/host/models/modelQuestions.ts';
import { describeModel, describePrice, describeTest, type ModelTest } from '../../../../src/host/models/modelText.ts';

describe('a price', () => {
  it.each([
    ['0.15, 0.60', 0.15, 0.6],
    ['0.15,0.60', 0.15, 0.6],
    ['$3 $15', 3, 15],
    [' 3; 15.5 ', 3, 15.5],
    ['0, 0', 0, 0],
  ])('is read from %j', (text, input, output) => expect(parsePrice(text)).toEqual({ input, output }));

  it.each(['0,15, 0,60', '1,5', '3', '-1, 2', '1, 2, 3', '1e3, 2', '9999999, 1', 'free'])(
    'is not guessed from %j',
    (text) => expect(parsePrice(text)).toMatch(/^Two numbers/),
  );

  it('that is left empty is not known', () => {
    expect(parsePrice('  ')).toBeUndefined();
    expect(describePrice(undefined)).toBe('price not known');
  });

  it('is shown with as many decimals as it needs', () => {
    expect(describePrice({ input: 0.15, output: 10 })).toBe('$0.15 in, $10.00 out per million tokens');
    expect(describePrice({ input: 0.0375, output: 0.5 })).toBe('$0.0375 in, $0.50 out per million tokens');
    expect(describePrice({ input: 0, output: 0 })).toBe('no cost');
  });
});

describe('the outcome of a test', () => {
  const answer = (text: string, inputTokens?: number, outputTokens?: number): ModelTest => ({
    kind: 'answered',
    milliseconds: 12_345,
    answer: {
      result: { role: 'assistant', content: [{ type: 'text', text }], model: 'm' },
      usage: { inputTokens, outputTokens },
    },
  });

  it('has the answer, the time, the tokens and the cost', () => {
    expect(describeTest(answer('ready', 20, 2), { input: 0.15, output: 0.6 })).toBe(
      'Answered “ready” in 12.3 s; 20 + 2 tokens; $0.0000042',
    );
    expect(describeTest(answer('ready', 20, 2), undefined)).toContain('cost not known');
    expect(describeTest(answer('ready', 20), { input: 1, output: 1 })).toContain(
      'tokens not counted by the provider; cost not known',
    );
  });

  it('says that a model used its few tokens for something else than a text', () => {
    expect(describeTest(answer('', 20, 16), undefined)).toMatch(/^Answered without a text within 16 tokens in/);
  });

  it('shows what an endpoint says in one line, bounded, with hidden characters visible', () => {
    const shown = describeTest(answer(`a\nb\u202e${'x'.repeat(100_000)}`), undefined);
    expect(shown).toMatch(/^Answered “a b⟨U\+202E⟩x+…” in/);
    expect(shown.length).toBeLessThan(250);
    expect(describeTest({ kind: 'failed', message: 'y\n'.repeat(10_000) }, undefined).length).toBeLessThanOrEqual(
      1_000,
    );
  });
});

describe('what can be chosen', () => {
  it('says what a provider says of its models', () => {
    const abilities = { image: true, audio: true, tools: true };
    expect(describeModel({ id: 'm', contextTokens: 8_192, price: { input: 1, output: 2 }, abilities })).toBe(
      '8,192 tokens, $1.00 in, $2.00 out per million tokens, takes images and audio',
    );
    expect(modelChoices([{ id: 'gpt-4o', name: 'GPT-4o' }]).rows[0]).toMatchObject({
      label: 'GPT-4o',
      description: 'gpt-4o',
    });
  });

  it('is the name of a model where a list is empty', () => {
    expect(modelChoices([]).rows).toMatchObject([
      { label: 'Enter the Name of the Model…', detail: 'The list is empty.' },
    ]);
  });

  it('is a key where one is wanted', () => {
    const { placeholder, rows } = modelChoices([], 'It wants a key.', true);
    expect(placeholder).toBe('The models cannot be listed');
    expect(rows).toMatchObject([
      { label: 'Enter the Key…', detail: 'It wants a key.', value: 'key' },
      { label: 'Enter the Name of the Model…', value: 'typed' },
    ]);
    expect(rows[1]).not.toHaveProperty('detail');
  });

  it('is no program without a model, but what to do there', () => {
    const empty = { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: [] };
    expect(serverChoices([empty])).toMatchObject({
      placeholder: expect.stringMatching(/^Ollama has no model yet: load one/),
      rows: [{ label: 'Look Again' }],
    });
  });
});
