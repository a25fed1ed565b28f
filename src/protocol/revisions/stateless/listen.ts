import { createBackoff } from '../../../base/backoff.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { CancelledError, isPatchbayError, messageOf, PatchbayError } from '../../../base/errors.ts';
import { isRecord, isString, isStringArray, type UnknownRecord } from '../../../base/json.ts';
import type { Logger } from '../../../base/logger.ts';
import { type ContextChange, isAnotherAccount } from '../../httpAuthorizer.ts';
import { HttpError } from '../../httpError.ts';
import { ErrorCodes, isRequestId, JsonRpcError, type RequestId } from '../../jsonRpc.ts';
import type { ServerCapabilities } from '../../mcp/lifecycle.ts';
import type { Peer, RequestOptions } from '../../peer.ts';
import { type ListKind, listKinds, type ServerEventHandlers, type SessionSetup } from '../session.ts';
import { metaPrefix } from './envelope.ts';

/** Hears what changes on a server (2026-07-28, "Subscriptions"). */
export interface Listener {
  /**
   * Resolves when the server has agreed to tell of this resource.
   * @throws {PatchbayError} `capabilityMissing` when it does not; why it could not be asked; or the end of the connection
   */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): void;
  /** True while changes of this list are told. */
  hearsOf(kind: ListKind): boolean;
}

export interface ListenerOptions {
  readonly peer: Pick<Peer, 'onNotification' | 'ended'>;
  /** Sends `subscriptions/listen` and stays until it ends. */
  readonly listen: (params: UnknownRecord, options: RequestOptions) => Promise<unknown>;
  readonly capabilities: ServerCapabilities;
  readonly events: Pick<ServerEventHandlers, 'listChanged' | 'resourceUpdated'>;
  /** See {@link SessionSetup.onDidChangeAuthorization}. */
  readonly onDidChangeAuthorization: SessionSetup['onDidChangeAuthorization'];
  /** See {@link SessionSetup.authorizationContext}. */
  readonly authorizationContext: SessionSetup['authorizationContext'];
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** The filter as the wire has it. */
type Filter = { readonly [K in `${ListKind}ListChanged`]?: true } & {
  readonly resourceSubscriptions?: readonly string[];
};

/** One open `subscriptions/listen`. */
interface Stream {
  readonly filter: Filter;
  readonly controller: AbortController;
  readonly openedAt: number;
  id: RequestId | undefined;
  /** What the server agreed to tell; `undefined` until it has. */
  granted: Filter | undefined;
  patience: Disposable | undefined;
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const reopenPolicy = { initialMs: 1_000, factor: 2, maximumMs: 30_000, limit: Infinity, resetAfterMs: 60_000 };

/** A server that tells without having agreed first is taken at its deeds after this many milliseconds. */
const acknowledgeMs = 10_000;

/** What agrees later than this, in milliseconds, was not listening while the lists were read first. */
const lateMs = 1_000;

/** Begins to listen at once if the server has anything to tell; ends with the peer. */
export function createListener(options: ListenerOptions): Listener {
  return new StreamListener(options);
}

class StreamListener implements Listener {
  readonly #options: ListenerOptions;
  readonly #backoff;
  readonly #kinds: readonly ListKind[];
  readonly #uris = new Set<string>();
  readonly #waiters = new Map<string, Waiter[]>();
  readonly #warned = new Set<string>();
  /** The stream that tells, and the one that will take its place once it is acknowledged. */
  #current: Stream | undefined;
  #next: Stream | undefined;
  #reopening: Disposable | undefined;
  #isScheduled = false;
  /** Whoever was asked to sign in for it did not: until the server agrees to tell, nobody is asked again. */
  #isDeclined = false;
  /** Something may have happened while nobody listened. */
  #hasMissed = false;

  constructor(options: ListenerOptions) {
    const { peer, capabilities, random } = options;
    this.#options = options;
    this.#backoff = createBackoff(reopenPolicy, random);
    this.#kinds = listKinds.filter((kind) => capabilities[kind]?.listChanged === true);
    peer.onNotification('notifications/subscriptions/acknowledged', (params) => this.#receiveAcknowledgement(params));
    for (const kind of listKinds) {
      peer.onNotification(`notifications/${kind}/list_changed`, (params) => {
        if (this.#isOurs(params)) options.events.listChanged(kind);
      });
    }
    peer.onNotification('notifications/resources/updated', (params) => {
      if (this.#isOurs(params) && isString(params['uri'])) options.events.resourceUpdated(params['uri']);
    });
    peer.ended.addEventListener('abort', () => this.#end(), { once: true });
    options.authorizationContext?.onDidChange((change) => this.#enterContext(change));
    this.#open();
  }

  hearsOf(kind: ListKind): boolean {
    return this.#current?.granted?.[`${kind}ListChanged`] === true;
  }

  subscribe(uri: string): Promise<void> {
    const { ended } = this.#options.peer;
    if (ended.aborted) return Promise.reject(ended.reason as Error);
    if (this.#current?.granted?.resourceSubscriptions?.includes(uri) && this.#uris.has(uri)) return Promise.resolve();
    this.#uris.add(uri);
    this.#change();
    return new Promise((resolve, reject) => {
      const waiters = this.#waiters.get(uri) ?? [];
      this.#waiters.set(uri, [...waiters, { resolve, reject }]);
    });
  }

  unsubscribe(uri: string): void {
    if (!this.#uris.delete(uri)) return;
    this.#settle(uri, new CancelledError('The subscription was given up'));
    this.#change();
  }

  /** The stream is opened again in the new context. What another account asked for is not asked for again. */
  #enterContext(change: ContextChange): void {
    if (this.#options.peer.ended.aborted) return;
    if (isAnotherAccount(change)) {
      // Who waits asks now, for whoever is signed in.
      for (const uri of this.#uris) if (!this.#waiters.has(uri)) this.#uris.delete(uri);
      close(this.#current);
      this.#current = undefined;
    }
    // Nobody is asked to sign in for a stream.
    this.#isDeclined = change.account === '';
    this.#open();
  }

  /** A filter cannot be amended: a new stream takes the place of the old one. Several changes at once are one. */
  #change(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (!this.#options.peer.ended.aborted) this.#open();
    });
  }

  #open(): void {
    this.#reopening?.dispose();
    close(this.#next);
    this.#next = undefined;
    const filter = this.#filter();
    if (Object.keys(filter).length === 0) {
      close(this.#current);
      this.#current = undefined;
      return;
    }
    const { clock, listen } = this.#options;
    const controller = new AbortController();
    const stream: Stream = {
      filter,
      controller,
      openedAt: clock.now(),
      id: undefined,
      granted: undefined,
      patience: clock.after(acknowledgeMs, () => this.#acknowledge(stream, filter)),
    };
    this.#next = stream;
    const onSent = (id: RequestId): void => void (stream.id = id);
    const hints = { isUnattended: this.#isDeclined };
    listen({ notifications: filter }, { isOpenEnded: true, signal: controller.signal, onSent, hints }).then(
      () => this.#lose(stream, undefined),
      (error: unknown) => this.#lose(stream, error),
    );
  }

  #filter(): Filter {
    return {
      ...Object.fromEntries(this.#kinds.map((kind) => [`${kind}ListChanged`, true])),
      ...(this.#uris.size > 0 && { resourceSubscriptions: [...this.#uris] }),
    };
  }

  #receiveAcknowledgement(params: UnknownRecord): void {
    const stream = this.#next;
    if (stream === undefined) return;
    const id = subscriptionId(params);
    if (id === undefined || id === stream.id)
      this.#acknowledge(stream, readGranted(params['notifications'], stream.filter));
  }

  #acknowledge(stream: Stream, granted: Filter): void {
    if (stream !== this.#next) return;
    stream.patience?.dispose();
    stream.granted = granted;
    this.#isDeclined = false;
    this.#next = undefined;
    if (this.#current === undefined && this.#options.clock.now() - stream.openedAt > lateMs) this.#hasMissed = true;
    close(this.#current);
    this.#current = stream;
    this.#warnOfMissing(stream.filter, granted);
    for (const uri of stream.filter.resourceSubscriptions ?? []) {
      const isGranted = granted.resourceSubscriptions?.includes(uri) === true;
      this.#settle(uri, isGranted ? undefined : notGranted(uri));
    }
    if (this.#hasMissed) this.#tellMissed(granted);
    this.#hasMissed = false;
  }

  #tellMissed(granted: Filter): void {
    const { events } = this.#options;
    for (const kind of listKinds) if (granted[`${kind}ListChanged`]) events.listChanged(kind);
    for (const uri of granted.resourceSubscriptions ?? []) events.resourceUpdated(uri);
  }

  #warnOfMissing(filter: Filter, granted: Filter): void {
    const wanted = this.#kinds.filter((kind) => filter[`${kind}ListChanged`] && !granted[`${kind}ListChanged`]);
    for (const kind of wanted.filter((missing) => !this.#warned.has(missing))) {
      this.#warned.add(kind);
      this.#options.logger.warn(
        `The server declares that it tells when its ${kind} change, but does not agree to tell.`,
      );
    }
  }

  /** @param error `undefined` when the server ended it in good order */
  #lose(stream: Stream, error: unknown): void {
    stream.patience?.dispose();
    const { peer, logger } = this.#options;
    if (stream.controller.signal.aborted || peer.ended.aborted) return;
    if (stream === this.#next) this.#next = undefined;
    if (stream === this.#current) this.#current = undefined;
    if (this.#next !== undefined) {
      // A server may end the old stream for the new one, which is still to be agreed to.
      this.#hasMissed = true;
      return;
    }
    const refused = isRefusal(error);
    // Whoever waits for an answer gets it; what was agreed to before is asked for again.
    for (const uri of this.#waiters.keys())
      this.#settle(uri, refused ? unsupported(error) : (error ?? notGranted(uri)));
    if (refused) logger.debug(() => `The server does not tell of changes: ${messageOf(error)}`);
    const wantsSignIn = isPatchbayError(error, 'needsSignIn');
    if (this.#current !== undefined || (refused && !wantsSignIn)) return;
    this.#hasMissed = true;
    if (wantsSignIn) this.#openAfterSignIn(stream);
    else this.#openLater(stream);
  }

  #openLater({ openedAt }: Stream): void {
    const { clock, logger } = this.#options;
    const wait = this.#backoff.next(clock.now() - openedAt) ?? reopenPolicy.maximumMs;
    logger.debug(() => `The server stopped telling of changes; asking again in ${wait} ms.`);
    this.#reopening = clock.after(wait, () => this.#open());
  }

  #openAfterSignIn(stream: Stream): void {
    this.#isDeclined = true;
    const subscription = this.#options.onDidChangeAuthorization?.(() => {
      subscription?.dispose();
      this.#openLater(stream);
    });
    this.#reopening = subscription;
  }

  /** @param error why the server does not tell of `uri` */
  #settle(uri: string, error: unknown): void {
    const waiters = this.#waiters.get(uri);
    this.#waiters.delete(uri);
    if (error !== undefined && waiters !== undefined) this.#uris.delete(uri);
    for (const { resolve, reject } of waiters ?? []) {
      if (error === undefined) resolve();
      else reject(error);
    }
  }

  #end(): void {
    this.#reopening?.dispose();
    this.#next?.patience?.dispose();
    for (const uri of this.#waiters.keys()) this.#settle(uri, this.#options.peer.ended.reason);
  }

  /** What belongs to no stream of ours is late or not meant for us; what names none is taken. */
  #isOurs(params: UnknownRecord): boolean {
    const id = subscriptionId(params);
    return id === undefined || id === this.#current?.id || id === this.#next?.id;
  }
}

function close(stream: Stream | undefined): void {
  stream?.patience?.dispose();
  stream?.controller.abort(new CancelledError('Something else is listened to'));
}

function subscriptionId(params: UnknownRecord): RequestId | undefined {
  const meta = params['_meta'];
  const id = isRecord(meta) ? meta[`${metaPrefix}subscriptionId`] : undefined;
  return isRequestId(id) ? id : undefined;
}

/** The part of `filter` the server agreed to; all of it when it does not say. */
function readGranted(value: unknown, filter: Filter): Filter {
  if (!isRecord(value)) return filter;
  const uris = value['resourceSubscriptions'];
  const granted = isStringArray(uris) ? new Set(uris) : new Set<string>();
  const kinds = listKinds.filter((kind) => filter[`${kind}ListChanged`] && value[`${kind}ListChanged`] === true);
  return {
    ...Object.fromEntries(kinds.map((kind) => [`${kind}ListChanged`, true])),
    resourceSubscriptions: filter.resourceSubscriptions?.filter((uri) => granted.has(uri)) ?? [],
  };
}

/** Errors that would be the same the next time. */
function isRefusal(error: unknown): boolean {
  if (error instanceof JsonRpcError) return error.code !== ErrorCodes.internalError;
  if (error instanceof HttpError) return error.status < 500 && error.status !== 408 && error.status !== 429;
  return isPatchbayError(error, 'needsSignIn', 'invalidMessage');
}

function unsupported(cause: unknown): PatchbayError {
  return new PatchbayError('capabilityMissing', `The server does not tell of changes: ${messageOf(cause)}`, { cause });
}

function notGranted(uri: string): PatchbayError {
  return new PatchbayError('capabilityMissing', `The server did not agree to tell of changes of ${uri}.`);
}
