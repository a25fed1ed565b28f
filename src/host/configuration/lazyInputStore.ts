import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { InputStore, InputStoreOptions } from './inputStore.ts';

/** The store of inputs, loaded with the first server that has some. */
export function createLazyInputStore(options: InputStoreOptions): InputStore {
  const load = memoizeAsync(async () => (await import('./inputStore.ts')).createInputStore(options));
  return {
    resolve: async (...asked) => (await load()).resolve(...asked),
    keep: async (...kept) => (await load()).keep(...kept),
    stored: async () => (await load()).stored(),
    forget: async (inputs) => (await load()).forget(inputs),
  };
}
