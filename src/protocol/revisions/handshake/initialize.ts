import { raceAbort } from '../../../base/abort.ts';
import { PatchbayError } from '../../../base/errors.ts';
import { isRecord, isString, isStringArray } from '../../../base/json.ts';
import { JsonRpcError } from '../../jsonRpc.ts';
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
 * refuses for another reason; `timeout`; whatever the peer throws
 */
export async function initialize(peer: Peer, setup: SessionSetup): Promise<InitializeResult> {
  const wanted = wantedRevision(setup.revision);
  const raw = await requestInitialize(peer, setup, wanted);
  if (!isRecord(raw))
    throw new PatchbayError('invalidMessage', 'The server answered initialize with something that is not an object.');
  const revision = raw['protocolVersion'];
  if (!isHandshakeRevision(revision)) throw unsupported(revision);
  if (setup.revision !== undefined && revision !== setup.revision) throw notAsPinned(setup.revision, revision);
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
  const ask = (protocolVersion: HandshakeRevision): Promise<unknown> => {
    const { capabilities, clientInfo, connectMs, signal } = setup;
    const params = { protocolVersion, capabilities, clientInfo };
    return peer.request('initialize', params, { timeoutMs: connectMs, signal, isCancellable: false });
  };
  try {
    return await ask(wanted);
  } catch (error) {
    // Some servers refuse an unknown version instead of naming their own (lifecycle, "Error Handling").
    const offered = setup.revision === undefined ? bestOffered(error) : undefined;
    if (offered === undefined || offered === wanted) throw refused(error);
    return ask(offered).catch((second: unknown) => {
      throw refused(second);
    });
  }
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
function bestOffered(error: unknown): HandshakeRevision | undefined {
  const offered = offeredBy(error);
  return handshakeRevisions.findLast((revision) => offered?.includes(revision));
}

function offeredBy(error: unknown): readonly string[] | undefined {
  if (!(error instanceof JsonRpcError) || !isRecord(error.data)) return undefined;
  const { supported } = error.data;
  return isStringArray(supported) ? supported : undefined;
}

/** Says in a sentence what a server answered that did not want to talk; other errors stay what they are. */
function refused(error: unknown): unknown {
  if (!(error instanceof JsonRpcError)) return error;
  const offered = offeredBy(error)
    ?.slice(0, 10)
    .map((revision) => revision.slice(0, 40));
  const known = offered === undefined ? '' : ` It speaks ${offered.join(', ')}.`;
  return new PatchbayError(
    offered === undefined ? 'connectionClosed' : 'unsupportedRevision',
    `The server refused the handshake: "${error.message}" (code ${error.code}).${known}`,
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
