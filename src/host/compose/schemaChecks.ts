import { Uri, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { limits } from '../../base/limits.ts';
import type { CheckerProcess } from '../../client/validation/checkerClient.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';

/**
 * Checks values against schemas of servers, with the process shipped beside the extension. It is loaded with the first
 * check, and its process is started with the first one that needs it.
 */
export function createSchemaChecks(extensionUri: Uri, clock: Clock): SchemaValidator & Disposable {
  const store = new DisposableStore();
  const load = memoizeAsync(async () => {
    const [{ createSchemaValidator }, { forkScript }] = await Promise.all([
      import('../../client/validation/schemaValidator.ts'),
      import('../../transport/stdio/forkScript.ts'),
    ]);
    const { fsPath } = Uri.joinPath(extensionUri, 'dist', 'schemaChecker.cjs');
    const startChecker = (milliseconds: number): CheckerProcess =>
      forkScript(fsPath, { heapMegabytes: limits.check.megabytes, args: [String(milliseconds)] });
    return store.add(createSchemaValidator({ clock, milliseconds: timeout, startChecker }));
  });
  return {
    validate: async (server, schema, value) => (await load()).validate(server, schema, value),
    dispose: () => store.dispose(),
  };
}

/** Milliseconds one check may take: `patchbay.validation.timeout`. */
function timeout(): number {
  const value = workspace.getConfiguration('patchbay.validation').get<unknown>('timeout');
  return typeof value === 'number' && value > 0 ? Math.min(value, 60_000) : limits.check.milliseconds;
}
