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

/** What the server said in the handshake. */
export interface InitializeResult {
  readonly revision: HandshakeRevision;
  readonly server: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
}

/**
 * Shakes hands: `initialize`, a version both know, `notifications/initialized` (lifecycle, "Initialization").
 * @throws {PatchbayError} `unsupportedRevision` when there is no common version; `connectionClosed` when the server
 * refuses for another reason, or `HttpError` where it does so with a status; `timeout`; whatever the peer throws
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
  // Over HTTP the server has to take it, and may never do so.
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
    // Some servers refuse an unknown version instead of naming their own (lifecycle, "Error Handling").
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

/** Milliseconds for a server that has just refused a newer revision. */
const olderRevisionMs = 5_000;

/**
 * Offers one older revision after the other to a server that refuses without a word on what it speaks, as long as it
 * refuses.
 * @throws {unknown} `first`, the refusal of the newest: it is the one that may say something else is wrong
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

/** What a server said that has looked at the request, and does not want it. */
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

/** Servers refuse with one code or another; the list of what they know is what counts. */
function bestOffered(refusal: JsonRpcErrorBody): HandshakeRevision | undefined {
  const offered = offeredBy(refusal);
  return handshakeRevisions.findLast((revision) => offered?.includes(revision));
}

function offeredBy({ data }: JsonRpcErrorBody): readonly string[] | undefined {
  if (!isRecord(data)) return undefined;
  const { supported } = data;
  return isStringArray(supported) ? supported : undefined;
}

/** Says in a sentence what a server answered that did not want to talk; other errors stay what they are. */
function refused(error: unknown): unknown {
  const refusal = refusalIn(error);
  if (refusal === undefined) return error;
  const offered = offeredBy(refusal)
    ?.slice(0, 10)
    .map((revision) => revision.slice(0, 40));
  // The text of a status names the address too.
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
