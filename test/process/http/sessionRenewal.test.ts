import { afterEach, expect, it } from 'vitest';
import { createHeadlessHost, type HeadlessHost, type HeadlessServer } from '../../../src/headless.ts';
import {
  answerJson,
  event,
  type Handler,
  type HttpServer,
  openEvents,
  refuse,
  resultOf,
  startHttpServer,
} from './httpHarness.ts';

let http: HttpServer | undefined;
let host: HeadlessHost | undefined;

afterEach(async () => {
  if (http !== undefined) http.handler = refuse(405);
  await host?.dispose();
  await http?.stop();
});

async function connect(handler: Handler): Promise<{ http: HttpServer; server: HeadlessServer }> {
  http = await startHttpServer(handler);
  host = createHeadlessHost({ servers: { it: { url: http.origin, patchbay: { revision: '2025-11-25' } } } });
  const server = host.getServer('it');
  return { http, server: server ?? expect.unreachable('not configured') };
}

it('asks again for a reading that was lost together with the session, but calls no tool twice [http-never-twice]', async () => {
  let sessions = 0;
  const { http: seen, server } = await connect((request, response) => {
    const session = `s-${sessions}`;
    switch (request.message['method']) {
      case 'initialize': {
        sessions += 1;
        const capabilities = { tools: {}, resources: {} };
        const result = { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'it', version: '1' } };
        return answerJson(response, resultOf(request, result), { 'mcp-session-id': `s-${sessions}` });
      }
      case 'notifications/initialized':
        return refuse(202)(request, response);
      case 'tools/list':
        return answerJson(response, resultOf(request, { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] }));
      case 'resources/list':
        return answerJson(response, resultOf(request, { resources: [] }));
      case 'resources/templates/list':
        return answerJson(response, resultOf(request, { resourceTemplates: [] }));
      case 'resources/read':
      case 'tools/call':
        openEvents(response);
        // In each session the first stream breaks, and the session has ended when the stream is resumed.
        if (seen.seen(request.message['method']).length === 1) response.end('id: e1\nretry: 100\ndata:\n\n');
        else response.end(event(resultOf(request, { contents: [{ uri: 'a:b', text: 'ok' }], content: [] })));
        return undefined;
      default:
        return refuse(request.headers['mcp-session-id'] === session && request.headers['last-event-id'] ? 404 : 405)(
          request,
          response,
        );
    }
  });
  await server.start();
  expect(await server.readResource('a:b')).toMatchObject({ contents: [{ text: 'ok' }] });
  expect(sessions).toBe(2);
  expect(seen.seen('resources/read').map(({ headers }) => headers['mcp-session-id'])).toEqual(['s-1', 's-2']);
  await expect(server.callTool('pay')).rejects.toMatchObject({ code: 'answerLost' });
  expect(seen.seen('tools/call')).toHaveLength(1);
});
