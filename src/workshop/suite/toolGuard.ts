import { once } from 'node:events';
import { type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { request as sendSafely } from 'node:https';
import { pipeline } from 'node:stream';
import { jsonType, type LoopbackServer, parseBody, readBody, refuse, serveLoopback } from './loopback.ts';

/** The suite's requests are small. */
const maximumBodyBytes = 1024 * 1024;

const guardedTool = 'patchbay_check_of_a_tool_that_does_not_exist';

/** As a server of 2026-07-28 lists its tools. */
const guardedList = {
  resultType: 'complete',
  tools: [{ name: guardedTool, inputSchema: { type: 'object' } }],
  ttlMs: 0,
  cacheScope: 'private',
};

/**
 * Stands before a server over HTTP, for scenarios that call whichever tool is listed first: passes each request on as it is, headers
 * included, but lists one tool that the server does not have. So what the server says of headers is its own, and none of its tools runs.
 */
export function startToolGuard(target: URL): Promise<LoopbackServer> {
  return serveLoopback((request, response) => pass(request, response, target));
}

async function pass(request: IncomingMessage, response: ServerResponse, target: URL): Promise<void> {
  const body = await readBody(request, maximumBodyBytes);
  if (body === undefined) return refuse(response, 413, 'The message is too long.');
  const outgoing = (target.protocol === 'https:' ? sendSafely : send)(target, {
    method: request.method,
    headers: headersFor(request, target),
  });
  response.on('close', () => outgoing.destroy());
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { statusCode = 502 } = answer;
  const asked = parseBody(body);
  if (statusCode === 200 && asked?.['method'] === 'tools/list') {
    answer.destroy();
    response.writeHead(200, jsonType).end(JSON.stringify({ jsonrpc: '2.0', id: asked['id'], result: guardedList }));
    return;
  }
  response.writeHead(statusCode, answer.rawHeaders);
  // A server that ends within its answer ends this one too.
  pipeline(answer, response, () => {});
}

/** As they were written: a server must not care for the case of their names. */
function headersFor({ rawHeaders }: IncomingMessage, { host }: URL): string[] {
  return rawHeaders.map((value, index) => {
    const name = rawHeaders[index - 1] ?? '';
    return index % 2 === 1 && name.toLowerCase() === 'host' ? host : value;
  });
}
