import { CancelSource } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { isSameJson } from '../../base/jsonDifference.ts';
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
/** Some servers say that a list has changed each time it is read: then the pauses grow up to this. */
const maximumIntervalMs = 60_000;
/** Longest pause of a list that had really changed. Longer ones are shown to people. */
const maximumChangingMs = 5_000;
/** Readings after notifications without a pause in between before the pauses grow. */
const quickReadings = 3;
/** Pauses start over when nothing was said after a reading for this long, and twice the pause. */
const calmMs = 10_000;

interface CatalogueEntry {
  readonly source: ListSource;
  list: List | undefined;
  failure: Error | undefined;
  /** The list is being read for the first time, or again after a failure or a change of account. */
  loading: Promise<void> | undefined;
  /** It is being read, for any reason. */
  reading: Promise<void> | undefined;
  /** It changed while it was being read: the result may or may not include the change. */
  isEarly: boolean;
  /** Milliseconds until it may be read again after a notification. */
  intervalMs: number;
  /** Readings after notifications that came without a pause in between. */
  streak: number;
  /** The server has said since the last reading began that it has changed. */
  isAnnounced: boolean;
  /** The reading that is going on is of what the server has said to have changed. */
  isReadingAnnounced: boolean;
  /** Ends the pauses. */
  calm: Disposable | undefined;
  /** When it was last read, by the clock. */
  readAt: number;
  /** Listed in an earlier authorization context: forgotten if it cannot be listed in this one. */
  isOutdated: boolean;
}

export class Catalogue implements Disposable {
  readonly #session: ListedSession;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #onDidChange = new Emitter<ContentKind>();
  readonly #disposal = new CancelSource();
  readonly #entries = new Map(listSources.map((source) => [source.kind, createEntry(source)]));
  readonly #refreshes: Coalescer<CatalogueEntry>;
  #contents = emptyContents;
  #context = 0;

  readonly onDidChange = this.#onDidChange.event;

  constructor(session: ListedSession, clock: Clock, logger: Logger) {
    this.#session = session;
    this.#clock = clock;
    this.#logger = logger;
    const refresh = (entries: readonly CatalogueEntry[]): void => entries.forEach((entry) => this.#refresh(entry));
    this.#refreshes = new Coalescer(clock, (entry) => entry.intervalMs, refresh);
  }

  get contents(): Contents {
    return this.#contents;
  }

  get problems(): readonly string[] {
    return [...this.#entries.values()].flatMap(({ failure, list, intervalMs, source }) => [
      ...(failure === undefined ? [] : [failure.message]),
      ...(list?.problems ?? []),
      ...(intervalMs > maximumChangingMs ? [restlessText(source, intervalMs)] : []),
    ]);
  }

  /** Starts to read all lists that the server offers, in parallel. Call once. */
  listAll(): void {
    for (const entry of this.#offered()) this.#load(entry);
  }

  /** Resolves when a list that is being read is complete or has failed; `undefined` if it is not being read. */
  pendingList(kind: ContentKind): Promise<void> | undefined {
    return this.#entries.get(kind)?.loading;
  }

  /**
   * What a use of the list waits for: like {@link pendingList}, and where the server has said that it has changed, the next reading,
   * without the pause that a server can make long. `undefined` if the list is as the server said last.
   */
  currentList(kind: ContentKind): Promise<void> | undefined {
    const entry = this.#entries.get(kind);
    if (entry === undefined || this.#disposal.aborted) return undefined;
    const { loading, reading, isAnnounced, isReadingAnnounced } = entry;
    if (!isAnnounced) return loading ?? (isReadingAnnounced ? reading : undefined);
    const again = (): Promise<void> => this.#read(entry);
    // It rejects only when the connection has ended, for which the use checks itself.
    return (reading?.then(again) ?? again()).catch(() => {});
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
    const entry = this.#offered().find(({ source }) => source.kind === kind);
    if (entry === undefined || entry.loading !== undefined || this.#disposal.aborted) return;
    resetPause(entry);
    this.#load(entry);
    this.#onDidChange.fire(kind);
  }

  /** The server has sent `list_changed`: reads the list again, after a pause that grows while it keeps saying so. */
  invalidate(owner: ListOwner): void {
    for (const entry of this.#offered(owner)) {
      if (this.#clock.now() - entry.readAt > calmAfter(entry)) resetPause(entry);
      entry.isAnnounced = true;
      if (entry.loading === undefined) this.#refreshes.request(entry);
      else this.#refresh(entry);
    }
    // The files of skills are resources, and no other notification reports changes of skills.
    if (owner === 'resources') this.invalidate('skills');
  }

  /** A list is shown: reads it again if it is older than its `ttlMs` (2026-07-28, Server Features / Utilities / Caching). */
  refreshStale(owner: ListOwner): void {
    if (owner !== 'skills' && this.#session.receivesListChanges(owner)) return;
    const now = this.#clock.now();
    for (const entry of this.#offered(owner)) {
      const isStale = (entry.list?.staleAt ?? Infinity) <= now;
      if (isStale && entry.loading === undefined) this.#refreshes.request(entry);
    }
  }

  /**
   * The account or its scopes changed: reads all lists again that are not public. Forgets them at once if another account
   * was signed in before. Reads nothing while signed out.
   */
  authorizationChanged(change: ContextChange): void {
    this.#context += 1;
    for (const entry of this.#offered()) {
      const { kind, method } = entry.source;
      // A first reading that is in progress detects the new context itself.
      if (entry.list === undefined && entry.failure === undefined) continue;
      if (entry.list?.isPublic && entry.failure === undefined) continue;
      if (isAnotherAccount(change)) {
        this.#forget(entry);
        // Fired before the list is read again: listeners show a list that is being read as it was seen last.
        this.#onDidChange.fire(kind);
      }
      if (change.account === '')
        this.#fail(entry, new PatchbayError('needsSignIn', `${method} waits for a sign-in: you have signed out.`));
      else {
        entry.isOutdated = true;
        if (entry.loading !== undefined) entry.isEarly = true;
        else if (entry.list !== undefined) this.#refreshes.request(entry);
        // The list is empty now: callers that need it wait as for the first reading.
        else this.#load(entry);
      }
      this.#onDidChange.fire(kind);
    }
  }

  dispose(): void {
    this.#disposal.abort(new PatchbayError('disposed', 'The connection was closed while listing.'));
    this.#refreshes.dispose();
    for (const { calm } of this.#entries.values()) calm?.dispose();
    this.#onDidChange.dispose();
  }

  #offered(of?: ListOwner): readonly CatalogueEntry[] {
    const { capabilities } = this.#session;
    return [...this.#entries.values()].filter(
      ({ source: { owner } }) => (of === undefined || owner === of) && isOffered(owner, capabilities),
    );
  }

  #load(entry: CatalogueEntry): void {
    entry.loading = this.#read(entry).catch(() => {
      // The connection was closed; waiting callers check for that.
      entry.loading = undefined;
    });
  }

  /** Reads a list again, or once more after the reading that is going on. */
  #refresh(entry: CatalogueEntry): void {
    if (entry.reading !== undefined) entry.isEarly = true;
    // It rejects only when the connection has ended.
    else this.#read(entry).catch(() => {});
  }

  /** Reads a list, never twice at the same time. Rejects only when the catalogue is disposed. */
  #read(entry: CatalogueEntry): Promise<void> {
    if (entry.reading !== undefined) return entry.reading;
    const { isAnnounced, list, failure } = entry;
    // What is said from now on may not be in it.
    entry.isAnnounced = false;
    entry.isReadingAnnounced = isAnnounced;
    entry.reading = this.#list(entry, isAnnounced).then(() => {
      const isExpected = isAnnounced || entry.loading !== undefined;
      entry.loading = undefined;
      entry.reading = undefined;
      entry.isReadingAnnounced = false;
      if (this.#disposal.aborted) return;
      // Each row that opens may read its list again: where nothing is new, the rows stay under the hand of the person.
      if (isExpected || isOther(entry, list, failure)) this.#onDidChange.fire(entry.source.kind);
      if (entry.isEarly) this.#refreshes.request(entry);
      entry.isEarly = false;
    });
    return entry.reading;
  }

  async #list(entry: CatalogueEntry, isAnnounced: boolean): Promise<void> {
    const { source } = entry;
    const { kind, owner, method } = source;
    const signal = this.#disposal;
    if (!isOffered(owner, this.#session.capabilities)) return;
    const context = this.#context;
    try {
      const list = await readList(source, this.#session, this.#clock, signal);
      entry.readAt = this.#clock.now();
      if (context !== this.#context && !list.isPublic) return await this.#list(entry, isAnnounced);
      const known = entry.list?.items;
      const isSame = isSameJson(known, list.items);
      if (isAnnounced) this.#adjustPause(entry, isSame);
      const problems = entry.list?.problems ?? [];
      for (const problem of list.problems) if (!problems.includes(problem)) this.#logger.warn(problem);
      entry.list = known !== undefined && isSame ? { ...list, items: known } : list;
      this.#contents = { ...this.#contents, [kind]: entry.list.items };
      entry.isOutdated = false;
      this.#fail(entry, list.failure);
    } catch (error) {
      signal.throwIfAborted();
      entry.readAt = this.#clock.now();
      if (context !== this.#context) return await this.#list(entry, isAnnounced);
      if (isAnnounced) this.#adjustPause(entry, true);
      if (entry.isOutdated) this.#forget(entry);
      entry.isOutdated = false;
      // A server that declares a capability but not one of its list methods, for instance templates, has an empty list.
      const isMissing = error instanceof JsonRpcError && error.code === ErrorCodes.methodNotFound;
      this.#fail(entry, isMissing ? undefined : listError(`${method} failed: ${messageOf(error)}`, error));
    }
  }

  /** After a reading that the server has asked for: the next one waits longer, but not much longer when something had changed. */
  #adjustPause(entry: CatalogueEntry, isSame: boolean): void {
    entry.streak += 1;
    if (entry.streak <= quickReadings) return;
    entry.intervalMs = isSame
      ? Math.min(entry.intervalMs * 2, maximumIntervalMs)
      : Math.min(entry.intervalMs * 1.5, maximumChangingMs);
    entry.calm?.dispose();
    if (entry.intervalMs <= maximumChangingMs) return;
    // A long pause is shown until it is over.
    entry.calm = this.#clock.after(calmAfter(entry), () => {
      resetPause(entry);
      this.#onDidChange.fire(entry.source.kind);
    });
  }

  #fail(entry: CatalogueEntry, failure: Error | undefined): void {
    if (failure !== undefined && failure.message !== entry.failure?.message) this.#logger.warn(failure.message);
    entry.failure = failure;
  }

  #forget(entry: CatalogueEntry): void {
    this.#contents = { ...this.#contents, [entry.source.kind]: [] };
    entry.list = undefined;
  }
}

/** @param list and `failure`: of the reading before */
function isOther(entry: CatalogueEntry, list: List | undefined, failure: Error | undefined): boolean {
  if (entry.list?.items !== list?.items || entry.failure?.message !== failure?.message) return true;
  return !isSameJson(entry.list?.problems, list?.problems);
}

/** Milliseconds after a reading. */
function calmAfter({ intervalMs }: CatalogueEntry): number {
  return 2 * intervalMs + calmMs;
}

function resetPause(entry: CatalogueEntry): void {
  entry.calm?.dispose();
  entry.intervalMs = refreshIntervalMs;
  entry.streak = 0;
}

function restlessText({ kind }: ListSource, intervalMs: number): string {
  return `The server keeps reporting that its ${kind} have changed when they have not. They are read at most every ${Math.round(intervalMs / 1_000)} s.`;
}

function createEntry(source: ListSource): CatalogueEntry {
  const unread = { list: undefined, failure: undefined, loading: undefined, reading: undefined };
  return {
    source,
    ...unread,
    isEarly: false,
    calm: undefined,
    isOutdated: false,
    intervalMs: refreshIntervalMs,
    streak: 0,
    isAnnounced: false,
    isReadingAnnounced: false,
    readAt: -Infinity,
  };
}
