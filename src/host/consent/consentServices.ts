import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { Mutes } from '../../client/mutes.ts';
import type { RuleBook } from '../../client/sampling/ruleBook.ts';
import type { SamplingHandler } from '../../client/sampling/samplingHandler.ts';
import type { ClientFeaturePorts } from '../../client/serverRequests/serverRequestHandlers.ts';
import type { ToolCallApproval } from '../../client/toolCalls/toolCallApproval.ts';
import type { ApproveCall } from '../../client/toolCalls/ports.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { ElicitationHostOptions, SamplingHost, SamplingHostOptions } from './consentHost.ts';

/** The approval of tool calls, loaded with the first call. */
export class LazyApprovals implements Disposable {
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<string>());
  readonly #load: () => Promise<ToolCallApproval>;
  /** `undefined` before the first call, when nothing is allowed yet. */
  loaded: ToolCallApproval | undefined;

  /** See `ToolCallApproval.onDidChange`. */
  readonly onDidChange = this.#didChange.event;
  readonly approve: ApproveCall = (call) =>
    this.loaded === undefined ? this.#load().then(({ approve }) => approve(call)) : this.loaded.approve(call);

  /** @param isTest true only when VS Code runs extension tests: then `patchbay.testing` may answer */
  constructor(isTest: boolean, mutes: Mutes) {
    this.#load = memoizeAsync(async () => {
      const [{ ToolCallApproval: Approval }, { createCallQuestions }] = await Promise.all([
        import('../../client/toolCalls/toolCallApproval.ts'),
        import('./callQuestions.ts'),
      ]);
      this.loaded = new Approval(this.#store.add(createCallQuestions(isTest)), mutes);
      this.#store.add(this.loaded.onDidChange((server) => this.#didChange.fire(server)));
      return this.loaded;
    });
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** See {@link SamplingHostOptions}; what was chosen is loaded too. */
export interface LazySamplingOptions extends Omit<SamplingHostOptions, 'chosenModels'> {
  readonly chosenModels: () => Promise<SamplingHostOptions['chosenModels']>;
}

/** Sampling with the consent panel and models, loaded with the first request. Disposing it refuses every request. */
export class LazySampling implements Disposable {
  readonly #store = new DisposableStore();
  readonly #didChangeRules = this.#store.add(new Emitter<void>());
  readonly #didUseTokens = this.#store.add(new Emitter<void>());
  readonly #paths: SamplingHostOptions['paths'];
  readonly #load: () => Promise<SamplingHost>;
  readonly #loadRules: () => Promise<RuleBook>;
  #loaded: SamplingHost | undefined;

  /** See `RuleBook.onDidChange`; fires too when the code was loaded. */
  readonly onDidChangeRules = this.#didChangeRules.event;
  /** Fires when this window has used tokens. */
  readonly onDidUseTokens = this.#didUseTokens.event;
  readonly handle: NonNullable<ClientFeaturePorts['sampling']> = async (request, context) =>
    (await this.#load()).handler.handle(request, context);
  readonly ask: SamplingHandler['ask'] = async (request, context, own) =>
    (await this.#load()).handler.ask(request, context, own);

  constructor(options: LazySamplingOptions) {
    this.#paths = options.paths;
    this.#load = memoizeAsync(async () => {
      const [{ createSamplingHost }, chosenModels] = await Promise.all([
        import('./consentHost.ts'),
        options.chosenModels(),
      ]);
      const loaded = createSamplingHost({ ...options, chosenModels }, this.#store);
      this.#loaded = loaded;
      this.#store.add(loaded.handler.rules.onDidChange(() => this.#didChangeRules.fire()));
      this.#store.add(loaded.budget.onDidChange(() => this.#didUseTokens.fire()));
      this.#didChangeRules.fire();
      return loaded;
    });
    this.#loadRules = memoizeAsync(async () => {
      const { rules } = (await this.#load()).handler;
      await rules.load();
      return rules;
    });
  }

  /** See `SamplingHandler.serverStopped`. */
  serverStopped(server: string): void {
    this.#loaded?.handler.serverStopped(server);
  }

  /** @returns `undefined` where there can be no rule yet: nothing is loaded then; else the rules, those that are kept included */
  async rules(): Promise<RuleBook | undefined> {
    return (await this.#isUsed(this.#paths.rules)) ? this.#loadRules() : undefined;
  }

  /** The tokens of today, of all windows. Loads nothing where there are none. */
  async tokensOfToday(): Promise<number> {
    return (await this.#isUsed(this.#paths.budget)) ? (await this.#load()).budget.used() : 0;
  }

  async #isUsed(path: string): Promise<boolean> {
    if (this.#loaded !== undefined) return true;
    const { statIfThere } = await import('../platform/plainFiles.ts');
    return (await statIfThere(path)) !== undefined;
  }

  dispose(): void {
    this.#store.dispose();
  }
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

/**
 * Lets a muted server ask again when it is started, but not when it restarts by itself after a crash. Calls of its tools stay
 * muted: another extension may start a server.
 */
export function allowQuestionsOnStart(registry: Pick<ServerRegistry, 'onDidChangeState'>, mutes: Mutes): Disposable {
  return registry.onDidChangeState(({ label, state }) => {
    if (state.kind === 'starting' && state.isRetry !== true) mutes.unmute(label, 'questions');
  });
}
