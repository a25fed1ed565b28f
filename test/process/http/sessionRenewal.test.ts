import { expect, it } from 'vitest';
import { openHeadless } from '../../fixtures/headlessServer.ts';
import { answering, event, openEvents, refuse, resultOf, type SeenRequest, serve } from './httpHarness.ts';

it('asks again for a reading that was lost together with the session, but calls no tool twice [http-never-twice]', async () => {
  let sessions = 0;
  // In each session the first stream breaks, and the session has ended when the stream is resumed.
  const breakFirst = (request: SeenRequest, response: Parameters<typeof openEvents>[0]): undefined => {
    openEvents(response);
    if (http.seen(String(request.message['method'])).length === 1) response.end('id: e1\nretry: 100\ndata:\n\n');
    else response.end(event(resultOf(request, { contents: [{ uri: 'a:b', text: 'ok' }], content: [] })));
  };
  const results = {
    initialize(_request: SeenRequest, response: Parameters<typeof openEvents>[0]) {
      sessions += 1;
      response.setHeader('mcp-session-id', `s-${sessions}`);
      const capabilities = { tools: {}, resources: {} };
      return { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'it', version: '1' } };
    },
    'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
    'resources/list': { resources: [] },
    'resources/templates/list': { resourceTemplates: [] },
    'resources/read': breakFirst,
    'tools/call': breakFirst,
  };
  const http = await serve(
    answering(results, (request, response) => {
      const isOfSession = request.headers['mcp-session-id'] === `s-${sessions}`;
      refuse(isOfSession && request.headers['last-event-id'] !== undefined ? 404 : 405)(request, response);
    }),
  );
  const server = openHeadless({ url: http.origin, patchbay: { revision: '2025-11-25' } });
  await server.start();
  expect(await server.readResource('a:b')).toMatchObject({ contents: [{ text: 'ok' }] });
  expect(sessions).toBe(2);
  expect(http.seen('resources/read').map(({ headers }) => headers['mcp-session-id'])).toEqual(['s-1', 's-2']);
  await expect(server.callTool('pay')).rejects.toMatchObject({ code: 'answerLost' });
  expect(http.seen('tools/call')).toHaveLength(1);
});
