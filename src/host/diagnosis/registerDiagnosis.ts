import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import { labelFromArgument, pickServer } from '../servers/pickServer.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import type { Core } from '../compose/composeCore.ts';

const pick = { placeholder: 'Diagnose which server?', whenNone: 'No MCP server is configured.' };

/** Registers the commands that look for what keeps a server from working. */
export function registerDiagnosis(core: Core): Disposable {
  const { registry, configuration, logger } = core;
  const store = new DisposableStore();
  const documents = memoizeAsync(async () => {
    const { createDiagnosisDocuments } = await import('./diagnosisDocuments.ts');
    return store.add(createDiagnosisDocuments(core.diagnosis));
  });
  store.add(
    registerCommand({ logger }, CommandIds.diagnoseServer, async (argument) => {
      const host = await pickServer(registry, argument, pick);
      if (host === undefined) return;
      const { configured, server } = host;
      const problems = configuration.snapshot.files.get(configured.source.uri ?? '')?.problems ?? [];
      await (await documents()).diagnose({ configured, problems, session: server.session });
    }),
  );
  store.add(
    registerCommand({ logger }, CommandIds.copyDiagnosis, async (argument) => {
      const label = labelFromArgument(argument);
      if (label !== undefined) await (await documents()).copy(label);
    }),
  );
  return store;
}
