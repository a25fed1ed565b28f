import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { InputStore, InputStoreOptions } from './inputStore.ts';

/** The store of inputs, loaded with the first server that has some. */
export function createLazyInputStore(options: InputStoreOptions): InputStore {
  let loaded: InputStore | undefined;
  const load = memoizeAsync(async () => {
    loaded = (await import('./inputStore.ts')).createInputStore(options);
    return loaded;
  });
  return {
    describe: async (...described) => (await load()).describe(...described),
    resolve: async (...asked) => (await load()).resolve(...asked),
    keep: async (...kept) => (await load()).keep(...kept),
    stored: async () => (await load()).stored(),
    forget: async (inputs) => (await load()).forget(inputs),
    dispose: () => loaded?.dispose(),
  };
}
