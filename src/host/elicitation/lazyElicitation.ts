import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { ElicitationFlow } from '../../client/elicitation/elicitationFlow.ts';
import type { ElicitationHostOptions } from './elicitationHost.ts';

/** Elicitation with its panel, loaded with the first question. Once disposed, whatever is open or comes is cancelled. */
export function createLazyElicitation(options: ElicitationHostOptions): ElicitationFlow & Disposable {
  const store = new DisposableStore();
  const load = lazy(async () => store.add((await import('./elicitationHost.ts')).createElicitationHost(options)));
  return {
    handle: async (request, context) => (await load()).flow.handle(request, context),
    dispose: () => store.dispose(),
  };
}
