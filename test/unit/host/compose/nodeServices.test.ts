import { expect, it, vi } from 'vitest';
import { createSystemClock } from '../../../../src/base/clock.ts';
import { createLazyValidator } from '../../../../src/host/compose/nodeServices.ts';

vi.mock('vscode', () => ({ Uri: { joinPath: () => ({ fsPath: 'schemaChecker.cjs' }) } }));

it('gives results without a promise once the validator is loaded', async () => {
  const validator = createLazyValidator({} as Parameters<typeof createLazyValidator>[0], createSystemClock());
  const validate = (): unknown => validator.validate('demo', { type: 'object' }, {});
  const first = validate();
  expect(first).toBeInstanceOf(Promise);
  expect(await first).toEqual({ kind: 'valid' });
  expect(validate()).toEqual({ kind: 'valid' });
  validator.dispose();
});
