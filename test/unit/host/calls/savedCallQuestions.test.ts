import { beforeEach, describe, expect, it, vi } from 'vitest';
import { savedCallQuestions as questions } from '../../../../src/host/calls/savedCallQuestions.ts';
import { savedCallLimits } from '../../../../src/host/calls/savedCallText.ts';
import { unhurried } from '../../../fixtures/unhurried.ts';

beforeEach(unhurried);

const window = vi.hoisted(() => ({
  showWarningMessage: vi.fn(async (..._asked: readonly unknown[]): Promise<unknown> => undefined),
  showQuickPick: vi.fn(async (items: readonly unknown[]) => items[0]),
  showInputBox: vi.fn(async (_options: { readonly validateInput: (text: string) => unknown }) => 'a name'),
}));
vi.mock('vscode', () => ({ window, InputBoxValidationSeverity: { Warning: 2 } }));

beforeEach(() => vi.clearAllMocks());

it('asks for a name: one that is taken is a warning, none or a long one an error', async () => {
  expect(await questions.askName(['taken'])).toBe('a name');
  const validate = window.showInputBox.mock.calls[0]?.[0].validateInput;
  expect(validate?.('fine')).toBeUndefined();
  expect(validate?.(' taken ')).toEqual({ message: 'Replaces the call of this name.', severity: 2 });
  expect(validate?.('  ')).toBe('Write a name.');
  expect(validate?.('x'.repeat(savedCallLimits.name + 1))).toMatch(/^At most \d+ characters\.$/);
});

it('asks for the folder; its name is no icon', async () => {
  const folder = { name: '$(trash)', path: '/a' };
  expect(await questions.chooseFolder([folder])).toBe(folder);
  expect(window.showQuickPick.mock.calls[0]?.[0]).toEqual([{ label: '\\$(trash)', description: '/a', folder }]);
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
    window.showWarningMessage.mockResolvedValueOnce(answer);
    expect(await questions[question]('line\nbreak')).toBe(isDone);
    const [message, , safe] = window.showWarningMessage.mock.calls[0] ?? [];
    expect(safe).toBe('Keep It');
    expect(message).not.toContain('\n');
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
    window.showWarningMessage.mockResolvedValueOnce(answer);
    expect(await questions.aboutSecrets(texts)).toBe(outcome);
    const [, options, safe] = window.showWarningMessage.mock.calls[0] ?? [];
    expect(safe).toBe('Save Placeholders');
    expect(options).toMatchObject({ detail: expect.stringMatching(/key7 → [^]*and 2 more$/) as string });
  });
});
