import type { Disposable } from '../../base/disposable.ts';
import type { LazyApprovals } from './lazyApprovals.ts';
import type { ServerRegistry } from '../serverRegistry.ts';
import type { LazySampling } from '../sampling/lazySampling.ts';

/** Takes back what a server may do without a question when it stops: what starts under the same label next may be another program. */
export function endGrants(
  registry: Pick<ServerRegistry, 'onDidChangeAny'>,
  sampling: Pick<LazySampling, 'revokeGrants'>,
  approvals: Pick<LazyApprovals, 'loaded'>,
): Disposable {
  return registry.onDidChangeAny(({ label, server }) => {
    if (server.state.kind === 'running') return;
    void sampling.revokeGrants(label);
    approvals.loaded?.end(label);
  });
}
