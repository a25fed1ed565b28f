import { beforeEach, describe, expect, it } from 'vitest';
import { savedCallQuestions as questions } from '../../../../src/host/calls/savedCallQuestions.ts';
import { savedCallLimits } from '../../../../src/workshop/savedCalls/savedCallText.ts';
import { unhurried } from '../../../fixtures/unhurried.ts';
import { editor } from '../../../fixtures/vscode.ts';

beforeEach(unhurried);

it('asks for a name: one that is taken is a warning, none or a long one an error', async () => {
  editor.answer = 'a name';
  expect(await questions.askName(['taken'])).toBe('a name');
  const validate = editor.questions[0]?.options['validateInput'] as ((text: string) => unknown) | undefined;
  expect(validate?.('fine')).toBeUndefined();
  expect(validate?.(' taken ')).toEqual({ message: 'Replaces the saved call with this name.', severity: 2 });
  expect(validate?.('  ')).toBe('Write a name.');
  expect(validate?.('x'.repeat(savedCallLimits.name + 1))).toMatch(/^At most \d+ characters\.$/);
});

it('asks for the folder; its name is no icon', async () => {
  const folder = { name: '$(trash)', path: '/a' };
  editor.answer = '\\$(trash)';
  expect(await questions.chooseFolder([folder])).toBe(folder);
  expect(editor.questions[0]?.choices).toEqual([{ label: '\\$(trash)', description: '/a', folder }]);
});

describe('what cannot be taken back', () => {
  it.each([
    ['replace', 'Replace', true],
    ['replace', 'Keep It', false],
    ['replace', undefined, false],
    ['delete', 'Delete', true],
    ['delete', 'Keep It', false],
    ['delete', undefined, false],
  ] as const)('%s: after "%s" it is %s', async (question, answer, isDone) => {
    editor.answer = answer;
    expect(await questions[question]('line\nbreak')).toBe(isDone);
    expect(editor.questions[0]?.buttons[0]).toBe('Keep It');
    expect(editor.said[0]).not.toContain('\n');
  });
});

describe('texts that may be secrets', () => {
  const texts = Array.from({ length: 10 }, (_, index) => ({
    place: `key${index}`,
    placeholder: `\${input:key${index}}`,
  })) as unknown as Parameters<typeof questions.aboutSecrets>[0];

  it.each([
    ['Save Placeholders', 'placeholders'],
    ['Save as They Are', 'asIs'],
    [undefined, undefined],
  ])('after "%s" become: %s', async (answer, outcome) => {
    editor.answer = answer;
    expect(await questions.aboutSecrets(texts)).toBe(outcome);
    expect(editor.questions[0]?.buttons[0]).toBe('Save Placeholders');
    expect(editor.questions[0]?.detail).toMatch(/key7 → [^]*and 2 more$/);
  });
});
