import type { Clock } from '../../base/clock.ts';
import type { HostServer } from '../serverRegistry.ts';
import { withCallProgress } from './callProgress.ts';

/** Makes sure a server runs and is listed, with a cancellable notification if that takes a while. Trust is asked as ever. */
export async function startServer(hostServer: HostServer, clock: Clock): Promise<void> {
  const { server, label } = hostServer;
  if (server.state.kind === 'running') return;
  await withCallProgress({ title: `Starting ${label}`, clock }, (signal) => hostServer.start('person', signal));
}
