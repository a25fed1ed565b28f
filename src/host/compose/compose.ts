import type { ExtensionContext } from 'vscode';
import { createSystemClock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { createApi, type PatchbayApi } from '../api.ts';
import { composeConfiguration, type Core, composeCore, endCore } from './composeCore.ts';
import { composeViews } from './composeViews.ts';

/**
 * Builds every object of the extension by hand. Resolves when the configuration was read once; starts no server.
 *
 * The configuration is asked for first. While VS Code reads it, the rest is built in two turns: other extensions activate at
 * the same time, and wait for each turn of this one. All that is built later reads the present state.
 */
export async function compose(context: ExtensionContext) {
  const store = new DisposableStore();
  const basis = composeConfiguration(context, createSystemClock(), store);
  const ready = basis.configuration.refresh();
  async function composeRest(): Promise<{ readonly core: Core; readonly api: PatchbayApi }> {
    await nextTurn();
    const core = composeCore(context, basis, store);
    const api = store.add(createApi(core.registry));
    await nextTurn();
    store.add(composeViews(context, core, ready));
    return { core, api };
  }
  const [{ core, api }] = await Promise.all([composeRest(), ready]);
  async function dispose(): Promise<void> {
    // Consent goes first: open questions are answered with a no before their server ends.
    store.dispose();
    await endCore(core);
  }
  return { api, dispose };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
