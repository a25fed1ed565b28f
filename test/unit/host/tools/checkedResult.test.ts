import { expect, it } from 'vitest';
import { InvalidResultError } from '../../../../src/client/toolCalls/validateResult.ts';
import { addWarnings } from '../../../../src/host/tools/toolResult.ts';
import type { CallToolResult } from '../../../../src/protocol/mcp/tools.ts';

it('shows a result that breaks its schema all the same, with a word about it [output-schema]', async () => {
  const result: CallToolResult = { content: [], isError: false };
  const problems = ['The tool promises structured content but sent none.'];
  const broken = await addWarnings((onNote) => {
    onNote('The arguments were not checked.');
    throw new InvalidResultError('demo', 'add', result, problems);
  });
  expect(broken).toEqual({ result, warnings: ['The arguments were not checked.', ...problems], differences: [] });
  expect(await addWarnings(() => Promise.resolve(result))).toEqual({ result, warnings: [], differences: [] });
  const differences = [{ path: ['sum'], message: 'must be number' }];
  const different = await addWarnings(() => {
    throw new InvalidResultError('demo', 'add', result, ['sum: must be number'], differences);
  });
  expect(different).toEqual({ result, warnings: [], differences });
  await expect(addWarnings(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
});
