import { isPatchbayError, PatchbayError } from '../../../base/errors.ts';
import { isRecord, isStringArray } from '../../../base/json.ts';
import { HttpError } from '../../httpError.ts';
import { ErrorCodes, JsonRpcError } from '../../jsonRpc.ts';
import { readServerFacts, type ServerFacts } from '../../mcp/lifecycle.ts';
import type { Peer } from '../../peer.ts';
import {
  latestStatelessRevision,
  protocolRevisions,
  type StatelessRevision,
  statelessRevisions,
} from '../../session/revision.ts';
import type { SessionSetup } from '../../session/session.ts';
import { createRequestMeta, createSendHints, metaPrefix } from './requestMetadata.ts';

/** The answer to `server/discover`, checked (2026-07-28, Server Features / Discovery). */
export interface DiscoverResult extends ServerFacts {
  /** The newest common revision. */
  readonly revision: StatelessRevision;
}

export type Probe =
  | { readonly era: 'stateless'; readonly discovered: DiscoverResult }
  /** The server needs `initialize`, or may accept it. `failure`: why there was no answer. */
  | { readonly era: 'handshake'; readonly because: string; readonly failure?: unknown };

const unsupportedVersion = -32022;
/** The code of the same error in drafts. */
const unsupportedVersionInDrafts = -32004;
const missingCapability = -32021;

/**
 * Sends `server/discover` to find out the server's era (2026-07-28, Basic / Versioning, "Backward Compatibility"). Older
 * servers answer with various errors or HTTP statuses, or not at all. So every error means `initialize`, except those that
 * only 2026-07-28 defines.
 * @throws an error that would also prevent `initialize`: the server is unreachable or has exited, a sign-in is needed; or
 * the signal's reason
 */
export async function probeEra(peer: Peer, setup: SessionSetup): Promise<Probe> {
  try {
    return readDiscoverResult(await ask(peer, setup));
  } catch (error) {
    const supported = supportedBy(error);
    // It supports the revision, so the error had another cause: try once more.
    if (supported?.includes(latestStatelessRevision)) return readDiscoverResult(await ask(peer, setup));
    return readDiscoverError(error, supported);
  }
}

function ask(peer: Peer, setup: SessionSetup): Promise<unknown> {
  const params = { _meta: createRequestMeta(setup, latestStatelessRevision) };
  return peer.request('server/discover', params, {
    signal: setup.signal,
    timeoutMs: setup.connectMs,
    // A server that does not know the request could not cancel it either; over HTTP a cancellation closes the response.
    isCancellable: setup.isHttp,
    hints: createSendHints(latestStatelessRevision, 'server/discover'),
  });
}

function readDiscoverResult(result: unknown): Probe {
  const versions = isRecord(result) ? result['supportedVersions'] : undefined;
  if (!isRecord(result) || !isStringArray(versions))
    return { era: 'handshake', because: 'it answered server/discover with something else' };
  const revision = statelessRevisions.findLast((known) => versions.includes(known));
  if (revision === undefined) return withoutCommonRevision(versions);
  const meta = isRecord(result['_meta']) ? result['_meta'] : {};
  // Servers of the drafts have `serverInfo` at the top level.
  const serverInfo = meta[`${metaPrefix}serverInfo`] ?? result['serverInfo'];
  return { era: 'stateless', discovered: { revision, ...readServerFacts(result, serverInfo) } };
}

function readDiscoverError(error: unknown, supported: readonly string[] | undefined): Probe {
  if (supported !== undefined) return withoutCommonRevision(supported);
  if (error instanceof JsonRpcError) {
    // Only servers of this revision send these two errors, and `initialize` would fail too.
    if (error.code === ErrorCodes.headerMismatch || error.code === missingCapability) throw error;
    return { era: 'handshake', because: `it answered server/discover with the error ${error.code}` };
  }
  if (error instanceof HttpError && !error.hasChallenge) {
    const because = `it answered server/discover with HTTP status ${error.status}`;
    const isRefused = error.status >= 400 && error.status < 500;
    return isRefused ? { era: 'handshake', because } : { era: 'handshake', because, failure: error };
  }
  if (isPatchbayError(error, 'answerLost', 'timeout'))
    return { era: 'handshake', because: 'it did not answer server/discover', failure: error };
  if (isPatchbayError(error, 'invalidMessage', 'messageTooLarge'))
    return { era: 'handshake', because: 'its answer to server/discover could not be read' };
  throw error;
}

function supportedBy(error: unknown): readonly string[] | undefined {
  if (!(error instanceof JsonRpcError) || !isRecord(error.data)) return undefined;
  if (error.code !== unsupportedVersion && error.code !== unsupportedVersionInDrafts) return undefined;
  const { supported } = error.data;
  return isStringArray(supported) ? supported : undefined;
}

/** @throws {PatchbayError} `unsupportedRevision` when all revisions of the server are newer than ours */
function withoutCommonRevision(versions: readonly string[]): Probe {
  const isNewer = (version: string): boolean => version > latestStatelessRevision;
  if (versions.length === 0 || !versions.every(isNewer))
    return { era: 'handshake', because: 'it names no revision without a handshake that is known here' };
  const named = versions.slice(0, 10).map((version) => version.slice(0, 40));
  throw new PatchbayError(
    'unsupportedRevision',
    `The server speaks ${named.join(', ')}; this version of Patchbay speaks ${protocolRevisions.join(', ')}. Update Patchbay.`,
  );
}
