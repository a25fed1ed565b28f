import { ErrorCodes, JsonRpcError } from '../jsonRpc.ts';
import { readElicitRequest, completeElicitResult } from '../mcp/elicitation.ts';
import { readSamplingRequest, type SamplingResult } from '../mcp/sampling.ts';
import type { RequestHandler } from '../incomingRequests.ts';
import { isAtLeast } from './revision.ts';
import type { ServerRequestHandlers } from './session.ts';

/**
 * The handlers of the requests of a server, by method. A handler throws a {@link JsonRpcError} for wrong parameters or a
 * refusal.
 * @param revision returns the negotiated revision, called for each result of sampling
 */
export function createRequestHandlers(
  { listRoots, createMessage, elicit }: ServerRequestHandlers,
  revision: () => string,
): ReadonlyMap<string, RequestHandler> {
  const handlers = new Map<string, RequestHandler>();
  if (listRoots !== undefined) handlers.set('roots/list', (_params, context) => listRoots(context));
  if (createMessage !== undefined)
    handlers.set('sampling/createMessage', createSamplingHandler(createMessage, revision));
  if (elicit !== undefined)
    handlers.set('elicitation/create', async (params, context) => {
      const request = readElicitRequest(params);
      return completeElicitResult(await elicit(request, context), request);
    });
  return handlers;
}

export function createSamplingHandler(
  createMessage: Required<ServerRequestHandlers>['createMessage'],
  revision: () => string,
): RequestHandler {
  return async (params, context) => toWireResult(await createMessage(readSamplingRequest(params), context), revision());
}

/**
 * Converts a sampling result to its form in `revision`. Before 2025-11-25 the content is one block, since then a block or
 * a list; audio exists since 2025-03-26 (Client Features / Sampling). Several texts are joined, and other blocks beside
 * them are left out.
 * @throws {JsonRpcError} `-32603` when `revision` has no form for the content
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
