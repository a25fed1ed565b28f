import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { applyTextEdits } from '../../../../src/config/editConfiguration.ts';
import { parseSavedCalls, saveCallEdits, savedCallLimits } from '../../../../src/workshop/savedCalls/savedCallText.ts';

const schema = JSON.parse(
  await readFile(new URL('../../../../media/mcpCalls.schema.json', import.meta.url), 'utf8'),
) as object;
const isValid = new Ajv({ strict: false }).compile(schema);

it('takes what Patchbay writes', () => {
  const call = { name: 'n', server: 's', tool: 't', arguments: { a: [null] } };
  expect(isValid(JSON.parse(applyTextEdits('', saveCallEdits('', call))))).toBe(true);
});

it.each([
  [[{ name: 'n', server: 's', tool: 't' }], true],
  [[{ name: '', server: 's', tool: 't' }], false],
  [[{ name: 'n'.repeat(savedCallLimits.name), server: 's', tool: 't' }], true],
  [[{ name: 'n'.repeat(savedCallLimits.name + 1), server: 's', tool: 't' }], false],
  [[{ name: 'n', tool: 't' }], false],
  [[{ name: 'n', server: 's', tool: 't', arguments: [] }], false],
])('agrees with what Patchbay reads: %j', (calls, expected) => {
  expect(isValid({ calls })).toBe(expected);
  expect(parseSavedCalls(JSON.stringify({ calls })).problems.length === 0).toBe(expected);
});
