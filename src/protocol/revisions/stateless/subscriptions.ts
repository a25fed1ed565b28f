import { Backoff } from '../../../base/backoff.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { CancelledError, isPatchbayError, messageOf, PatchbayError } from '../../../base/errors.ts';
import { isRecord, isString, isStringArray, type UnknownRecord } from '../../../base/json.ts';
import { type ContextChange, isAnotherAccount } from '../../httpAuthorizer.ts';
import { HttpError } from '../../httpError.ts';
import { ErrorCodes, isRequestId, JsonRpcError, ownId, type RequestId } from '../../jsonRpc.ts';
import type { ServerCapabilities } from '../../mcp/lifecycle.ts';
import type { Peer } from '../../peer.ts';
import type { RequestOptions } from '../../pendingRequests.ts';
import { changedList, type ListKind, listKinds, type SessionSetup } from '../../session/session.ts';
import { metaPrefix } from './requestMetadata.ts';

/** What a stream tells of: changes of these lists, and updates of these resources. */
interface Filter {
  readonly kinds: readonly ListKind[];
  readonly uris: readonly string[];
}

interface Stream {
  readonly filter: Filter;
  readonly controller: AbortController;
  readonly openedAt: number;
  id: RequestId | undefined;
  /** The part of the filter that the server acknowledged; `undefined` before. */
  granted: Filter | undefined;
  acknowledgeTimer: Disposable | undefined;
}

const reconnectPolicy = { initialMs: 1_000, factor: 2, maximumMs: 30_000, limit: Infinity, resetAfterMs: 60_000 };

/** After this many milliseconds without an acknowledgement, assume that the whole filter is granted. */
const acknowledgeTimeoutMs = 10_000;

/** After a later acknowledgement (milliseconds), changes may have been missed since the lists were first read. */
const maximumAcknowledgeDelayMs = 1_000;

/** The change notifications of a server (2026-07-28, Basic / Patterns / Subscriptions). */
export class Subscriptions {
  readonly #peer: Peer;
  readonly #setup: SessionSetup;
  readonly #listen: (params: UnknownRecord, options: RequestOptions) => Promise<unknown>;
  readonly #resourceUpdated: (uri: string) => void;
  readonly #backoff;
  readonly #kinds: readonly ListKind[];
  readonly #uris = new Set<string>();
  /** Settle pending subscriptions; without an error they succeeded. */
  readonly #waiters = new Map<string, readonly ((error: unknown) => void)[]>();
  readonly #warned = new Set<string>();
  /** The active stream, and the one that replaces it when it is acknowledged. */
  #current: Stream | undefined;
  #next: Stream | undefined;
  #reopening: Disposable | undefined;
  #isScheduled = false;
  /** The user declined the sign-in for the stream. They are not asked again before a stream is acknowledged. */
  #isSignInDeclined = false;
  /** No stream was open for some time, so changes may have been missed. */
  #hasMissed = false;

  /** @param listen sends `subscriptions/listen`; settles when the stream ends */
  constructor(
    peer: Peer,
    setup: SessionSetup,
    capabilities: ServerCapabilities,
    listen: (params: UnknownRecord, options: RequestOptions) => Promise<unknown>,
    resourceUpdated: (uri: string) => void,
  ) {
    this.#peer = peer;
    this.#setup = setup;
    this.#listen = listen;
    this.#resourceUpdated = resourceUpdated;
    this.#backoff = new Backoff(reconnectPolicy, setup.random);
    this.#kinds = listKinds.filter((kind) => capabilities[kind]?.listChanged === true);
    peer.onNotification((method, params) => this.#receive(method, params));
    peer.ended.addEventListener('abort', () => this.#end(), { once: true });
    setup.authorizationContext?.onDidChange((change) => this.#changeContext(change));
    this.#open();
  }

  receivesListChanges(kind: ListKind): boolean {
    return this.#current?.granted?.kinds.includes(kind) === true;
  }

  /** @throws {PatchbayError} `capabilityMissing`; why the request failed; or the end of the connection */
  subscribe(uri: string): Promise<void> {
    const { ended } = this.#peer;
    if (ended.aborted) return Promise.reject(ended.reason as Error);
    if (this.#current?.granted?.uris.includes(uri) && this.#uris.has(uri)) return Promise.resolve();
    this.#uris.add(uri);
    this.#change();
    return new Promise((resolve, reject) => {
      const waiters = this.#waiters.get(uri) ?? [];
      this.#waiters.set(uri, [...waiters, (error) => (error === undefined ? resolve() : reject(error))]);
    });
  }

  /** Ends a subscription; a pending `subscribe` rejects. */
  unsubscribe(uri: string): void {
    if (!this.#uris.delete(uri)) return;
    this.#settle(uri, new CancelledError('The subscription was given up'));
    this.#change();
  }

  /** Opens a new stream in the new context. Subscriptions of another account are dropped. */
  #changeContext(change: ContextChange): void {
    if (this.#peer.ended.aborted) return;
    if (isAnotherAccount(change)) {
      // Pending subscriptions are made for the new account.
      for (const uri of this.#uris) if (!this.#waiters.has(uri)) this.#uris.delete(uri);
      closeStream(this.#current);
      this.#current = undefined;
    }
    // Do not ask the user to sign in for a stream.
    this.#isSignInDeclined = change.account === '';
    this.#open();
  }

  /** Opens a new stream with the new filter in a microtask: a filter cannot be changed, and changes are batched. */
  #change(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (!this.#peer.ended.aborted) this.#open();
    });
  }

  #open(): void {
    this.#reopening?.dispose();
    closeStream(this.#next);
    this.#next = undefined;
    const filter: Filter = { kinds: this.#kinds, uris: [...this.#uris] };
    if (filter.kinds.length === 0 && filter.uris.length === 0) {
      closeStream(this.#current);
      this.#current = undefined;
      return;
    }
    const { clock } = this.#setup;
    const controller = new AbortController();
    const stream: Stream = {
      filter,
      controller,
      openedAt: clock.now(),
      id: undefined,
      granted: undefined,
      acknowledgeTimer: clock.after(acknowledgeTimeoutMs, () => this.#acknowledge(stream, filter)),
    };
    this.#next = stream;
    const onSent = (id: RequestId): void => void (stream.id = id);
    const hints = { isUnattended: this.#isSignInDeclined };
    const notifications = {
      ...Object.fromEntries(filter.kinds.map((kind) => [`${kind}ListChanged`, true])),
      ...(filter.uris.length > 0 && { resourceSubscriptions: filter.uris }),
    };
    this.#listen({ notifications }, { isOpenEnded: true, signal: controller.signal, onSent, hints }).then(
      () => this.#handleStreamEnd(stream, undefined),
      (error: unknown) => this.#handleStreamEnd(stream, error),
    );
  }

  /** @returns false for a notification that does not belong to subscriptions */
  #receive(method: string, params: UnknownRecord): boolean {
    const { events } = this.#setup;
    const list = changedList(method);
    if (method === 'notifications/subscriptions/acknowledged') this.#receiveAcknowledgement(params);
    else if (list !== undefined) {
      if (this.#isForOpenStream(params)) events.listChanged(list);
    } else if (method === 'notifications/resources/updated') {
      if (this.#isForOpenStream(params) && isString(params['uri'])) this.#resourceUpdated(params['uri']);
    } else return false;
    return true;
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
    stream.acknowledgeTimer?.dispose();
    stream.granted = granted;
    this.#isSignInDeclined = false;
    this.#next = undefined;
    if (this.#current === undefined && this.#setup.clock.now() - stream.openedAt > maximumAcknowledgeDelayMs)
      this.#hasMissed = true;
    closeStream(this.#current);
    this.#current = stream;
    this.#warnOfMissing(granted);
    for (const uri of stream.filter.uris)
      this.#settle(uri, granted.uris.includes(uri) ? undefined : notGrantedError(uri));
    if (!this.#hasMissed) return;
    this.#hasMissed = false;
    for (const kind of granted.kinds) this.#setup.events.listChanged(kind);
    for (const uri of granted.uris) this.#resourceUpdated(uri);
  }

  #warnOfMissing(granted: Filter): void {
    for (const kind of this.#kinds) {
      if (granted.kinds.includes(kind) || this.#warned.has(kind)) continue;
      this.#warned.add(kind);
      this.#setup.logger.warn(
        `The server declares that it notifies when its ${kind} change, but did not acknowledge that.`,
      );
    }
  }

  /** Handles the end of a stream. @param error `undefined` when the server ended it normally */
  #handleStreamEnd(stream: Stream, error: unknown): void {
    stream.acknowledgeTimer?.dispose();
    const { logger } = this.#setup;
    if (stream.controller.signal.aborted || this.#peer.ended.aborted) return;
    if (stream === this.#next) this.#next = undefined;
    if (stream === this.#current) this.#current = undefined;
    if (this.#next !== undefined) {
      // The server may end the old stream before it acknowledges the new one.
      this.#hasMissed = true;
      return;
    }
    const refused = isRefusal(error);
    // Pending subscriptions are settled; acknowledged ones are requested again.
    const refusal = `The server refused to send changes: ${messageOf(error)}`;
    const unsupported = refused ? new PatchbayError('capabilityMissing', refusal, { cause: error }) : error;
    for (const uri of this.#waiters.keys()) this.#settle(uri, unsupported ?? notGrantedError(uri));
    if (refused) logger.debug(() => refusal);
    const wantsSignIn = isPatchbayError(error, 'needsSignIn');
    if (this.#current !== undefined || (refused && !wantsSignIn)) return;
    this.#hasMissed = true;
    if (wantsSignIn) this.#openAfterSignIn(stream);
    else this.#openLater(stream);
  }

  #openLater({ openedAt }: Stream): void {
    const { clock, logger } = this.#setup;
    const wait = this.#backoff.next(clock.now() - openedAt) ?? reconnectPolicy.maximumMs;
    logger.debug(() => `The stream for change notifications has ended; opening it again in ${wait} ms.`);
    this.#reopening = clock.after(wait, () => this.#open());
  }

  #openAfterSignIn(stream: Stream): void {
    this.#isSignInDeclined = true;
    const subscription = this.#setup.onDidChangeAuthorization?.(() => {
      subscription?.dispose();
      this.#openLater(stream);
    });
    this.#reopening = subscription;
  }

  #settle(uri: string, error: unknown): void {
    const waiters = this.#waiters.get(uri);
    this.#waiters.delete(uri);
    if (error !== undefined && waiters !== undefined) this.#uris.delete(uri);
    for (const settle of waiters ?? []) settle(error);
  }

  #end(): void {
    this.#reopening?.dispose();
    this.#next?.acknowledgeTimer?.dispose();
    for (const uri of this.#waiters.keys()) this.#settle(uri, this.#peer.ended.reason);
  }

  /** False for notifications of another stream, which are late or misdirected. Those without an id are accepted. */
  #isForOpenStream(params: UnknownRecord): boolean {
    const id = subscriptionId(params);
    return id === undefined || id === this.#current?.id || id === this.#next?.id;
  }
}

function closeStream(stream: Stream | undefined): void {
  stream?.acknowledgeTimer?.dispose();
  stream?.controller.abort(new CancelledError('Something else is listened to'));
}

function subscriptionId(params: UnknownRecord): RequestId | undefined {
  const meta = params['_meta'];
  const id = isRecord(meta) ? meta[`${metaPrefix}subscriptionId`] : undefined;
  return isRequestId(id) ? ownId(id) : undefined;
}

/** The part of `filter` that the server acknowledged; all of it if the server does not say. */
function readGranted(value: unknown, filter: Filter): Filter {
  if (!isRecord(value)) return filter;
  const uris = value['resourceSubscriptions'];
  const granted = new Set(isStringArray(uris) ? uris : []);
  return {
    kinds: filter.kinds.filter((kind) => value[`${kind}ListChanged`] === true),
    uris: filter.uris.filter((uri) => granted.has(uri)),
  };
}

/** True for errors that a retry would not change. */
function isRefusal(error: unknown): boolean {
  if (error instanceof JsonRpcError) return error.code !== ErrorCodes.internalError;
  if (error instanceof HttpError) return error.status < 500 && error.status !== 408 && error.status !== 429;
  return isPatchbayError(error, 'needsSignIn', 'invalidMessage');
}

function notGrantedError(uri: string): PatchbayError {
  return new PatchbayError('capabilityMissing', `The server did not acknowledge the subscription to ${uri}.`);
}
