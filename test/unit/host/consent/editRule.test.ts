import { describe, expect, it } from 'vitest';
import { modelLimits } from '../../../../src/base/modelLimits.ts';
import { editRule, readAmount } from '../../../../src/host/consent/editRule.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { sampleRule, sampleRuleBook } from './sampleRule.ts';
import { editor } from '../../../fixtures/vscode.ts';

/** The lists that were shown. */
const lists = () => editor.questions.flatMap(({ choices }) => (choices.length === 0 ? [] : [choices]));

async function setUp(...steps: readonly string[]) {
  editor.answers.push(...steps);
  const clock = createManualClock();
  const rules = sampleRuleBook(clock);
  await rules.add(sampleRule(clock.now()));
  return { clock, rules };
}

describe('Edit Rule', () => {
  it('changes each term at once, until the person is done', async () => {
    const { clock, rules } = await setUp(
      'Requests an hour',
      '5',
      'Tokens an hour',
      '3,000',
      'Until',
      '90',
      'Review of each answer',
      'Kept',
    );
    const [before] = rules.rules;
    await editRule('r1', rules, clock);
    const changed = { requestsPerHour: 5, tokensPerHour: 3_000, expiresAt: clock.now() + 90 * 60_000 };
    expect(rules.rules).toEqual([{ ...before, ...changed, reviewsAnswer: true, isKept: true }]);
    expect(editor.answers).toEqual([]);
    expect(
      lists()
        .at(-1)
        ?.map(({ description }) => description),
    ).toEqual(expect.arrayContaining(['5', '3,000', 'by you', 'until it ends']));
  });

  it('changes nothing of what was seen when it was made, and says so', async () => {
    const { clock, rules } = await setUp('$(lock) The request you saw when you made the rule', 'Kept');
    const before = rules.rules;
    await editRule('r1', rules, clock);
    expect(rules.rules).toEqual(before);
    expect(lists()[0]?.at(-1)).toMatchObject({
      description: 'cannot be edited',
      detail: expect.stringMatching(/at most 1,234 characters, 500 tokens/) as string,
    });
  });

  it.each([
    ['Requests an hour', '1001'],
    ['Requests an hour', '0'],
    ['Tokens an hour', '10,000,001'],
    ['Until', '43201'],
    ['Until', '1e3'],
  ])('allows no more than rules may have: %s %s', async (term, value) => {
    const { clock, rules } = await setUp(term, value);
    const before = rules.rules;
    await editRule('r1', rules, clock);
    expect(rules.rules).toEqual(before);
    expect(lists()).toHaveLength(2);
  });

  it('says that the rule has ended meanwhile', async () => {
    const { clock, rules } = await setUp('Requests an hour', '5');
    await rules.revoke(() => true, 'by the person');
    await editRule('r1', rules, clock);
    expect(editor.said.at(-1)).toContain('has ended');
    expect(rules.rules).toEqual([]);
  });
});

describe('readAmount', () => {
  const { requestsPerHour, tokensPerHour } = modelLimits.rule;

  it.each([
    ['1', 1],
    [' 1000 ', 1_000],
    ['1,000', 1_000],
    ['20 000', 20_000],
    ['10,000,000', 10_000_000],
  ])('reads %j', (text, value) => expect(readAmount(text, tokensPerHour)).toBe(value));

  it.each(['', '0', '-1', '1.5', '1e3', '0x10', '1,00', '10,00,000', 'ten', '1001', '١٢', '9'.repeat(400)])(
    'refuses %j',
    (text) => expect(readAmount(text, requestsPerHour)).toBeUndefined(),
  );
});
