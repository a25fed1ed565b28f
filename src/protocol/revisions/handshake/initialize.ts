import { delay, linkAbort, raceAbort } from '../../../base/abort.ts';
import { Backoff } from '../../../base/backoff.ts';
import { isPatchbayError, PatchbayError } from '../../../base/errors.ts';
import { isRecord, isString, isStringArray } from '../../../base/json.ts';
import { HttpError } from '../../httpError.ts';
import { JsonRpcError, type JsonRpcErrorBody } from '../../jsonRpc.ts';
import type { Implementation } from '../../mcp/base.ts';
import {
  readImplementation,
  readInstructions,
  readServerCapabilities,
  type ServerCapabilities,
} from '../../mcp/lifecycle.ts';
import type { Peer } from '../../peer.ts';
import {
  type HandshakeRevision,
  handshakeRevisions,
  isHandshakeRevision,
  latestHandshakeRevision,
} from '../../session/revision.ts';
import type { SessionSetup } from '../../session/session.ts';

export interface InitializeResult {
  readonly revision: HandshakeRevision;
  readonly server: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
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
  const revision = raw['protocolVersion'];
  if (!isHandshakeRevision(revision)) throw unsupportedRevisionError(revision);
  if (setup.revision !== undefined && revision !== setup.revision)
    throw revisionMismatchError(setup.revision, revision);
  if (revision === '2025-03-26') peer.answerBatches();
  setup.negotiated(revision);
  // Over HTTP this waits for the server's response, which may never come.
  await raceAbort(peer.notify('notifications/initialized'), setup.signal);
  return {
    revision,
    server: readImplementation(raw['serverInfo']),
    capabilities: readServerCapabilities(raw['capabilities']),
    instructions: readInstructions(raw['instructions']),
  };
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
    const body = errorBodyOf(error);
    if (body === undefined || setup.revision !== undefined) throw toHandshakeError(error);
    if (offeredBy(body) === undefined) return await tryOlderRevisions(ask, wanted, toHandshakeError(error));
    const offered = bestOffered(body);
    if (offered === undefined || offered === wanted) throw toHandshakeError(error);
    return ask(offered, setup.connectMs).catch((second: unknown) => {
      throw toHandshakeError(second);
    });
  }
}

/** Maximum milliseconds for each further attempt after a refusal. */
const olderRevisionTimeoutMs = 5_000;

/**
 * Offers the older revisions, newest first, to a server that refuses without a list of its revisions.
 * @throws {unknown} `first`, the refusal of the newest revision: it may name another problem
 */
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
      if (errorBodyOf(error) === undefined) throw first;
    }
  }
  throw first;
}

/** The JSON-RPC error with which the server refused the request; `undefined` for other failures. */
function errorBodyOf(error: unknown): JsonRpcErrorBody | undefined {
  if (error instanceof HttpError) return error.body;
  return error instanceof JsonRpcError ? error : undefined;
}

function wantedRevision(pinned: string | undefined): HandshakeRevision {
  if (pinned === undefined) return latestHandshakeRevision;
  if (isHandshakeRevision(pinned)) return pinned;
  throw new PatchbayError(
    'unsupportedRevision',
    `The protocol revision "${pinned}" set for this server is not known. Use one of ${handshakeRevisions.join(', ')}.`,
  );
}

/** The newest common revision. The error codes differ between servers, so only the list of revisions counts. */
function bestOffered(body: JsonRpcErrorBody): HandshakeRevision | undefined {
  const offered = offeredBy(body);
  return handshakeRevisions.findLast((revision) => offered?.includes(revision));
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

function unsupportedRevisionError(revision: unknown): PatchbayError {
  const named = isString(revision) ? `protocol revision "${revision.slice(0, 40)}"` : 'no protocol revision';
  const known = handshakeRevisions.join(', ');
  return new PatchbayError(
    'unsupportedRevision',
    `The server named ${named}; this version of Patchbay speaks ${known}.`,
  );
}

function revisionMismatchError(pinned: string, revision: string): PatchbayError {
  return new PatchbayError(
    'unsupportedRevision',
    `The server answered with protocol revision ${revision}, but ${pinned} is set for it. Change or remove the option "revision".`,
  );
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
    const timer = clock.after(connectMs, () => linked.abort(reinitializeTimeoutError(connectMs)));
    try {
      const result = await initialize(peer, { ...setup, revision, signal: linked.signal });
      openedAt = clock.now();
      return result;
    } catch (error) {
      const isPinned = setup.revision !== undefined;
      throw isPatchbayError(error, 'unsupportedRevision') && !isPinned ? revisionChangedError(revision, error) : error;
    } finally {
      timer.dispose();
      linked.dispose();
    }
  };
}

function reinitializeTimeoutError(milliseconds: number): PatchbayError {
  const seconds = Math.round(milliseconds / 1_000);
  return new PatchbayError(
    'timeout',
    `The server has forgotten the session, and did not open a new one within ${seconds} s. Try again, or restart it.`,
  );
}

function revisionChangedError(revision: string, cause: PatchbayError): PatchbayError {
  return new PatchbayError(
    'sessionLost',
    `The server has forgotten the session, and does not open a new one in protocol revision ${revision}. Restart it in Patchbay to negotiate the revision again.`,
    { cause },
  );
}
