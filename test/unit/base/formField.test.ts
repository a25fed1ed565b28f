import { describe, expect, it } from 'vitest';
import { type FormField, fieldProblem, type TextFormat } from '../../../src/base/formField.ts';

const base = { name: 'f', title: undefined, description: undefined, isRequired: false };
const text = {
  ...base,
  kind: 'text',
  format: undefined,
  minLength: undefined,
  maxLength: undefined,
  pattern: undefined,
  default: undefined,
} as const;
const number = { ...base, kind: 'number', isInteger: false, minimum: 1, maximum: 5, default: undefined } as const;
const options = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
];
const choices = { ...base, kind: 'choices', options, minItems: undefined, maxItems: 1, default: undefined } as const;

const anyText = { format: undefined, minLength: undefined, maxLength: undefined, pattern: undefined };
const list: FormField = {
  ...base,
  kind: 'list',
  entries: anyText,
  minItems: undefined,
  maxItems: 2,
  isUnique: true,
  default: undefined,
};

describe('a value that fits its field', () => {
  it.each<[FormField, unknown]>([
    [text, ''],
    [{ ...text, minLength: 2, maxLength: 2 }, '👍🏽'],
    // Patterns are checked by the checker process.
    [{ ...text, pattern: '^[a-z]+$' }, 'A'],
    [number, 1],
    [number, 5],
    [{ ...number, isInteger: true }, 3],
    [{ ...base, kind: 'boolean', default: undefined }, false],
    [{ ...base, kind: 'choice', options, default: undefined }, 'b'],
    [choices, []],
    [choices, ['a']],
    [list, []],
    [list, ['x', 'y']],
    [text, undefined],
  ])('%j: %j', (field, value) => {
    expect(fieldProblem(field, value)).toBeUndefined();
  });

  it.each<[TextFormat, string]>([
    ['email', 'first.last+tag@sub.example.com'],
    ['email', 'jürgen@example.org'],
    ['uri', 'https://example.com/a?b=c#d'],
    ['uri', 'urn:isbn:0451450523'],
    ['date', '2024-02-29'],
    ['date-time', '2026-03-14T09:30:00Z'],
    ['date-time', '2026-03-14t09:30:00.25+01:00'],
    ['date-time', '1990-12-31T23:59:60Z'],
  ])('format %s: %s', (format, value) => {
    expect(fieldProblem({ ...text, format }, value)).toBeUndefined();
  });
});

describe('a value that does not fit is told what to enter', () => {
  it.each<[FormField, unknown, string]>([
    [{ ...text, isRequired: true }, undefined, 'Fill this in.'],
    [text, 5, 'Enter a text.'],
    [{ ...list, isRequired: true }, undefined, 'Enter at least one text.'],
    [list, 'x', 'Enter texts, one a line.'],
    [list, ['x', 1], 'Enter texts, one a line.'],
    [list, ['x', 'x'], 'Enter each text once.'],
    [list, ['x', 'y', 'z'], 'Enter at most 2 texts.'],
    [{ ...list, minItems: 1 }, [], 'Enter at least 1 text.'],
    [
      { ...list, entries: { ...anyText, format: 'email' } },
      ['a@example.com', 'b'],
      'Entry 2: Enter an email address, such as name@example.com.',
    ],
    [{ ...text, minLength: 1 }, '', 'Enter at least 1 character.'],
    [{ ...text, maxLength: 2 }, 'abc', 'Enter at most 2 characters.'],
    [number, 0, 'Enter a number from 1 to 5.'],
    [{ ...number, isInteger: true, minimum: undefined }, 1.5, 'Enter a whole number of at most 5.'],
    [{ ...number, maximum: undefined }, '3', 'Enter a number of at least 1.'],
    [{ ...number, minimum: undefined, maximum: undefined }, Number.NaN, 'Enter a number.'],
    [{ ...base, isRequired: true, kind: 'boolean', default: undefined }, undefined, 'Choose yes or no.'],
    [{ ...base, kind: 'boolean', default: undefined }, 'true', 'Choose yes or no.'],
    [{ ...base, isRequired: true, kind: 'choice', options, default: undefined }, undefined, 'Choose one.'],
    [{ ...base, kind: 'choice', options, default: undefined }, 'c', 'Choose one of the options.'],
    [{ ...choices, isRequired: true }, undefined, 'Choose at least one.'],
    [choices, 'a', 'Choose from the options.'],
    [choices, ['c'], 'Choose from the options.'],
    [choices, ['a', 'a'], 'Choose each option once.'],
    [choices, ['a', 'b'], 'Choose at most 1.'],
    [{ ...choices, minItems: 1 }, [], 'Choose at least 1.'],
  ])('%j: %j', (field, value, problem) => {
    expect(fieldProblem(field, value)).toBe(problem);
  });

  it.each<[TextFormat, string]>([
    ['email', 'name'],
    ['email', 'a@b..c'],
    ['email', 'a b@c.d'],
    ['uri', 'example.com'],
    ['uri', 'https://exa mple.com'],
    ['date', '2026-02-30'],
    ['date', '14.03.2026'],
    ['date-time', '2026-03-14T09:30:00'],
    ['date-time', '2026-03-14T24:30:00Z'],
  ])('format %s: %s', (format, value) => {
    expect(fieldProblem({ ...text, format }, value)).toMatch(/^Enter a/);
  });
});
