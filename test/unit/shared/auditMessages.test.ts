import { describe, expect, it } from 'vitest';
import { readAuditMessage } from '../../../src/shared/auditMessages.ts';

const filter = { text: 'a', server: '', action: 'sampling', outcome: 'failed', since: 5, isModelOnly: true };

describe('readAuditMessage', () => {
  it.each([{ type: 'ready' }, { type: 'refresh' }, { type: 'export', filter }])('takes %j', (message) => {
    expect(readAuditMessage(message)).toEqual(message);
  });

  it('reads what JSON leaves out as all', () => {
    expect(readAuditMessage({ type: 'export' })).toEqual({ type: 'export', filter: undefined });
    expect(readAuditMessage({ type: 'export', filter: { ...filter, since: null } })).toMatchObject({
      filter: { since: undefined },
    });
  });

  it.each([
    ['nothing', null],
    ['text', 'ready'],
    ['an unknown type', { type: 'clear' }],
    ['a filter that is text', { type: 'export', filter: 'all' }],
    ['an outcome that does not exist', { type: 'export', filter: { ...filter, outcome: 'done' } }],
    ['a number for a text', { type: 'export', filter: { ...filter, text: 1 } }],
    ['a huge text', { type: 'export', filter: { ...filter, server: 'x'.repeat(10_001) } }],
    ['an endless time', { type: 'export', filter: { ...filter, since: Infinity } }],
    ['a missing part', { type: 'export', filter: { ...filter, isModelOnly: undefined } }],
  ])('drops %s', (_name, message) => {
    expect(readAuditMessage(message)).toBeUndefined();
  });
});
