import { raceAbort } from '../../../base/abort.ts';
import { PatchbayError } from '../../../base/errors.ts';
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
} from '../revision.ts';
import type { SessionSetup } from '../session.ts';

/** The server's part of the handshake. */
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
  if (!isHandshakeRevision(revision)) throw unsupported(revision);
  if (setup.revision !== undefined && revision !== setup.revision) throw notAsPinned(setup.revision, revision);
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
    // Some servers refuse an unknown revision instead of offering their own (2025-11-25, Basic / Lifecycle, "Error Handling").
    const refusal = refusalIn(error);
    if (refusal === undefined || setup.revision !== undefined) throw refused(error);
    if (offeredBy(refusal) === undefined) return await askForOlder(ask, wanted, refused(error));
    const offered = bestOffered(refusal);
    if (offered === undefined || offered === wanted) throw refused(error);
    return ask(offered, setup.connectMs).catch((second: unknown) => {
      throw refused(second);
    });
  }
}

/** Maximum milliseconds for each further try after a refusal. */
const olderRevisionMs = 5_000;

/**
 * Offers the older revisions, newest first, to a server that refuses without a list of its revisions.
 * @throws {unknown} `first`, the refusal of the newest revision: it may name another problem
 */
async function askForOlder(
  ask: (revision: HandshakeRevision, timeoutMs: number) => Promise<unknown>,
  refusedRevision: HandshakeRevision,
  first: unknown,
): Promise<unknown> {
  for (const revision of handshakeRevisions.toReversed()) {
    if (revision >= refusedRevision) continue;
    try {
      return await ask(revision, olderRevisionMs);
    } catch (error) {
      if (refusalIn(error) === undefined) throw first;
    }
  }
  throw first;
}

/** The JSON-RPC error with which the server refused the request; `undefined` for other failures. */
function refusalIn(error: unknown): JsonRpcErrorBody | undefined {
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
function bestOffered(refusal: JsonRpcErrorBody): HandshakeRevision | undefined {
  const offered = offeredBy(refusal);
  return handshakeRevisions.findLast((revision) => offered?.includes(revision));
}

function offeredBy({ data }: JsonRpcErrorBody): readonly string[] | undefined {
  if (!isRecord(data)) return undefined;
  const { supported } = data;
  return isStringArray(supported) ? supported : undefined;
}

/** Converts the server's refusal to an error with a sentence for the user; other errors are returned unchanged. */
function refused(error: unknown): unknown {
  const refusal = refusalIn(error);
  if (refusal === undefined) return error;
  const offered = offeredBy(refusal)
    ?.slice(0, 10)
    .map((revision) => revision.slice(0, 40));
  // The message of an `HttpError` also has the address.
  if (offered === undefined && error instanceof HttpError) return error;
  const known = offered === undefined ? '' : ` It speaks ${offered.join(', ')}.`;
  return new PatchbayError(
    offered === undefined ? 'connectionClosed' : 'unsupportedRevision',
    `The server refused the handshake: "${refusal.message}" (code ${refusal.code}).${known}`,
    { cause: error },
  );
}

function unsupported(revision: unknown): PatchbayError {
  const named = isString(revision) ? `protocol revision "${revision.slice(0, 40)}"` : 'no protocol revision';
  const known = handshakeRevisions.join(', ');
  return new PatchbayError(
    'unsupportedRevision',
    `The server named ${named}; this version of Patchbay speaks ${known}.`,
  );
}

function notAsPinned(pinned: string, revision: string): PatchbayError {
  return new PatchbayError(
    'unsupportedRevision',
    `The server answered with protocol revision ${revision}, but ${pinned} is set for it. Change or remove the option "revision".`,
  );
}
