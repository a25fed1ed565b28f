import { describe, expect, it } from 'vitest';
import {
  actionName,
  type AuditFilter,
  type AuditRow,
  deciderName,
  filterAudit,
  formatCost,
  modelOf,
  outcomeGroup,
  auditPeriods,
  subjectOf,
  sumUp,
} from '../../../src/shared/auditView.ts';

const everything: AuditFilter = { text: '', server: '', action: '', outcome: '', since: undefined, isModelOnly: false };

function row(part: Partial<AuditRow> = {}): AuditRow {
  const time = '2026-03-04T05:06:07.000Z';
  return { time, server: 'notes', action: 'toolCall', outcome: 'done', detail: {}, ...part };
}

function request(outcome: string, detail: AuditRow['detail'], server = 'notes'): AuditRow {
  return row({ action: 'sampling', outcome, detail, server });
}

describe('the filter of the audit log', () => {
  const call = row({ detail: { tool: 'add_note', argumentBytes: 12 } });
  const refused = row({ server: 'weather', outcome: 'declined', time: '2026-03-04T06:00:00.000Z' });
  const asked = request('allowed by a rule', { by: 'rule', model: 'GPT', answer: 'Forty-two Points' });
  const rows = [call, refused, asked];
  const list = (filter: Partial<AuditFilter>): readonly AuditRow[] => filterAudit(rows, { ...everything, ...filter });

  it('lets all through, in their order, when nothing is chosen', () => {
    expect(list({})).toEqual(rows);
  });

  it.each<[string, Partial<AuditFilter>, AuditRow[]]>([
    ['a server', { server: 'weather' }, [refused]],
    ['an action', { action: 'toolCall' }, [call, refused]],
    ['an outcome', { outcome: 'refused' }, [refused]],
    ['requests for a model', { isModelOnly: true }, [asked]],
    ['a time', { since: Date.parse('2026-03-04T05:30:00.000Z') }, [refused]],
    ['a word of a detail, in any case', { text: 'ADD_note' }, [call]],
    ['all words, wherever they are', { text: ' points  rule ' }, [asked]],
    ['the name of an action', { text: 'request for a model' }, [asked]],
    ['a number', { text: '12' }, [call]],
    ['several at once', { server: 'notes', action: 'toolCall', text: 'declined' }, []],
  ])('chooses by %s', (_name, filter, wanted) => {
    expect(list(filter)).toEqual(wanted);
  });

  it('puts a time that cannot be read in no period', () => {
    expect(filterAudit([row({ time: 'yesterday' })], { ...everything, since: 0 })).toEqual([]);
  });

  it('lets a day begin at midnight of this machine', () => {
    const noon = new Date(2026, 2, 4, 12, 30).getTime();
    expect(auditPeriods.today(noon)).toBe(new Date(2026, 2, 4).getTime());
    expect(auditPeriods.hour(noon)).toBe(new Date(2026, 2, 4, 11, 30).getTime());
    expect(auditPeriods.week(noon)).toBe(noon - 7 * 86_400_000);
    expect(auditPeriods.all()).toBeUndefined();
  });
});

describe('a record in words', () => {
  it.each([
    ['approved, answer edited', 'allowed'],
    ['allowed for this session', 'allowed'],
    ['answered by hand', 'allowed'],
    ['done', 'allowed'],
    ['given', 'allowed'],
    ['declined', 'refused'],
    ['refused', 'refused'],
    ['cancelled', 'refused'],
    ['change declined', 'refused'],
    ['invalid arguments', 'refused'],
    ['failed: refused', 'failed'],
    ['tool error', 'failed'],
    ['done, but the result does not match the output schema', 'failed'],
    ['lost records', 'failed'],
  ])('takes the outcome "%s" as %s', (outcome, group) => {
    expect(outcomeGroup({ outcome })).toBe(group);
  });

  it('names what it knows, and shows the rest as it is', () => {
    expect(actionName('resourceRead')).toBe('Resource read');
    expect(actionName('later')).toBe('later');
    expect(subjectOf(row({ detail: { size: 3, uri: 'file:///a' } }))).toBe('file:///a');
    expect(subjectOf(row({ detail: { tool: 7 } }))).toBe('');
    expect(subjectOf(row({ action: 'rule', detail: { model: 'GPT' } }))).toBe('GPT');
    expect(deciderName(request('approved', { by: 'person' }))).toBe('You');
    expect(deciderName(request('approved', { by: 'someone' }))).toBe('someone');
  });

  it('finds out who decided where an older version did not record it', () => {
    expect(deciderName(request('approved', {}))).toBe('You');
    expect(deciderName(request('allowed for this session', {}))).toBe('A rule');
    expect(deciderName(request('failed', {}))).toBe('');
    expect(deciderName(row({ outcome: 'declined' }))).toBe('');
  });

  it('takes no person for a model', () => {
    expect(modelOf(request('approved', { model: 'gpt', modelName: 'GPT-4o' }))).toBe('GPT-4o');
    expect(modelOf(request('answered by hand', { model: 'human' }))).toBe('');
  });

  it.each([
    [0, '$0'],
    [12.5, '$12.50'],
    [1_234.567, '$1,234.57'],
    [0.25, '$0.25'],
    [0.0042, '$0.0042'],
    [0.000_018_3, '$0.000018'],
    [0.000_000_1, 'less than $0.000001'],
  ])('writes %d dollars as %s', (dollars, text) => {
    expect(formatCost(dollars)).toBe(text);
  });
});

describe('the totals', () => {
  const estimated = { tokensAreEstimated: true };
  const rows = [
    row(),
    request('approved', { by: 'person', model: 'GPT', inputTokens: 100, outputTokens: 20, cost: 0.5 }),
    request('allowed by a rule', { by: 'rule', model: 'GPT', inputTokens: 50, outputTokens: 5, cost: 0.25 }, 'weather'),
    request('allowed by a rule', { by: 'rule', model: 'Local', inputTokens: 7, outputTokens: 3, ...estimated }),
    request('approved', { by: 'person', model: 'Old' }),
    request('answered by hand', { by: 'person', model: 'human' }),
    request('declined', { by: 'person' }),
    request('declined', { by: 'person', model: 'GPT', inputTokens: 10, outputTokens: 1, cost: 0.05 }),
    request('refused', { by: 'limit' }, 'weather'),
    request('failed', { by: 'person', model: 'GPT' }),
    request('allowed', { by: 'elsewhere' }),
  ];

  it('count requests for a model by who let them through, and nothing else', () => {
    expect(sumUp(rows)).toMatchObject({ requests: 10, byPerson: 3, byRule: 2, byOther: 1, refused: 3, failed: 1 });
    expect(sumUp([row()])).toMatchObject({ requests: 0, models: [], servers: [] });
  });

  it('add up what is known, with what a withheld answer took, and say for how many it is not', () => {
    const totals = sumUp(rows);
    expect(totals).toMatchObject({ inputTokens: 167, outputTokens: 29, isEstimated: true, withoutTokens: 1 });
    expect(totals.cost).toBeCloseTo(0.8, 10);
    expect(totals).toMatchObject({ withCost: 3, withoutCost: 2 });
  });

  it('are there for each model and each server, the ones with the most requests first', () => {
    const { models, servers } = sumUp(rows);
    expect(models.map(({ name, requests }) => `${name}: ${requests}`)).toEqual(['GPT: 4', 'Local: 1', 'Old: 1']);
    const counts = { byPerson: 1, byRule: 1, refused: 1, failed: 1 };
    expect(models[0]).toMatchObject({ ...counts, inputTokens: 160, isEstimated: false });
    expect(servers.map(({ name, requests }) => `${name}: ${requests}`)).toEqual(['notes: 8', 'weather: 2']);
  });

  it('leave out numbers that cannot be', () => {
    const odd = ['1', -5, Number.NaN, Number.POSITIVE_INFINITY].map((inputTokens) =>
      request('approved', { model: 'm', inputTokens, cost: inputTokens }),
    );
    expect(sumUp(odd)).toMatchObject({ inputTokens: 0, cost: 0, withoutTokens: 4, withoutCost: 4 });
  });

  it('keep names apart that objects have by themselves', () => {
    const { models } = sumUp(['__proto__', 'constructor'].map((model) => request('approved', { model })));
    expect(models.map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
  });
});
