import { describe, expect, it } from 'vitest';
import { createPatternCheck } from '../../../../src/client/elicitation/patternCheck.ts';
import { readElicitRequest } from '../../../../src/protocol/mcp/elicitation.ts';
import { createLocalValidator } from '../../../fixtures/schemaChecker.ts';

const request = readElicitRequest({
  message: 'm',
  requestedSchema: {
    properties: {
      code: { type: 'string', pattern: '^[0-9]+$' },
      plain: { type: 'string' },
      count: { type: 'integer', pattern: '^1' },
      codes: { type: 'array', items: { type: 'string', pattern: '^[0-9]+$' } },
      unreadable: { type: 'string', pattern: '(' },
    },
  },
});
const fields = request.mode === 'form' ? request.fields : [];

describe('createPatternCheck', () => {
  it('tries texts on the patterns of their fields, and nothing else', async () => {
    const check = createPatternCheck(createLocalValidator(), 'demo', fields);
    expect(await check({ code: 'x', plain: 'x', count: 2, stranger: 'x' })).toEqual([
      { name: 'code', value: 'x', problem: 'This must match the pattern "^[0-9]+$"' },
    ]);
    expect(await check({ code: '7', unreadable: 'x' })).toEqual([
      { name: 'code', value: '7' },
      { name: 'unreadable', value: 'x' },
    ]);
    expect(await check({})).toEqual([]);
  });

  it('tries each text of a list', async () => {
    const check = createPatternCheck(createLocalValidator(), 'demo', fields);
    expect(await check({ codes: ['1', 'x'] })).toEqual([
      { name: 'codes', value: ['1', 'x'], problem: 'Entry 2 must match the pattern "^[0-9]+$"' },
    ]);
    expect(await check({ codes: ['1', '2'] })).toEqual([{ name: 'codes', value: ['1', '2'] }]);
  });

  it('says where nothing is known', async () => {
    const validator = createLocalValidator();
    const check = createPatternCheck(validator, 'demo', fields);
    validator.dispose();
    expect(await check({ code: 'x' })).toEqual([
      { name: 'code', value: 'x', note: 'Not checked against its pattern: Patchbay is closing.' },
    ]);
  });
});
