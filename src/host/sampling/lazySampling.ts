import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { RequestContext, SessionGrant } from '../../client/sampling/ports.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import type { SamplingHostOptions } from './samplingHost.ts';

/** Sampling with the consent panel and the editor's models, loaded with the first request. */
export interface LazySampling extends Disposable {
  /** See `SamplingFlow.handle`. */
  handle(request: SamplingRequest, context: RequestContext): Promise<SamplingResult>;
  /** The standing yeses, by server. */
  grants(): Promise<ReadonlyMap<string, SessionGrant>>;
  /** Takes back every standing yes, or those of one server. @returns how many there were */
  revokeGrants(server?: string): Promise<number>;
}

/** Once disposed, whatever is open or comes is refused. */
export function createLazySampling(options: SamplingHostOptions): LazySampling {
  const store = new DisposableStore();
  let isUsed = false;
  const load = lazy(async () => {
    isUsed = true;
    return store.add((await import('./samplingHost.ts')).createSamplingHost(options));
  });
  return {
    handle: async (request, context) => (await load()).flow.handle(request, context),
    grants: async () => (isUsed ? (await load()).flow.grants : new Map()),
    revokeGrants: async (server) => (isUsed ? (await load()).flow.revokeGrants(server) : 0),
    dispose: () => store.dispose(),
  };
}
