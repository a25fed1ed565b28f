import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import type { ConfigurationService } from '../configuration/configurationService.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import { labelFromArgument } from '../servers/serverArgument.ts';
import type { ServerViewModels } from '../servers/serverViewModels.ts';
import type { HostDiagnosisPorts } from './diagnoseServer.ts';

const pick = { placeholder: 'Diagnose which server?', whenNone: 'No MCP server is configured.' };

/** What the commands of a diagnosis need. */
export interface DiagnosisOptions {
  readonly registry: ServerViewModels;
  readonly configuration: Pick<ConfigurationService, 'snapshot'>;
  readonly diagnosis: HostDiagnosisPorts;
  readonly logger: Logger;
}

/** Registers *Diagnose Server…* and the command that copies a diagnosis. */
export function registerDiagnosis({ registry, configuration, diagnosis, logger }: DiagnosisOptions): Disposable {
  const store = new DisposableStore();
  const documents = memoizeAsync(async () => {
    const { createDiagnosisDocuments } = await import('./diagnosisDocuments.ts');
    return store.add(createDiagnosisDocuments(diagnosis));
  });
  store.add(
    registerCommand({ logger }, CommandIds.diagnoseServer, async (argument) => {
      const { pickServer } = await import('../servers/pickServer.ts');
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
