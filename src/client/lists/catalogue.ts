import { CancelSource } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { type ContextChange, isAnotherAccount } from '../../protocol/httpAuthorizer.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import { type ContentKind, type Contents, emptyContents, type ListOwner, type ListState } from '../contents.ts';
import {
  isOffered,
  type List,
  type ListedSession,
  listError,
  readList,
  listSources,
  type ListSource,
} from './readList.ts';

/** Minimum milliseconds between two readings of one list: at most four per second, however many notifications arrive. */
const refreshIntervalMs = 250;

interface CatalogueEntry {
  list: List | undefined;
  failure: Error | undefined;
  /** The list is being read for the first time, or again after a failure or a change of account. */
  loading: Promise<void> | undefined;
  /** It is being read, for any reason. */
  reading: Promise<void> | undefined;
  /** It changed while it was being read: the result may or may not include the change. */
  isEarly: boolean;
  /** Listed in an earlier authorization context: forgotten if it cannot be listed in this one. */
  isOutdated: boolean;
}

/** The lists of a running server, kept up to date. */
export class Catalogue implements Disposable {
  readonly #session: ListedSession;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #onDidChange = new Emitter<ContentKind>();
  readonly #disposal = new CancelSource();
  readonly #entries = new Map<ContentKind, CatalogueEntry>();
  /** Readings after changes. */
  readonly #refreshes: Coalescer<ListSource>;
  #contents = emptyContents;
  #context = 0;

  constructor(session: ListedSession, clock: Clock, logger: Logger) {
    this.#session = session;
    this.#clock = clock;
    this.#logger = logger;
    this.#refreshes = new Coalescer(
      clock,
      () => refreshIntervalMs,
      (sources) => sources.forEach((source) => this.#refresh(source)),
    );
  }

  get onDidChange(): Event<ContentKind> {
    return this.#onDidChange.event;
  }

  get contents(): Contents {
    return this.#contents;
  }

  get problems(): readonly string[] {
    return listSources.flatMap(({ kind }) => {
      const { failure, list } = this.#entries.get(kind) ?? {};
      return [...(failure === undefined ? [] : [failure.message]), ...(list?.problems ?? [])];
    });
  }

  /** Starts to read all lists that the server offers, in parallel. Call once. */
  listAll(): void {
    for (const source of listSources) if (isOffered(source.owner, this.#session.capabilities)) this.#load(source);
  }

  /** Resolves when a list that is being read is complete or has failed; `undefined` if it is not being read. */
  pendingList(kind: ContentKind): Promise<void> | undefined {
    return this.#entries.get(kind)?.loading;
  }

  async whenListed(): Promise<void> {
    await Promise.all([...this.#entries.values()].flatMap(({ loading }) => loading ?? []));
  }

  state(kind: ContentKind): ListState {
    const { loading, failure } = this.#entries.get(kind) ?? {};
    return { isLoading: loading !== undefined, failure: failure?.message };
  }

  /** Why a list could not be read the last time, or not to its end. */
  failure(kind: ContentKind): Error | undefined {
    return this.#entries.get(kind)?.failure;
  }

  /** Reads a failed list again, unless it is being read already. */
  reload(kind: ContentKind): void {
    const source = listSources.find((candidate) => candidate.kind === kind);
    if (source === undefined || !isOffered(source.owner, this.#session.capabilities)) return;
    if (this.pendingList(kind) !== undefined || this.#disposal.aborted) return;
    this.#load(source);
    this.#onDidChange.fire(kind);
  }

  /** The server has sent `list_changed`: reads the list again, at most once per {@link refreshIntervalMs}. */
  invalidate(owner: ListOwner): void {
    for (const source of listSources) {
      if (source.owner !== owner || !isOffered(owner, this.#session.capabilities)) continue;
      if (this.#entryOf(source).loading === undefined) this.#refreshes.request(source);
      else this.#refresh(source);
    }
    // The files of skills are resources, and no other notification reports changes of skills.
    if (owner === 'resources') this.invalidate('skills');
  }

  /** A list is shown: reads it again if it is older than its `ttlMs` (2026-07-28, Server Features / Utilities / Caching). */
  refreshStale(owner: ListOwner): void {
    if (owner !== 'skills' && this.#session.receivesListChanges(owner)) return;
    const now = this.#clock.now();
    for (const source of listSources) {
      const { list, loading } = this.#entries.get(source.kind) ?? {};
      const isStale = (list?.staleAt ?? Infinity) <= now;
      if (source.owner === owner && isStale && loading === undefined) this.#refreshes.request(source);
    }
  }

  /**
   * The account or its scopes changed: reads all lists again that are not public. Forgets them at once if another account
   * was signed in before. Reads nothing while signed out.
   */
  authorizationChanged(change: ContextChange): void {
    this.#context += 1;
    const offered = listSources.filter(({ owner }) => isOffered(owner, this.#session.capabilities));
    for (const source of offered) {
      const { kind, method } = source;
      const entry = this.#entries.get(kind);
      // A first reading that is in progress detects the new context itself.
      if (entry === undefined || (entry.list === undefined && entry.failure === undefined)) continue;
      if (entry.list?.isPublic && entry.failure === undefined) continue;
      if (isAnotherAccount(change)) {
        this.#forget(kind, entry);
        // Fired before the list is read again: listeners show a list that is being read as it was seen last.
        this.#onDidChange.fire(kind);
      }
      if (change.account === '') this.#fail(entry, signInRequired(method));
      else {
        entry.isOutdated = true;
        if (entry.loading !== undefined) entry.isEarly = true;
        else if (entry.list !== undefined) this.#refreshes.request(source);
        // The list is empty now: callers that need it wait as for the first reading.
        else this.#load(source);
      }
      this.#onDidChange.fire(kind);
    }
  }

  dispose(): void {
    this.#disposal.abort(new PatchbayError('disposed', 'The connection was closed while listing.'));
    this.#refreshes.dispose();
    this.#onDidChange.dispose();
  }

  #entryOf(source: ListSource): CatalogueEntry {
    const known = this.#entries.get(source.kind);
    if (known !== undefined) return known;
    const entry: CatalogueEntry = {
      list: undefined,
      failure: undefined,
      loading: undefined,
      reading: undefined,
      isEarly: false,
      isOutdated: false,
    };
    this.#entries.set(source.kind, entry);
    return entry;
  }

  #load(source: ListSource): void {
    const entry = this.#entryOf(source);
    entry.loading = this.#read(source, entry).catch(() => {
      // The connection was closed; waiting callers check for that.
      entry.loading = undefined;
    });
  }

  /** Reads a list again, or once more after the reading that is going on. */
  #refresh(source: ListSource): void {
    const entry = this.#entryOf(source);
    if (entry.reading !== undefined) entry.isEarly = true;
    // It rejects only when the connection has ended.
    else this.#read(source, entry).catch(() => {});
  }

  /** Reads a list, never twice at the same time. Rejects only when the catalogue is disposed. */
  #read(source: ListSource, entry: CatalogueEntry): Promise<void> {
    entry.reading ??= this.#list(source, entry).then(() => {
      entry.loading = undefined;
      entry.reading = undefined;
      if (this.#disposal.aborted) return;
      this.#onDidChange.fire(source.kind);
      if (entry.isEarly) this.#refreshes.request(source);
      entry.isEarly = false;
    });
    return entry.reading;
  }

  async #list(source: ListSource, entry: CatalogueEntry): Promise<void> {
    const { kind, owner, method } = source;
    const signal = this.#disposal;
    if (!isOffered(owner, this.#session.capabilities)) return;
    const context = this.#context;
    try {
      const list = await readList(source, this.#session, this.#clock, signal);
      if (context !== this.#context && !list.isPublic) return await this.#list(source, entry);
      const known = entry.list?.problems ?? [];
      for (const problem of list.problems) if (!known.includes(problem)) this.#logger.warn(problem);
      this.#contents = { ...this.#contents, [kind]: list.items };
      entry.list = list;
      entry.isOutdated = false;
      this.#fail(entry, list.failure);
    } catch (error) {
      signal.throwIfAborted();
      if (context !== this.#context) return await this.#list(source, entry);
      if (entry.isOutdated) this.#forget(kind, entry);
      entry.isOutdated = false;
      const failure = listError(`${method} failed: ${messageOf(error)}`, error);
      this.#fail(entry, isMissingMethod(error) ? undefined : failure);
    }
  }

  #fail(entry: CatalogueEntry, failure: Error | undefined): void {
    if (failure !== undefined && failure.message !== entry.failure?.message) this.#logger.warn(failure.message);
    entry.failure = failure;
  }

  #forget(kind: ContentKind, entry: CatalogueEntry): void {
    this.#contents = { ...this.#contents, [kind]: [] };
    entry.list = undefined;
  }
}

/** A server that declares a capability but not one of its list methods, for instance templates, has an empty list. */
function isMissingMethod(error: unknown): boolean {
  return error instanceof JsonRpcError && error.code === ErrorCodes.methodNotFound;
}

function signInRequired(method: string): PatchbayError {
  return new PatchbayError('needsSignIn', `${method} waits for a sign-in: you have signed out.`);
}
