import type { ExtensionContext } from 'vscode';
import { createSystemClock } from '../../base/clock.ts';
import { type AsyncDisposable, DisposableStore } from '../../base/disposable.ts';
import { createApi, type PatchbayApi } from '../api.ts';
import { type Core, composeCore, endCore } from './composeCore.ts';
import { composeViews } from './composeViews.ts';

/** The running extension. */
export interface Host extends AsyncDisposable {
  readonly api: PatchbayApi;
}

/** Builds every object of the extension by hand. Resolves when the configuration was read once; starts no server. */
export async function compose(context: ExtensionContext): Promise<Host> {
  const store = new DisposableStore();
  const core = composeCore(context, createSystemClock(), store);
  const api = store.add(createApi(core.registry));
  const ready = core.configuration.refresh();
  // Other extensions activate at the same time, and have to wait for each turn of this one. The views are usually there before
  // the files are read, and say that they are loading; all that is built here reads the present state.
  const viewed = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    store.add(composeViews(context, core, ready));
  });
  await Promise.all([viewed, ready]);
  return { api, dispose: () => end(core, store) };
}

async function end(core: Core, store: DisposableStore): Promise<void> {
  // Consent goes first: open questions are answered with a no before their server ends.
  store.dispose();
  await endCore(core);
}
