import type { ContentKind, Server } from '../../client/server.ts';
import type { ServerRegistry } from '../serverRegistry.ts';
import { findServer } from './contentTarget.ts';

/**
 * A running server for somebody who only looks at a document: one that is merely stopped is started, one that failed or
 * was refused waits for somebody to start it.
 * @param list what is wanted of the server; other lists are not waited for
 */
export async function readyServer(
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
