import type { Clock } from '../../base/clock.ts';
import type { ContentKind } from '../../client/contents.ts';
import type { Server } from '../../client/server/server.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { withCallProgress } from './callProgress.ts';
import { findServer } from './contentTarget.ts';

/**
 * A running server for somebody who only looks at a document: one that is merely stopped is started, one that failed or
 * was refused waits for somebody to start it.
 * @param list what is wanted of the server; other lists are not waited for
 */
export async function ensureRunning(
  registry: ServerRegistry,
  label: string,
  list: ContentKind,
  signal: AbortSignal | undefined,
): Promise<Server> {
  const { server } = findServer(registry, label);
  const { state } = server;
  if (state.kind === 'failed') throw state.error;
  if (state.kind !== 'running') await server.start(signal, list);
  return server;
}

/**
 * Makes sure a server runs and its list is there, with a cancellable notification if that takes a while. Trust is asked as
 * ever.
 * @param list what is wanted of the server; other lists are not waited for
 */
export async function ensureListed(hostServer: HostServer, list: ContentKind, clock: Clock): Promise<void> {
  const { server, label } = hostServer;
  const isRunning = server.state.kind === 'running';
  if (isRunning && !server.listState(list).isLoading) return;
  const title = isRunning ? `Waiting for the lists of ${label}` : `Starting ${label}`;
  await withCallProgress({ title, clock }, (signal) => hostServer.start('person', signal, list));
}
