import type { Disposable } from '../../base/disposable.ts';
import type { ServerRegistry } from '../serverRegistry.ts';
import type { LazySampling } from './lazySampling.ts';

/** Takes a server's standing yes back when it stops: what starts under the same label next may be another program. */
export function endGrants(
  registry: Pick<ServerRegistry, 'onDidChangeAny'>,
  sampling: Pick<LazySampling, 'revokeGrants'>,
): Disposable {
  return registry.onDidChangeAny(({ label, server }) => {
    if (server.state.kind !== 'running') void sampling.revokeGrants(label);
  });
}
