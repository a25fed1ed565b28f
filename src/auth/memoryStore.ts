import { raceAbort } from '../base/abort.ts';
import { Emitter } from '../base/event.ts';
import type { AuthorizationStore } from './ports.ts';

/** A store that forgets everything with the process. */
export function createMemoryStore(): AuthorizationStore {
  const values = new Map<string, string>();
  const changed = new Emitter<string>();
  const locks = new Map<string, Promise<unknown>>();
  return {
    get: (key) => Promise.resolve(values.get(key)),
    set(key, value) {
      values.set(key, value);
      changed.fire(key);
      return Promise.resolve();
    },
    delete(key) {
      if (values.delete(key)) changed.fire(key);
      return Promise.resolve();
    },
    onDidChange: changed.event,
    async lock(key, action, signal) {
      const before = locks.get(key) ?? Promise.resolve();
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const chain = before.then(() => held);
      locks.set(key, chain);
      try {
        await raceAbort(before, signal);
        return await action();
      } finally {
        release();
        if (locks.get(key) === chain) locks.delete(key);
      }
    },
  };
}
