import { delay, linkAbort, raceAbort, waitAtMost } from '../../../base/abort.ts';
import { Backoff } from '../../../base/backoff.ts';
import { isPatchbayError, PatchbayError } from '../../../base/errors.ts';
import { isRecord, isString, isStringArray } from '../../../base/json.ts';
import { HttpError } from '../../httpError.ts';
import { JsonRpcError, type JsonRpcErrorBody } from '../../jsonRpc.ts';
import { readServerFacts, type ServerFacts } from '../../mcp/lifecycle.ts';
import type { Peer } from '../../peer.ts';
import {
  type HandshakeRevision,
  handshakeRevisions,
  isHandshakeRevision,
  latestHandshakeRevision,
} from '../../session/revision.ts';
import type { SessionSetup } from '../../session/session.ts';

export interface InitializeResult extends ServerFacts {
  readonly revision: HandshakeRevision;
}

/**
 * Does the handshake: `initialize`, the choice of a revision, `notifications/initialized` (2025-11-25, Basic / Lifecycle,
 * "Initialization").
 * @throws {PatchbayError} `unsupportedRevision` without a common revision; `connectionClosed` when the server refuses for
 * another reason, or `HttpError` if it did so with a status; `timeout`; or an error of the peer
 */
export async function initialize(peer: Peer, setup: SessionSetup): Promise<InitializeResult> {
  const wanted = wantedRevision(setup.revision);
  const raw = await requestInitialize(peer, setup, wanted);
  if (!isRecord(raw))
    throw new PatchbayError('invalidMessage', 'The server answered initialize with something that is not an object.');
  // The first published servers name a revision before the first one, which is the same on the wire.
  const revision = raw['protocolVersion'] === '2024-10-07' ? '2024-11-05' : raw['protocolVersion'];
  if (!isHandshakeRevision(revision)) {
    const named = isString(revision) ? `protocol revision "${revision.slice(0, 40)}"` : 'no protocol revision';
    throw unsupportedRevision(
      `The server named ${named}; this version of Patchbay speaks ${handshakeRevisions.join(', ')}.`,
    );
  }
  if (setup.revision !== undefined && revision !== setup.revision)
    throw unsupportedRevision(
      `The server answered with protocol revision ${revision}, but ${setup.revision} is set for it. Change or remove the option "revision".`,
    );
  if (revision === '2025-03-26') peer.answerBatches();
  setup.negotiated(revision);
  // Over HTTP this waits for the server's response, which may never come.
  const sending = raceAbort(peer.notify('notifications/initialized'), setup.signal);
  await waitAtMost(sending, setup.clock, initializedTimeoutMs);
  return { revision, ...readServerFacts(raw, raw['serverInfo']) };
}

async function requestInitialize(peer: Peer, setup: SessionSetup, wanted: HandshakeRevision): Promise<unknown> {
  const ask = (protocolVersion: HandshakeRevision, timeoutMs: number): Promise<unknown> => {
    const { capabilities, clientInfo, signal } = setup;
    const params = { protocolVersion, capabilities, clientInfo };
    return peer.request('initialize', params, { timeoutMs, signal, isCancellable: false });
  };
  try {
    return await ask(wanted, setup.connectMs);
  } catch (error) {
    // Some servers refuse an unknown revision instead of offering their own (2025-11-25, Basic / Lifecycle, "Error
    // Handling").
    if (!isRefusal(error) || setup.revision !== undefined) throw toHandshakeError(error);
    const body = errorBodyOf(error);
    const words = body?.message ?? (error instanceof HttpError ? error.words : '');
    const supported = (body && offeredBy(body)) ?? namedIn(words, wanted);
    if (supported === undefined) return await tryOlderRevisions(ask, wanted, toHandshakeError(error));
    // The error codes differ between servers, so only the list of revisions counts.
    const offered = handshakeRevisions.findLast((revision) => supported.includes(revision));
    if (offered === undefined || offered === wanted) throw toHandshakeError(error);
    return ask(offered, setup.connectMs).catch((second: unknown) => {
      throw toHandshakeError(second);
    });
  }
}

/** Milliseconds to wait for the response to a notification, which says nothing. */
const initializedTimeoutMs = 5_000;
/** Maximum milliseconds for each further attempt after a refusal. */
const olderRevisionTimeoutMs = 5_000;

/** Offers the older revisions, newest first. @throws {unknown} `first`: it may name another problem */
async function tryOlderRevisions(
  ask: (revision: HandshakeRevision, timeoutMs: number) => Promise<unknown>,
  refusedRevision: HandshakeRevision,
  first: unknown,
): Promise<unknown> {
  for (const revision of handshakeRevisions.toReversed()) {
    if (revision >= refusedRevision) continue;
    try {
      return await ask(revision, olderRevisionTimeoutMs);
    } catch (error) {
      if (!isRefusal(error)) throw first;
    }
  }
  throw first;
}

/** True for a JSON-RPC error, or a status with other words that does not ask for authorization: some servers fail at a new revision. */
function isRefusal(error: unknown): boolean {
  if (errorBodyOf(error) !== undefined) return true;
  if (!(error instanceof HttpError) || error.hasChallenge) return false;
  return error.status === 400 || error.status === 422 || (error.status === 500 && /version/i.test(error.words));
}

/** The revisions besides `wanted` that a refusal names in its words; `undefined` without any. */
function namedIn(words: string, wanted: string): readonly string[] | undefined {
  const named = (words.match(/\b20\d\d-\d\d-\d\d\b/g) ?? []).filter((date) => date !== wanted);
  return named.some((date) => isHandshakeRevision(date)) ? named : undefined;
}

/** The JSON-RPC error with which the server refused the request; `undefined` for other failures. */
function errorBodyOf(error: unknown): JsonRpcErrorBody | undefined {
  if (error instanceof HttpError) return error.body;
  return error instanceof JsonRpcError ? error : undefined;
}

function wantedRevision(pinned: string | undefined): HandshakeRevision {
  if (pinned === undefined) return latestHandshakeRevision;
  if (isHandshakeRevision(pinned)) return pinned;
  throw unsupportedRevision(
    `The protocol revision "${pinned}" set for this server is not known. Use one of ${handshakeRevisions.join(', ')}.`,
  );
}

function offeredBy({ data }: JsonRpcErrorBody): readonly string[] | undefined {
  if (!isRecord(data)) return undefined;
  const { supported } = data;
  return isStringArray(supported) ? supported : undefined;
}

/** Converts the server's refusal to an error with a sentence for the user; other errors are returned unchanged. */
function toHandshakeError(error: unknown): unknown {
  const body = errorBodyOf(error);
  if (body === undefined) return error;
  const offered = offeredBy(body)
    ?.slice(0, 10)
    .map((revision) => revision.slice(0, 40));
  // The message of an `HttpError` also has the address.
  if (offered === undefined && error instanceof HttpError) return error;
  const known = offered === undefined ? '' : ` It speaks ${offered.join(', ')}.`;
  return new PatchbayError(
    offered === undefined ? 'connectionClosed' : 'unsupportedRevision',
    `The server refused the handshake: "${body.message}" (code ${body.code}).${known}`,
    { cause: error },
  );
}

function unsupportedRevision(message: string): PatchbayError {
  return new PatchbayError('unsupportedRevision', message);
}

/** For sessions that are lost soon after they open, for instance behind a load balancer without sticky sessions. */
const backoffPolicy = { initialMs: 1_000, factor: 2, maximumMs: 30_000, limit: Infinity, resetAfterMs: 60_000 };

/**
 * Creates a function that repeats the handshake within `connectMs`; with a delay if the last session was short.
 * @param revision the revision of the first session, which a new one must have
 * @returns it rejects with an error of {@link initialize}, `timeout`, or `sessionLost` if the server changed the revision
 */
export function createReinitialize(peer: Peer, setup: SessionSetup, revision: string): () => Promise<InitializeResult> {
  const { clock, random, connectMs, signal } = setup;
  const backoff = new Backoff(backoffPolicy, random);
  let openedAt = -Infinity;
  return async () => {
    if (clock.now() - openedAt >= backoffPolicy.resetAfterMs) backoff.reset();
    else await delay(clock, backoff.next(0) ?? backoffPolicy.maximumMs, signal);
    const linked = linkAbort(signal);
    const timer = clock.after(connectMs, () => {
      const message = `The server has forgotten the session, and did not open a new one within ${Math.round(connectMs / 1_000)} s. Try again, or restart it.`;
      linked.abort(new PatchbayError('timeout', message));
    });
    try {
      const result = await initialize(peer, { ...setup, revision, signal: linked.signal });
      openedAt = clock.now();
      return result;
    } catch (error) {
      if (setup.revision !== undefined || !isPatchbayError(error, 'unsupportedRevision')) throw error;
      const message = `The server has forgotten the session, and does not open a new one in protocol revision ${revision}. Restart it in Patchbay to negotiate the revision again.`;
      throw new PatchbayError('sessionLost', message, { cause: error });
    } finally {
      timer.dispose();
      linked.dispose();
    }
  };
}
