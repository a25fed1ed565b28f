import { expect, it } from 'vitest';
import { InvalidResultError } from '../../../../src/client/toolCalls/resultCheck.ts';
import { withWarnings } from '../../../../src/host/tools/checkedResult.ts';
import type { CallToolResult } from '../../../../src/protocol/mcp/tools.ts';

it('shows a result that breaks its schema all the same, with a word about it [output-schema]', async () => {
  const result: CallToolResult = { content: [], isError: false };
  const problems = ['The tool promises structured content but sent none.'];
  const broken = await withWarnings((onNote) => {
    onNote('The arguments were not checked.');
    throw new InvalidResultError('demo', 'add', result, problems);
  });
  expect(broken).toEqual({ result, warnings: ['The arguments were not checked.', ...problems] });
  expect(await withWarnings(() => Promise.resolve(result))).toEqual({ result, warnings: [] });
  await expect(withWarnings(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
});
