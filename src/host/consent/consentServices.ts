import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ElicitationHandler } from '../../client/elicitation/elicitationHandler.ts';
import type { RequestContext, SessionGrant } from '../../client/sampling/ports.ts';
import type { ApproveCall } from '../../client/toolCalls/ports.ts';
import type { ToolCallApproval } from '../../client/toolCalls/toolCallApproval.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import type { ElicitationHostOptions } from './elicitationHost.ts';
import type { SamplingHostOptions } from './samplingHost.ts';

/** Who asks before tools are called, loaded with the first call. */
export interface LazyApprovals extends Disposable {
  readonly approve: ApproveCall;
  /** `undefined` before the first call: nothing was allowed yet. */
  readonly loaded: ToolCallApproval | undefined;
  /** See `CallApproval.onDidChange`. */
  readonly onDidChange: Event<string>;
}

/** @param isTest true only when VS Code runs extension tests: then `patchbay.testing` may answer */
export function createLazyApprovals(isTest: boolean): LazyApprovals {
  const store = new DisposableStore();
  const onDidChange = store.add(new Emitter<string>());
  let loaded: ToolCallApproval | undefined;
  const load = memoizeAsync(async () => {
    const [{ createToolCallApproval: createCallApproval }, { createCallQuestions }] = await Promise.all([
      import('../../client/toolCalls/toolCallApproval.ts'),
      import('./callQuestions.ts'),
    ]);
    loaded = createCallApproval(store.add(createCallQuestions(isTest)));
    store.add(loaded.onDidChange((server) => onDidChange.fire(server)));
    return loaded;
  });
  return {
    approve: (call) => (loaded === undefined ? load().then(({ approve }) => approve(call)) : loaded.approve(call)),
    get loaded() {
      return loaded;
    },
    onDidChange: onDidChange.event,
    dispose: () => store.dispose(),
  };
}

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
  const load = memoizeAsync(async () => {
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

/** Elicitation with its panel, loaded with the first question. Once disposed, whatever is open or comes is cancelled. */
export function createLazyElicitation(options: ElicitationHostOptions): ElicitationHandler & Disposable {
  const store = new DisposableStore();
  const load = memoizeAsync(async () =>
    store.add((await import('./elicitationHost.ts')).createElicitationHost(options)),
  );
  return {
    handle: async (request, context) => (await load()).flow.handle(request, context),
    dispose: () => store.dispose(),
  };
}
