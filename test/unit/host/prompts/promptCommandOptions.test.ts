import { describe, expect, it } from 'vitest';
import { checkPromptArguments, readPromptCommandOptions } from '../../../../src/host/prompts/promptFeature.ts';

describe('readPromptCommandOptions', () => {
  it('takes nothing, and what a keybinding writes', () => {
    expect(readPromptCommandOptions(undefined)).toEqual({ arguments: {}, then: 'show' });
    expect(readPromptCommandOptions(null)).toEqual({ arguments: {}, then: 'show' });
    const given = { arguments: { name: 'Ada', language: '' }, then: 'editor' };
    expect(readPromptCommandOptions(given)).toEqual(given);
  });

  it('takes a row of the tree, whose other members it ignores', () => {
    expect(readPromptCommandOptions({ kind: 'prompt', server: 'demo', prompt: 'greet', item: {} })).toEqual({
      arguments: {},
      then: 'show',
    });
  });

  it.each([
    ['text', /must be an object/],
    [{ arguments: [] }, /"arguments" must be an object/],
    [{ arguments: { a: 'x', days: 3 } }, /"arguments\.days" must be a text/],
    [{ then: 'fax' }, /"then" must be one of "show", "editor", "clipboard", "chat", "model"/],
  ])('refuses %j, saying what is wrong', (argument, message) => {
    expect(() => readPromptCommandOptions(argument)).toThrow(message);
  });
});

describe('checkPromptArguments', () => {
  it('names an argument the prompt does not have, and those it has', () => {
    const prompt = { name: 'greet', arguments: [{ name: 'name' }, { name: 'language' }] };
    expect(() => checkPromptArguments(prompt, { name: 'Ada' })).not.toThrow();
    expect(() => checkPromptArguments(prompt, { nmae: 'Ada' })).toThrow(
      'no argument "nmae". It takes "name", "language".',
    );
    expect(() => checkPromptArguments({ name: 'plain' }, { a: '' })).toThrow('It takes none.');
  });
});
