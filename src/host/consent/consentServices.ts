import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { SessionGrant } from '../../client/sampling/ports.ts';
import type { QuestionMutes } from '../../client/serverRequests/questionMutes.ts';
import type { ClientFeaturePorts } from '../../client/serverRequests/serverRequestHandlers.ts';
import type { ToolCallApproval } from '../../client/toolCalls/toolCallApproval.ts';
import type { ApproveCall } from '../../client/toolCalls/ports.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { ConsentOptions, ElicitationHostOptions } from './consentHost.ts';

/** The approval of tool calls, loaded with the first call. */
export interface LazyApprovals extends Disposable {
  readonly approve: ApproveCall;
  /** `undefined` before the first call, when nothing is allowed yet. */
  readonly loaded: ToolCallApproval | undefined;
  /** See `ToolCallApproval.onDidChange`. */
  readonly onDidChange: Event<string>;
}

/** @param isTest true only when VS Code runs extension tests: then `patchbay.testing` may answer */
export function createLazyApprovals(isTest: boolean): LazyApprovals {
  const store = new DisposableStore();
  const onDidChange = store.add(new Emitter<string>());
  let loaded: ToolCallApproval | undefined;
  const load = memoizeAsync(async () => {
    const [{ createToolCallApproval }, { createCallQuestions }] = await Promise.all([
      import('../../client/toolCalls/toolCallApproval.ts'),
      import('./callQuestions.ts'),
    ]);
    loaded = createToolCallApproval(store.add(createCallQuestions(isTest)));
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

/** Sampling with the consent panel and the models of VS Code, loaded with the first request. */
export interface LazySampling extends Disposable {
  /** See `SamplingHandler.handle`. */
  readonly handle: NonNullable<ClientFeaturePorts['sampling']>;
  /** The grants for further requests, by label of the server. */
  grants(): Promise<ReadonlyMap<string, SessionGrant>>;
  /** Revokes all grants, or those of one server. @returns how many there were */
  revokeGrants(server?: string): Promise<number>;
}

/** Disposing it refuses every open request, and all later ones. */
export function createLazySampling(options: ConsentOptions): LazySampling {
  const store = new DisposableStore();
  let isUsed = false;
  const load = memoizeAsync(async () => {
    isUsed = true;
    const { createSamplingHost } = await import('./consentHost.ts');
    return createSamplingHost(options, store);
  });
  return {
    handle: async (request, context) => (await load()).handle(request, context),
    grants: async () => (isUsed ? (await load()).grants : new Map()),
    revokeGrants: async (server) => (isUsed ? (await load()).revokeGrants(server) : 0),
    dispose: () => store.dispose(),
  };
}

/** Elicitation with its panel, loaded with the first question. */
export interface LazyElicitation extends Disposable {
  /** See `ElicitationHandler.handle`. */
  readonly handle: NonNullable<ClientFeaturePorts['elicitation']>;
}

/** Disposing it cancels every open question, and all later ones. */
export function createLazyElicitation(options: ElicitationHostOptions): LazyElicitation {
  const store = new DisposableStore();
  const load = memoizeAsync(async () => {
    const { createElicitationHost } = await import('./consentHost.ts');
    return createElicitationHost(options, store);
  });
  return {
    handle: async (request, context) => (await load()).handle(request, context),
    dispose: () => store.dispose(),
  };
}

/** Lets a muted server ask again when it is started, but not when it restarts by itself after a crash. */
export function allowQuestionsOnStart(
  registry: Pick<ServerRegistry, 'onDidChangeState'>,
  mutes: Pick<QuestionMutes, 'unmute'>,
): Disposable {
  return registry.onDidChangeState(({ label, state }) => {
    if (state.kind === 'starting' && state.isRetry !== true) mutes.unmute(label);
  });
}
