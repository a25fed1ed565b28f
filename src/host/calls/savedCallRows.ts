import { Emitter, type Event } from '../../base/event.ts';
import type { SavedCalls } from './savedCallStore.ts';

export interface SavedCallRows {
  /** Those of one tool. The first question starts the reading of the files: until then there are none. */
  of(server: string, tool: string): readonly { readonly name: string }[];
  readonly onDidChange: Event<void>;
}

/** Loads saved calls with the first row of a tool, which is drawn without waiting for them. @param load never rejects */
export function createSavedCallRows(load: () => Promise<SavedCalls>): SavedCallRows {
  const didChange = new Emitter<void>();
  let rows: Pick<SavedCalls, 'of'> | undefined;
  async function start(): Promise<void> {
    const calls = await load();
    await calls.load();
    rows = calls;
    calls.onDidChange(() => didChange.fire());
    // A tree with long lists is not drawn again for nothing.
    if (!calls.isEmpty) didChange.fire();
  }
  return {
    onDidChange: didChange.event,
    of(server, tool) {
      if (rows === undefined) {
        rows = { of: () => [] };
        void start();
      }
      return rows.of(server, tool);
    },
  };
}
