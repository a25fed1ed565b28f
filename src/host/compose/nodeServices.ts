import { Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { ProcessLedger } from '../../transport/stdio/processLedger.ts';

// Services that start or look at processes. Each is loaded with its first use.

/** Asks the user's login shell for its environment, once, when the first server starts. */
export function createLazyEnvironment(clock: Clock, logger: Logger): () => Promise<NodeJS.ProcessEnv> {
  const load = memoizeAsync(async () => {
    const { createLoginEnvironment } = await import('../../transport/stdio/loginShell.ts');
    const note = (text: string): void => logger.warn(text);
    return createLoginEnvironment(process.env, clock, process.platform, note);
  });
  return async () => (await load())();
}

/** The list of server processes that all windows of this machine share. */
export function createLazyLedger(globalStorageUri: Uri, clock: Clock): () => Promise<ProcessLedger> {
  const { platform, pid } = process;
  return memoizeAsync(async () => {
    const { ProcessLedger } = await import('../../transport/stdio/processLedger.ts');
    const { createProcessTable } = await import('../../transport/stdio/processes.ts');
    const folder = Uri.joinPath(globalStorageUri, 'processes').fsPath;
    const kill = (target: number, signal: NodeJS.Signals): void => void process.kill(target, signal);
    return new ProcessLedger({ folder, processes: createProcessTable(platform), clock, pid, kill });
  });
}

/**
 * Checks values against schemas of servers, with the process shipped beside the extension. It is loaded with the first
 * check, and its process is started with the first one that needs it.
 */
export function createLazyValidator(extensionUri: Uri, clock: Clock): SchemaValidator & Disposable {
  const store = new DisposableStore();
  let loaded: SchemaValidator | undefined;
  const load = memoizeAsync(async () => {
    const [{ QueuedValidator }, { forkScript }] = await Promise.all([
      import('../../client/validation/schemaValidator.ts'),
      import('../../transport/stdio/forkScript.ts'),
    ]);
    const { fsPath } = Uri.joinPath(extensionUri, 'dist', 'schemaChecker.cjs');
    const startChecker = (milliseconds: number) =>
      forkScript(fsPath, { heapMegabytes: limits.check.megabytes, args: [String(milliseconds)] });
    loaded = store.add(new QueuedValidator({ clock, milliseconds: () => limits.check.milliseconds, startChecker }));
    return loaded;
  });
  return {
    // Without a promise if there is no need to wait, see `SchemaValidator.validate`.
    validate: (server, schema, value) =>
      loaded?.validate(server, schema, value) ?? load().then((validator) => validator.validate(server, schema, value)),
    dispose: () => store.dispose(),
  };
}
