import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ServerRegistry } from '../serverRegistry.ts';
import { registerCodeLenses } from './codeLenses.ts';
import type { ConfigurationService } from './configurationService.ts';
import { createDiagnostics } from './diagnostics.ts';
import { registerQuickFixes } from './quickFixes.ts';

export interface LanguageFeaturesOptions {
  readonly configuration: ConfigurationService;
  readonly registry: ServerRegistry;
  readonly clock: Clock;
}

/** What helps in the text of configuration files: problems, their fixes, and lenses that start and stop servers. */
export function createLanguageFeatures({ configuration, registry, clock }: LanguageFeaturesOptions): Disposable {
  const store = new DisposableStore();
  store.add(createDiagnostics(configuration, clock));
  store.add(registerQuickFixes());
  store.add(registerCodeLenses(registry, clock));
  return store;
}
