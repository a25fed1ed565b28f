import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { messageOf, PatchbayError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { ListLimits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import { type ContextChange, isAnotherAccount } from '../protocol/httpAuthorizer.ts';
import { ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import type { ProtocolSession } from '../protocol/revisions/session.ts';
import { isOffered, type List, listPages, listSources, type ListSource } from './listPages.ts';
import { type ContentKind, type Contents, emptyContents, type ListOwner } from './server.ts';

/** What a running server lists, kept current. */
export interface Catalogue extends Disposable {
  readonly contents: Contents;
  readonly problems: readonly string[];
  readonly onDidChange: Event<ContentKind>;
  /** Lists everything the server has. A list that fails becomes a problem; only cancellation rejects. */
  listAll(signal: AbortSignal): Promise<void>;
  /** The server says a list changed: lists it again soon, however often it says so. */
  invalidate(owner: ListOwner): void;
  /** Somebody looks at a list: lists it again if it is older than its server vouches for (2026-07-28, "Caching"). */
  refreshStale(owner: ListOwner): void;
  /**
   * Lists go out in another authorization context: those that are not public are asked for again. Where another account
   * was signed in before they are forgotten at once; signed out, they are not asked for.
   */
  enterContext(change: ContextChange): void;
}

/** Between two listings of one kind at least this many milliseconds pass: four a second, whatever a server floods. */
const refreshIntervalMs = 250;

type ListedSession = Pick<ProtocolSession, 'revision' | 'capabilities' | 'request' | 'admitTool' | 'hearsOf'>;

export interface CatalogueOptions {
  readonly session: ListedSession;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of each list. */
  readonly limits: ListLimits;
}

export function createCatalogue(options: CatalogueOptions): Catalogue {
  return new SessionCatalogue(options);
}

class SessionCatalogue implements Catalogue {
  readonly #session: ListedSession;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #limits: ListLimits;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new Emitter<ContentKind>());
  readonly #disposal = new AbortController();
  readonly #refreshers: ReadonlyMap<ContentKind, Throttle>;
  readonly #lists = new Map<ContentKind, List>();
  /** Why a list could not be read the last time. */
  readonly #failures = new Map<ContentKind, readonly [string]>();
  /** Changed while the first listing ran, which may or may not have seen it; `undefined` once that is over. */
  #early: Set<ListOwner> | undefined = new Set();
  #contents = emptyContents;
  /** Counts the authorization contexts. */
  #context = 0;
  /** Listed in an earlier context, and to be forgotten where they cannot be listed in this one. */
  readonly #outdated = new Set<ContentKind>();

  readonly onDidChange = this.#onDidChange.event;

  constructor({ session, clock, logger, limits }: CatalogueOptions) {
    this.#session = session;
    this.#clock = clock;
    this.#logger = logger;
    this.#limits = limits;
    const refresher = (source: ListSource): Throttle =>
      this.#disposables.add(createThrottle(clock, () => this.#list(source, this.#disposal.signal)));
    this.#refreshers = new Map(listSources.map((source) => [source.kind, refresher(source)]));
  }

  get contents(): Contents {
    return this.#contents;
  }

  get problems(): readonly string[] {
    return listSources.flatMap(({ kind }) => [
      ...(this.#failures.get(kind) ?? []),
      ...(this.#lists.get(kind)?.problems ?? []),
    ]);
  }

  async listAll(signal: AbortSignal): Promise<void> {
    await Promise.all(listSources.map((source) => this.#list(source, signal)));
    const changed = this.#early ?? [];
    this.#early = undefined;
    for (const owner of changed) this.invalidate(owner);
  }

  invalidate(owner: ListOwner): void {
    if (this.#early !== undefined) return void this.#early.add(owner);
    for (const source of listSources) if (source.owner === owner) this.#refreshers.get(source.kind)?.trigger();
    // The files of skills are resources, and there is no other word for a change of the skills.
    if (owner === 'resources') this.invalidate('skills');
  }

  refreshStale(owner: ListOwner): void {
    if (this.#early !== undefined || (owner !== 'skills' && this.#session.hearsOf(owner))) return;
    const now = this.#clock.now();
    for (const source of listSources) {
      const staleAt = this.#lists.get(source.kind)?.staleAt ?? Infinity;
      if (source.owner === owner && staleAt <= now) this.#refreshers.get(source.kind)?.trigger();
    }
  }

  enterContext(change: ContextChange): void {
    this.#context += 1;
    const offered = listSources.filter(({ owner }) => isOffered(owner, this.#session.capabilities));
    for (const { kind, owner, method } of offered) {
      // What is being listed for the first time sees for itself that the context is another.
      const isListed = this.#lists.has(kind) || this.#failures.has(kind);
      if (!isListed || (this.#lists.get(kind)?.isPublic && !this.#failures.has(kind))) continue;
      if (isAnotherAccount(change)) this.#forget(kind);
      if (change.account === '') this.#fail(kind, `${method} waits for a sign-in: you have signed out.`);
      else {
        this.#outdated.add(kind);
        if (this.#early === undefined) this.#refreshers.get(kind)?.trigger();
        else this.#early.add(owner);
      }
      this.#onDidChange.fire(kind);
    }
  }

  dispose(): void {
    this.#disposal.abort(new PatchbayError('disposed', 'The connection was closed while listing.'));
    this.#disposables.dispose();
  }

  async #list(source: ListSource, signal: AbortSignal): Promise<void> {
    const { kind, owner, method } = source;
    if (!isOffered(owner, this.#session.capabilities)) return;
    const context = this.#context;
    try {
      const reading = { session: this.#session, signal, clock: this.#clock, limits: this.#limits };
      const list = await listPages(source, reading);
      if (context !== this.#context && !list.isPublic) return await this.#list(source, signal);
      const known = this.#lists.get(kind)?.problems ?? [];
      for (const problem of list.problems) if (!known.includes(problem)) this.#logger.warn(problem);
      this.#contents = { ...this.#contents, [kind]: list.items };
      this.#lists.set(kind, list);
      this.#outdated.delete(kind);
      this.#fail(kind, list.failure);
    } catch (error) {
      signal.throwIfAborted();
      if (context !== this.#context) return this.#list(source, signal);
      if (this.#outdated.delete(kind)) this.#forget(kind);
      this.#fail(kind, isMissingMethod(error) ? undefined : `${method} failed: ${messageOf(error)}`);
    }
    if (!this.#disposables.isDisposed) this.#onDidChange.fire(kind);
  }

  #fail(kind: ContentKind, failure: string | undefined): void {
    if (failure !== undefined && failure !== this.#failures.get(kind)?.[0]) this.#logger.warn(failure);
    if (failure === undefined) this.#failures.delete(kind);
    else this.#failures.set(kind, [failure]);
  }

  #forget(kind: ContentKind): void {
    this.#contents = { ...this.#contents, [kind]: [] };
    this.#lists.delete(kind);
  }
}

/** A server that declares a capability and lacks one of its lists, for instance templates, simply has none. */
function isMissingMethod(error: unknown): boolean {
  return error instanceof JsonRpcError && error.code === ErrorCodes.methodNotFound;
}

interface Throttle extends Disposable {
  trigger(): void;
}

/** Runs `task` at once, then again after the interval if asked meanwhile; never twice at the same time. */
function createThrottle(clock: Clock, task: () => Promise<void>): Throttle {
  const timers = new DisposableStore();
  let isBusy = false;
  let isWanted = false;

  function run(): void {
    isBusy = true;
    isWanted = false;
    const startedAt = clock.now();
    void task()
      // The task reports its own failures; what is left is the end of the connection.
      .catch(() => {})
      .then(() => timers.add(clock.after(Math.max(0, startedAt + refreshIntervalMs - clock.now()), settle)));
  }

  function settle(): void {
    timers.clear();
    isBusy = false;
    if (isWanted) run();
  }

  return {
    trigger() {
      isWanted = true;
      if (!isBusy && !timers.isDisposed) run();
    },
    dispose: () => timers.dispose(),
  };
}
