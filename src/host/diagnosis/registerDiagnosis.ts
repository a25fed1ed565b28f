import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import type { ConfigurationService } from '../configuration/configurationService.ts';
import { type ActingCommandContext, registerActingCommand, registerCommand } from '../platform/registerCommand.ts';
import { labelFromArgument } from '../servers/serverArgument.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { HostDiagnosisPorts } from './diagnoseServer.ts';

const pick = { placeholder: 'Diagnose which server?', whenNone: 'No MCP server is configured.', acts: true } as const;

/** What the commands of a diagnosis need. */
export interface DiagnosisOptions extends ActingCommandContext {
  readonly registry: ServerRegistry;
  readonly configuration: Pick<ConfigurationService, 'snapshot'>;
  readonly diagnosis: HostDiagnosisPorts;
}

/** Registers *Diagnose Server…* and the command that copies a diagnosis. */
export function registerDiagnosis(options: DiagnosisOptions): Disposable {
  const { registry, configuration, diagnosis } = options;
  const store = new DisposableStore();
  const documents = memoizeAsync(async () => {
    const { DiagnosisDocuments } = await import('./diagnosisDocuments.ts');
    return store.add(new DiagnosisDocuments(diagnosis));
  });
  store.add(
    registerActingCommand(options, CommandIds.diagnoseServer, async (argument) => {
      const { pickServer } = await import('../servers/pickServer.ts');
      const host = await pickServer(registry, argument, pick);
      if (host === undefined) return;
      const { configured, server } = host;
      const problems = configuration.snapshot.files.get(configured.source.uri ?? '')?.problems ?? [];
      await (await documents()).diagnose({ configured, problems, session: server.session });
    }),
  );
  store.add(
    registerCommand(options, CommandIds.copyDiagnosis, async (argument) => {
      const label = labelFromArgument(argument);
      if (label !== undefined) await (await documents()).copy(label);
    }),
  );
  return store;
}
