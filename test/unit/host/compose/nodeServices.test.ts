import { expect, it } from 'vitest';
import { createSystemClock } from '../../../../src/base/clock.ts';
import { createLazyValidator } from '../../../../src/host/compose/nodeServices.ts';
import { Uri } from '../../../fixtures/vscode.ts';

it('gives results without a promise once the validator is loaded', async () => {
  const folder = Uri.file('/') as unknown as Parameters<typeof createLazyValidator>[0];
  const validator = createLazyValidator(folder, createSystemClock());
  const validate = (): unknown => validator.validate('demo', { type: 'object' }, {});
  const first = validate();
  expect(first).toBeInstanceOf(Promise);
  expect(await first).toEqual({ kind: 'valid' });
  expect(validate()).toEqual({ kind: 'valid' });
  validator.dispose();
});
