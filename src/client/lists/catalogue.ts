import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ListLimits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { type ContextChange, isAnotherAccount } from '../../protocol/httpAuthorizer.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { ProtocolSession } from '../../protocol/session/session.ts';
import { type ContentKind, type Contents, emptyContents, type ListOwner, type ListState } from '../contents.ts';
import { isOffered, type List, listError, readList, listSources, type ListSource } from './readList.ts';

/** The lists of a running server, kept up to date. */
export interface Catalogue extends Disposable {
  readonly contents: Contents;
  /** What could not be listed or used, one sentence each. */
  readonly problems: readonly string[];
  readonly onDidChange: Event<ContentKind>;
  /** Starts to read all lists that the server offers, in parallel. Call once. */
  listAll(): void;
  /** Resolves when a list that is being read is complete or has failed; `undefined` if it is not being read. */
  pendingList(kind: ContentKind): Promise<void> | undefined;
  /** Resolves when each list has been read or has failed. */
  whenListed(): Promise<void>;
  state(kind: ContentKind): ListState;
  /** Why a list could not be read the last time, or not to its end. */
  failure(kind: ContentKind): Error | undefined;
  /** Reads a failed list again, unless it is being read already. */
  reload(kind: ContentKind): void;
  /** The server has sent `list_changed`: reads the list again, at most once per {@link refreshIntervalMs}. */
  invalidate(owner: ListOwner): void;
  /** A list is shown: reads it again if it is older than its `ttlMs` (2026-07-28, Server Features / Utilities / Caching). */
  refreshStale(owner: ListOwner): void;
  /**
   * The account or its scopes changed: reads all lists again that are not public. Forgets them at once if another account
   * was signed in before. Reads nothing while signed out.
   */
  authorizationChanged(change: ContextChange): void;
}

/** Minimum milliseconds between two readings of one list: at most four per second, however many notifications arrive. */
const refreshIntervalMs = 250;

type ListedSession = Pick<
  ProtocolSession,
  'revision' | 'capabilities' | 'request' | 'validateTool' | 'receivesListChanges'
>;

/** What a {@link Catalogue} reads, and with which limits. */
export interface CatalogueOptions {
  readonly session: ListedSession;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For each list. */
  readonly limits: ListLimits;
}

/** Creates a catalogue without entries; {@link Catalogue.listAll} starts reading. */
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
  readonly #failures = new Map<ContentKind, Error>();
  /** Lists that are being read for the first time, or again after a failure or a change of account. */
  readonly #loading = new Map<ContentKind, Promise<void>>();
  /** Lists that changed while they were loading: the result may or may not include the change. */
  readonly #early = new Set<ContentKind>();
  #contents = emptyContents;
  /** Incremented with each authorization context. */
  #context = 0;
  /** Listed in an earlier context: forgotten if they cannot be listed in this one. */
  readonly #outdated = new Set<ContentKind>();

  readonly onDidChange = this.#onDidChange.event;

  constructor({ session, clock, logger, limits }: CatalogueOptions) {
    this.#session = session;
    this.#clock = clock;
    this.#logger = logger;
    this.#limits = limits;
    const refresher = (source: ListSource): Throttle =>
      this.#disposables.add(createThrottle(clock, () => this.#list(source)));
    this.#refreshers = new Map(listSources.map((source) => [source.kind, refresher(source)]));
  }

  get contents(): Contents {
    return this.#contents;
  }

  get problems(): readonly string[] {
    return listSources.flatMap(({ kind }) => [
      ...(this.#failures.has(kind) ? [messageOf(this.#failures.get(kind))] : []),
      ...(this.#lists.get(kind)?.problems ?? []),
    ]);
  }

  listAll(): void {
    for (const source of listSources) if (isOffered(source.owner, this.#session.capabilities)) this.#load(source);
  }

  pendingList(kind: ContentKind): Promise<void> | undefined {
    return this.#loading.get(kind);
  }

  async whenListed(): Promise<void> {
    await Promise.all(this.#loading.values());
  }

  state(kind: ContentKind): ListState {
    return { isLoading: this.#loading.has(kind), failure: this.#failures.get(kind)?.message };
  }

  failure(kind: ContentKind): Error | undefined {
    return this.#failures.get(kind);
  }

  reload(kind: ContentKind): void {
    const source = listSources.find((candidate) => candidate.kind === kind);
    if (source === undefined || !isOffered(source.owner, this.#session.capabilities)) return;
    if (this.#loading.has(kind) || this.#disposables.isDisposed) return;
    this.#load(source);
    this.#onDidChange.fire(kind);
  }

  invalidate(owner: ListOwner): void {
    for (const { kind } of listSources.filter((source) => source.owner === owner)) {
      if (this.#loading.has(kind)) this.#early.add(kind);
      else this.#refreshers.get(kind)?.trigger();
    }
    // The files of skills are resources, and no other notification reports changes of skills.
    if (owner === 'resources') this.invalidate('skills');
  }

  refreshStale(owner: ListOwner): void {
    if (owner !== 'skills' && this.#session.receivesListChanges(owner)) return;
    const now = this.#clock.now();
    for (const source of listSources) {
      const staleAt = this.#lists.get(source.kind)?.staleAt ?? Infinity;
      if (source.owner === owner && staleAt <= now && !this.#loading.has(source.kind))
        this.#refreshers.get(source.kind)?.trigger();
    }
  }

  authorizationChanged(change: ContextChange): void {
    this.#context += 1;
    const offered = listSources.filter(({ owner }) => isOffered(owner, this.#session.capabilities));
    for (const source of offered) {
      const { kind, method } = source;
      // A first reading that is in progress detects the new context itself.
      const isListed = this.#lists.has(kind) || this.#failures.has(kind);
      if (!isListed || (this.#lists.get(kind)?.isPublic && !this.#failures.has(kind))) continue;
      if (isAnotherAccount(change)) {
        this.#forget(kind);
        // Fired before the list is read again: listeners show a list that is being read as it was seen last.
        this.#onDidChange.fire(kind);
      }
      if (change.account === '') this.#fail(kind, signInRequired(method));
      else {
        this.#outdated.add(kind);
        if (this.#loading.has(kind)) this.#early.add(kind);
        else if (this.#lists.has(kind)) this.#refreshers.get(kind)?.trigger();
        // The list is empty now: callers that need it wait as for the first reading.
        else this.#load(source);
      }
      this.#onDidChange.fire(kind);
    }
  }

  dispose(): void {
    this.#disposal.abort(new PatchbayError('disposed', 'The connection was closed while listing.'));
    this.#disposables.dispose();
  }

  #load(source: ListSource): void {
    const { kind } = source;
    const loaded = this.#list(source).catch(() => {
      // The connection was closed; waiting callers check for that.
      this.#loading.delete(kind);
    });
    this.#loading.set(kind, loaded);
  }

  /** Rejects only when the catalogue is disposed. */
  async #list(source: ListSource): Promise<void> {
    const { kind, owner, method } = source;
    const { signal } = this.#disposal;
    if (!isOffered(owner, this.#session.capabilities)) return;
    const context = this.#context;
    try {
      const reading = { session: this.#session, signal, clock: this.#clock, limits: this.#limits };
      const list = await readList(source, reading);
      if (context !== this.#context && !list.isPublic) return await this.#list(source);
      const known = this.#lists.get(kind)?.problems ?? [];
      for (const problem of list.problems) if (!known.includes(problem)) this.#logger.warn(problem);
      this.#contents = { ...this.#contents, [kind]: list.items };
      this.#lists.set(kind, list);
      this.#outdated.delete(kind);
      this.#fail(kind, list.failure);
    } catch (error) {
      signal.throwIfAborted();
      if (context !== this.#context) return await this.#list(source);
      if (this.#outdated.delete(kind)) this.#forget(kind);
      const failure = listError(`${method} failed: ${messageOf(error)}`, error);
      this.#fail(kind, isMissingMethod(error) ? undefined : failure);
    }
    this.#loading.delete(kind);
    if (this.#disposables.isDisposed) return;
    this.#onDidChange.fire(kind);
    if (this.#early.delete(kind)) this.#refreshers.get(kind)?.trigger();
  }

  #fail(kind: ContentKind, failure: Error | undefined): void {
    if (failure !== undefined && failure.message !== this.#failures.get(kind)?.message)
      this.#logger.warn(failure.message);
    if (failure === undefined) this.#failures.delete(kind);
    else this.#failures.set(kind, failure);
  }

  #forget(kind: ContentKind): void {
    this.#contents = { ...this.#contents, [kind]: [] };
    this.#lists.delete(kind);
  }
}

/** A server that declares a capability but not one of its list methods, for instance templates, has an empty list. */
function isMissingMethod(error: unknown): boolean {
  return error instanceof JsonRpcError && error.code === ErrorCodes.methodNotFound;
}

function signInRequired(method: string): PatchbayError {
  return new PatchbayError('needsSignIn', `${method} waits for a sign-in: you have signed out.`);
}

interface Throttle extends Disposable {
  trigger(): void;
}

/** Runs `task` at once, and again after the interval if triggered in the meantime; never twice at the same time. */
function createThrottle(clock: Clock, task: () => Promise<void>): Throttle {
  const timers = new DisposableStore();
  let isBusy = false;
  let isWanted = false;

  function run(): void {
    isBusy = true;
    isWanted = false;
    const startedAt = clock.now();
    void task()
      // The task reports its own failures; it rejects only when the connection has ended.
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
