import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { SamplingHandler } from '../../client/sampling/samplingHandler.ts';
import type { QuestionMutes } from '../../client/serverRequests/questionMutes.ts';
import type { ClientFeaturePorts } from '../../client/serverRequests/serverRequestHandlers.ts';
import type { ToolCallApproval } from '../../client/toolCalls/toolCallApproval.ts';
import type { ApproveCall } from '../../client/toolCalls/ports.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { ElicitationHostOptions, SamplingHost, SamplingHostOptions } from './consentHost.ts';
import type { LazyRules } from './ruleSource.ts';

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

/** Sampling with the consent panel and models, loaded with the first request. */
export interface LazySampling extends LazyRules, Disposable {
  /** See `SamplingHandler.handle`. */
  readonly handle: NonNullable<ClientFeaturePorts['sampling']>;
  /** See `SamplingHandler.ask`. */
  readonly ask: SamplingHandler['ask'];
  /** See `SamplingHandler.serverStopped`. */
  serverStopped(server: string): void;
  /** The tokens of today, of all windows. Loads the code. */
  tokensOfToday(): Promise<number>;
  /** Fires when this window has used tokens. */
  readonly onDidUseTokens: Event<void>;
}

/** See {@link SamplingHostOptions}; what was chosen is loaded too. */
export interface LazySamplingOptions extends Omit<SamplingHostOptions, 'chosenModels'> {
  readonly chosenModels: () => Promise<SamplingHostOptions['chosenModels']>;
}

/** Disposing it refuses every open request, and all later ones. */
export function createLazySampling(options: LazySamplingOptions): LazySampling {
  const store = new DisposableStore();
  const didChangeRules = store.add(new Emitter<void>());
  const didUseTokens = store.add(new Emitter<void>());
  let loaded: SamplingHost | undefined;
  const load = memoizeAsync(async () => {
    const [{ createSamplingHost }, chosenModels] = await Promise.all([
      import('./consentHost.ts'),
      options.chosenModels(),
    ]);
    loaded = createSamplingHost({ ...options, chosenModels }, store);
    store.add(loaded.rules.onDidChange(() => didChangeRules.fire()));
    store.add(loaded.budget.onDidChange(() => didUseTokens.fire()));
    didChangeRules.fire();
    return loaded;
  });
  return {
    handle: async (request, context) => (await load()).handler.handle(request, context),
    ask: async (request, context, own) => (await load()).handler.ask(request, context, own),
    serverStopped: (server) => loaded?.handler.serverStopped(server),
    get isLoaded() {
      return loaded !== undefined;
    },
    rules: async () => (await load()).rules,
    onDidChangeRules: didChangeRules.event,
    tokensOfToday: async () => (await load()).budget.used(),
    onDidUseTokens: didUseTokens.event,
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
