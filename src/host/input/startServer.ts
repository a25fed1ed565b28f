import type { Clock } from '../../base/clock.ts';
import type { ContentKind } from '../../client/server.ts';
import type { HostServer } from '../serverRegistry.ts';
import { withCallProgress } from './callProgress.ts';

/**
 * Makes sure a server runs and its list is there, with a cancellable notification if that takes a while. Trust is asked as
 * ever.
 * @param list what is wanted of the server; other lists are not waited for
 */
export async function startServer(hostServer: HostServer, list: ContentKind, clock: Clock): Promise<void> {
  const { server, label } = hostServer;
  const isRunning = server.state.kind === 'running';
  if (isRunning && !server.listState(list).isLoading) return;
  const title = isRunning ? `Waiting for the lists of ${label}` : `Starting ${label}`;
  await withCallProgress({ title, clock }, (signal) => hostServer.start('person', signal, list));
}
