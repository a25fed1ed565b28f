import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../../src/host/tools/argumentText.ts';

describe('parseArguments', () => {
  it('takes comments and trailing commas', () => {
    expect(parseArguments('// c\n{ "a": [1, 2,], /* d */ }')).toMatchObject({ kind: 'ok', args: { a: [1, 2] } });
  });

  it.each([
    ['', 'Value expected.'],
    ['[1]', 'Arguments are an object: { … }.'],
    ['{ "a": }', 'Value expected.'],
    ['{ "a" 1 }', 'Colon expected.'],
  ])('says what is wrong with %j', (text, message) => {
    const parsed = parseArguments(text);
    expect(parsed.kind === 'broken' && parsed.problems.map((problem) => problem.message)).toContain(message);
  });

  it('finds the place of a problem, or the nearest there is', () => {
    const text = '{ "list": [1, "two"], "inner": {} }';
    const parsed = parseArguments(text);
    if (parsed.kind !== 'ok') throw new Error('broken');
    const at = (path: string[]): string => {
      const { offset, length, message } = parsed.locate({ path, message: 'is wrong' });
      return `${text.slice(offset, offset + length)} ${message}`;
    };
    expect(at(['list', '1'])).toBe('"two" is wrong');
    expect(at(['inner', 'name'])).toBe('{} name is wrong');
    expect(at(['missing'])).toBe('{ missing is wrong');
    expect(at([])).toBe('{ is wrong');
  });
});
