import { expect, it } from 'vitest';

it('the benchmark of the editor is built with all that it imports', async () => {
  const bundle = new URL('../../dist/test/benchEditor.mjs', import.meta.url);
  expect(await import(bundle.href)).toMatchObject({ measureEditor: expect.any(Function) });
});
