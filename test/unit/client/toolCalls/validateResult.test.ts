import { expect, it } from 'vitest';
import { validateResult } from '../../../../src/client/toolCalls/sendToolCall.ts';
import { createLocalValidator } from '../../../fixtures/schemaChecker.ts';

it('makes a result wait only where another process validates it', async () => {
  const validator = createLocalValidator();
  const validate = (sum: object): ReturnType<typeof validateResult> =>
    validateResult(
      validator,
      'demo',
      { name: 'add', inputSchema: {}, outputSchema: { properties: { sum } } },
      { content: [], structuredContent: { sum: 3 }, isError: false },
      expect.unreachable,
    );
  expect(validate({ type: 'integer' })).toBeUndefined();
  await expect(validate({ multipleOf: 3 })).resolves.toBeUndefined();
  expect(await validate({ type: 'string' })).toMatchObject({
    message: expect.stringContaining('sum: must be string'),
    differences: [{ path: ['sum'], message: 'must be string' }],
  });
  validator.dispose();
});
