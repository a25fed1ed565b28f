import type { Disposable } from '../../base/disposable.ts';
import type { SamplingConsent } from '../../client/sampling/ports.ts';
import type { ConsentPanelOptions } from '../panels/consentPanel.ts';
import type { ConsentQueue } from '../panels/consentQueue.ts';

/** The consent panel, loaded with the first request for a model. */
export function createLazyConsent(options: ConsentPanelOptions): SamplingConsent & Disposable {
  let loading: Promise<ConsentQueue> | undefined;
  let isDisposed = false;

  async function load(): Promise<ConsentQueue> {
    const { createConsentPanel } = await import('../panels/consentPanel.ts');
    const queue = createConsentPanel(options);
    // Gone meanwhile: what is opened now is refused at once.
    if (isDisposed) queue.dispose();
    return queue;
  }

  return {
    async open(review) {
      const queue = await (loading ??= load());
      return queue.open(review);
    },
    dispose() {
      isDisposed = true;
      void loading?.then((queue) => queue.dispose());
    },
  };
}
