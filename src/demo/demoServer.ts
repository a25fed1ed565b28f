import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { messageOf } from '../base/errors.ts';
import { registerCompletion } from './completion.ts';
import { HiddenItems } from './hiddenItems.ts';
import { registerLogging } from './logging.ts';
import { NoteStore } from './notes.ts';
import { createPrompts, createSecretPrompt, type DemoPrompt, registerPrompts } from './prompts.ts';
import { createResourceCatalog, registerResources } from './resources.ts';
import { RpcServer } from './rpcServer.ts';
import { type DemoClient, registerLifecycle, Session } from './session.ts';
import { registerTools } from './tools.ts';

/**
 * Composes the parts of one session. Dispose it when the client has gone, so that no timer keeps the process alive.
 * @param write writes one line to the client; the line includes its line break
 * @param reportInternalError reports an error in the server itself, as one line
 */
export function createDemoServer(
  clock: Clock,
  write: (line: string) => void,
  reportInternalError: (text: string) => void,
): Disposable & Pick<RpcServer, 'receive'> {
  const session = new Session();
  const rpc = new RpcServer({
    clock,
    write,
    assertMethodAllowed: (method) => session.assertMethodAllowed(method),
    acceptsBatches: () => session.revision === '2025-03-26',
    onUnexpectedError: (method, error) => reportInternalError(`${method} failed: ${messageOf(error)}`),
  });
  const notes = new NoteStore();
  const hiddenItems = new HiddenItems();
  const catalog = createResourceCatalog(notes, clock);
  const log = registerLogging(rpc);
  const client: DemoClient = {
    has: (capability) => session.clientHas(capability),
    request: (method, params, signal) => rpc.request(method, params, signal),
    notify: (method, params) => rpc.notify(method, params),
  };
  const visiblePrompts = createPrompts(catalog);
  const allPrompts = [...visiblePrompts, createSecretPrompt()];
  const prompts = (): readonly DemoPrompt[] => (hiddenItems.isVisible ? allPrompts : visiblePrompts);

  registerLifecycle(rpc, session);
  registerTools(rpc, { client, clock, log, notes, session, hiddenItems });
  registerPrompts(rpc, prompts);
  registerCompletion(rpc, prompts, catalog.templates);
  const resources = registerResources(rpc, { catalog, clock, notes });
  hiddenItems.onDidChange(() => rpc.notify('notifications/prompts/list_changed'));
  notes.onDidChange(({ name, kind }) => log('notice', 'notes', { event: kind, note: name }));
  rpc.onNotification('notifications/roots/list_changed', () => log('info', 'roots', 'The client changed its roots.'));

  return {
    receive: (line) => rpc.receive(line),
    dispose() {
      resources.dispose();
      rpc.dispose();
    },
  };
}
