import { isString } from '../../../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../../jsonRpc.ts';
import { readElicitRequest, withDefaults } from '../../mcp/elicitation.ts';
import { readLoggingMessage } from '../../mcp/logging.ts';
import { readSamplingRequest, type SamplingResult } from '../../mcp/sampling.ts';
import type { Peer } from '../../peer.ts';
import { isAtLeast } from '../revision.ts';
import type { ListKind, ProtocolSession, SessionSetup } from '../session.ts';
import { initialize } from './initialize.ts';

const listKinds: readonly ListKind[] = ['tools', 'resources', 'prompts'];

/**
 * Opens a session in one of the revisions 2024-11-05 to 2025-11-25, in which both sides send requests.
 * @throws what {@link initialize} throws
 */
export async function openHandshakeSession(peer: Peer, setup: SessionSetup): Promise<ProtocolSession> {
  // Before the handshake ends a server may already ping (lifecycle, "Initialization").
  peer.onRequest('ping', () => Promise.resolve({}));
  const revision = { current: '' };
  serveRequests(peer, setup, revision);
  receiveEvents(peer, setup);
  const result = await initialize(peer, setup);
  revision.current = result.revision;
  return {
    ...result,
    request: (method, params, options) => peer.request(method, params, options),
    subscribe: async (uri) => void (await peer.request('resources/subscribe', { uri })),
    unsubscribe: async (uri) => void (await peer.request('resources/unsubscribe', { uri })),
    setLogLevel: async (level) => void (await peer.request('logging/setLevel', { level })),
    notifyRootsChanged: () => peer.notify('notifications/roots/list_changed'),
    admitTool: () => undefined,
    ping: async (signal) => void (await peer.request('ping', undefined, signal && { signal })),
  };
}

function serveRequests(peer: Peer, { requests }: SessionSetup, revision: { readonly current: string }): void {
  const { listRoots, createMessage, elicit } = requests;
  if (listRoots !== undefined) peer.onRequest('roots/list', (_params, context) => listRoots(context));
  if (createMessage !== undefined) {
    peer.onRequest('sampling/createMessage', async (params, context) => {
      const result = await createMessage(readSamplingRequest(params), context);
      return toWireResult(result, revision.current);
    });
  }
  if (elicit !== undefined) {
    peer.onRequest('elicitation/create', async (params, context) => {
      const request = readElicitRequest(params);
      return withDefaults(await elicit(request, context), request);
    });
  }
}

function receiveEvents(peer: Peer, { events }: SessionSetup): void {
  for (const kind of listKinds)
    peer.onNotification(`notifications/${kind}/list_changed`, () => events.listChanged(kind));
  peer.onNotification('notifications/resources/updated', ({ uri }) => {
    if (isString(uri)) events.resourceUpdated(uri);
  });
  peer.onNotification('notifications/message', (params) => events.logged(readLoggingMessage(params)));
}

/**
 * Before 2025-11-25 the content of an answer is one block, since then a block or a list; audio came with 2025-03-26
 * (client, "Sampling"). Several texts become one; what cannot be said beside a text is left out.
 * @throws {JsonRpcError} `-32603` when nothing of the answer can be said in `revision`
 */
function toWireResult(result: SamplingResult, revision: string): object {
  const { content } = result;
  const [first] = content;
  if (isAtLeast(revision, '2025-11-25')) return content.length === 1 ? { ...result, content: first } : result;
  const texts = content.filter((block) => block.type === 'text');
  if (texts.length > 1 || first === undefined)
    return { ...result, content: { type: 'text', text: texts.map(({ text }) => text).join('') } };
  const hasAudio = isAtLeast(revision, '2025-03-26');
  const media = content.find(({ type }) => type === 'image' || (type === 'audio' && hasAudio));
  const only = texts[0] ?? media;
  if (only !== undefined) return { ...result, content: only };
  throw new JsonRpcError(ErrorCodes.internalError, `The answer cannot be expressed in revision ${revision}`);
}
