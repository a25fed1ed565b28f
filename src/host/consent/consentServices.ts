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
import type { ApprovalPorts } from './callApprovals.ts';
import type { ElicitationPorts, SamplingPorts } from './consentHost.ts';

/** The approval of tool calls, loaded with the first call, or to show what is allowed. */
export class LazyApprovals implements Disposable {
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<string>());
  readonly #path: string;
  readonly #load: () => Promise<ToolCallApproval>;
  /** `undefined` before it was needed. */
  loaded: ToolCallApproval | undefined;

  readonly onDidChange = this.#didChange.event;
  readonly approve: ApproveCall = (call) =>
    this.loaded === undefined ? this.#load().then(({ approve }) => approve(call)) : this.loaded.approve(call);

  constructor(ports: ApprovalPorts) {
    this.#path = ports.path;
    this.#load = memoizeAsync(async () => {
      const { createCallApproval } = await import('./callApprovals.ts');
      this.loaded = createCallApproval(ports, this.#store);
      this.#store.add(this.loaded.onDidChange((server) => this.#didChange.fire(server)));
      return this.loaded;
    });
  }

  /** What is allowed now, in other windows too; `undefined` where nothing is: nothing is loaded then. */
  async current(): Promise<ToolCallApproval | undefined> {
    if (this.loaded === undefined && !(await isThere(this.#path))) return undefined;
    const approval = await this.#load();
    await approval.load();
    return approval;
  }

  /** Whether any call is allowed without a question, as far as this window knows. Loads nothing. */
  async hasAny(): Promise<boolean> {
    return this.loaded === undefined ? isThere(this.#path) : this.loaded.grants.length > 0;
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** Sampling with the consent panel and models, loaded with the first request. Disposing it refuses every request. */
export class LazySampling implements Disposable {
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  readonly #paths: SamplingPorts['paths'];
  readonly #load: () => Promise<SamplingHandler>;
  readonly #loadRules = memoizeAsync(async () => {
    const { rules } = await this.#load();
    await rules.load();
    return rules;
  });
  #loaded: SamplingHandler | undefined;

  /** Fires when rules have changed (see `RuleBook.onDidChange`), this window has used tokens, or the code was loaded. */
  readonly onDidChange = this.#didChange.event;
  readonly handle: NonNullable<ClientFeaturePorts['sampling']> = async (request, context) =>
    (await this.#load()).handle(request, context);
  readonly ask: SamplingHandler['ask'] = async (request, context, own) =>
    (await this.#load()).ask(request, context, own);

  constructor(ports: SamplingPorts) {
    this.#paths = ports.paths;
    this.#load = memoizeAsync(async () => {
      const { createSamplingHost } = await import('./consentHost.ts');
      const loaded = await createSamplingHost(ports, this.#store);
      this.#loaded = loaded;
      for (const { onDidChange } of [loaded.rules, loaded.budget])
        this.#store.add(onDidChange(() => this.#didChange.fire()));
      this.#didChange.fire();
      return loaded;
    });
  }

  serverStopped(server: string): void {
    this.#loaded?.serverStopped(server);
  }

  /** @returns `undefined` where there can be no rule yet: nothing is loaded then; else the rules, those that are kept included */
  async rules(): Promise<RuleBook | undefined> {
    return (await this.#isUsed(this.#paths.rules)) ? this.#loadRules() : undefined;
  }

  /** Whether there are rules. Loads nothing. */
  async hasRules(): Promise<boolean> {
    return this.#loaded === undefined ? isThere(this.#paths.rules) : (await this.#loadRules()).rules.length > 0;
  }

  /** The tokens of today, of all windows. Loads nothing where there are none. */
  async tokensOfToday(): Promise<number> {
    return (await this.#isUsed(this.#paths.budget)) ? (await this.#load()).budget.used() : 0;
  }

  async #isUsed(path: string): Promise<boolean> {
    return this.#loaded !== undefined || isThere(path);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

async function isThere(path: string): Promise<boolean> {
  const { statIfThere } = await import('../platform/plainFiles.ts');
  return (await statIfThere(path)) !== undefined;
}

/** Elicitation with its panel, loaded with the first question. Disposing it cancels every open question, and all later ones. */
export function createLazyElicitation(ports: ElicitationPorts) {
  const store = new DisposableStore();
  const load = memoizeAsync(async () => (await import('./consentHost.ts')).createElicitationHost(ports, store));
  const handle: NonNullable<ClientFeaturePorts['elicitation']> = async (request, context) =>
    (await load()).handle(request, context);
  return { handle, dispose: () => store.dispose() };
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
