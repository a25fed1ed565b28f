import { describe, expect, it } from 'vitest';
import { checkAnswer } from '../../../../src/client/elicitation/answerCheck.ts';
import { readFlatForm } from '../../../../src/schema/flatForm.ts';
import { createLocalValidator } from '../../../fixtures/schemaChecker.ts';

const form = readFlatForm({
  properties: {
    code: { type: 'string', pattern: '^[0-9]+$' },
    count: { type: 'integer', maximum: 3 },
    codes: { type: 'array', items: { type: 'string', pattern: '^[0-9]+$' } },
    id: { type: 'integer' },
    size: { type: 'number', minimum: 1 },
    at: { type: 'string', format: 'date-time' },
    link: { type: 'string', format: 'uri' },
    mail: { type: 'string', format: 'email' },
    unreadable: { type: 'string', pattern: '(' },
  },
  required: ['count'],
});

describe('checkAnswer', () => {
  it('finds what is wrong with each value, and where', async () => {
    const content = { code: 'x', count: 4, codes: ['1', 'x'], mail: 'a@b..c', unreadable: 'x' };
    const findings = await checkAnswer(createLocalValidator(), 'demo', form, content);
    const checked = findings.filter(({ value }) => value !== undefined);
    expect(checked.map(({ name, value, problems }) => [name, value, problems.map(({ path }) => path)])).toEqual([
      ['code', 'x', [['code']]],
      ['count', 4, [['count']]],
      ['codes', ['1', 'x'], [['codes', '1']]],
      ['mail', 'a@b..c', [['mail']]],
      ['unreadable', 'x', []],
    ]);
    expect(findings[1]?.problems[0]?.message).toBe('must be at most 3');
  });

  it('misses what is required only', async () => {
    const findings = await checkAnswer(createLocalValidator(), 'demo', form, {});
    expect(findings.flatMap(({ problems }) => problems)).toEqual([{ path: ['count'], message: 'fill this in' }]);
  });

  it.each(['first.last+tag@sub.example.com', 'jürgen@example.org', 'ada@localhost'])(
    'takes the address %s',
    async (mail) => {
      const findings = await checkAnswer(createLocalValidator(), 'demo', form, { count: 1, mail });
      expect(findings.flatMap(({ problems }) => problems)).toEqual([]);
    },
  );

  it.each([
    [{ id: 2 ** 53 }, 'id', 'enter a whole number'],
    [{ count: 2 ** 53 }, 'count', 'enter a whole number of at most 3'],
    [{ size: Number.NaN }, 'size', 'enter a number of at least 1'],
    [{ size: Infinity }, 'size', 'enter a number of at least 1'],
    [{ at: '2026-03-14 09:30:00Z' }, 'at', 'must be a valid date-time'],
    [{ at: '2026-03-14T09:30:00+09' }, 'at', 'must be a valid date-time'],
    [{ link: 'http://h:99999/' }, 'link', 'must be a valid uri'],
  ])('refuses %s', async (content, name, message) => {
    const findings = await checkAnswer(createLocalValidator(), 'demo', form, { count: 1, ...content });
    expect(findings.flatMap(({ problems }) => problems)).toEqual([{ path: [name], message }]);
  });

  it('says what was not checked, and does not let pass what is certainly wrong', async () => {
    const validator = createLocalValidator();
    validator.dispose();
    const findings = await checkAnswer(validator, 'demo', form, { code: 'x', count: 4 });
    const note = 'Not checked: Patchbay is closing.';
    expect(findings.slice(0, 2)).toMatchObject([
      { name: 'code', problems: [], note },
      { name: 'count', problems: [{ path: ['count'] }], note },
    ]);
  });
});
