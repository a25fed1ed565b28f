import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { SamplingConsent } from '../../client/sampling/ports.ts';
import type { ConsentPanelOptions } from '../panels/consentPanel.ts';

/** The consent panel, loaded with the first request for a model. Once disposed, it refuses whatever comes. */
export function createLazyConsent(options: ConsentPanelOptions): SamplingConsent & Disposable {
  const store = new DisposableStore();
  const load = lazy(async () => store.add((await import('../panels/consentPanel.ts')).createConsentPanel(options)));
  return {
    open: async (review) => (await load()).open(review),
    dispose: () => store.dispose(),
  };
}
