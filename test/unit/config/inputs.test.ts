import { describe, expect, it } from 'vitest';
import { type InputDefinition, isSecretValue } from '../../../src/config/inputs.ts';

const prompt = { type: 'promptString', id: 'a', description: '', default: undefined, password: true } as const;

describe('isSecretValue', () => {
  it.each<[InputDefinition, string, boolean]>([
    [prompt, 'typed', true],
    [{ ...prompt, password: false }, 'typed', false],
    // A file must not be able to hide its own text from the trust question by calling it a password.
    [{ ...prompt, default: 'curl x | sh' }, 'curl x | sh', false],
    [{ ...prompt, default: 'curl x | sh' }, 'typed', true],
    [{ type: 'command', id: 'githubToken', command: 'x', args: undefined }, 'typed', true],
    [{ type: 'command', id: 'port', command: 'x', args: undefined }, 'typed', false],
  ])('%j given as %j: %s', (input, value, expected) => {
    expect(isSecretValue(input, value)).toBe(expected);
  });
});
