import { afterEach, expect, it } from 'vitest';
import { createHeadlessHost, type HeadlessHost } from '../../../src/headless.ts';
import { answerJson, type HttpServer, resultOf, startHttpServer } from './httpHarness.ts';

let server: HttpServer | undefined;
let host: HeadlessHost | undefined;

afterEach(async () => {
  await host?.dispose();
  await server?.stop();
});

it('traces requests and messages of a remote server, and none of what lets in', async () => {
  server = await startHttpServer((request, response) => {
    const { method, params } = request.message;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (method === 'initialize')
      answerJson(
        response,
        resultOf(request, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: {} }),
      );
    else if (method === 'tools/call')
      answerJson(
        response,
        resultOf(request, { content: [{ type: 'text', text: JSON.stringify([params, request.headers]) }] }),
      );
    else if (method === 'tools/list') answerJson(response, resultOf(request, { tools: [] }));
    else if (request.message['id'] === undefined) response.writeHead(202).end();
    else response.writeHead(400).end();
  });
  const entries: string[] = [];
  host = createHeadlessHost({
    servers: {
      it: {
        url: `${server.origin}/mcp?api_key=hunter2`,
        headers: { Authorization: `Basic ${btoa('me:opensesame')}`, 'X-Team-Token': 'abc7' },
        patchbay: { trace: true },
      },
    },
    onLog: ({ message }) => entries.push(message),
  });
  const remote = host.getServer('it');
  await remote?.start();
  // The server sends its secrets back.
  const result = await remote?.callTool('echo', { text: 'opensesame abc7 hunter2' });
  expect(JSON.stringify(result)).toContain(btoa('me:opensesame'));
  await remote?.stop();
  const text = entries.join('\n');
  for (const line of [
    /^\S+ • connecting over Streamable HTTP to http:\/\/127\.0\.0\.1:\d+$/m,
    /^\S+ • POST http:\/\/127\.0\.0\.1:\d+\/mcp\?…: HTTP status 200 after \d+ ms\.$/m,
    /^\S+ • POST http:\/\/127\.0\.0\.1:\d+\/mcp\?…: HTTP status 400 after \d+ ms\.$/m,
    /^\S+ → request tools\/call \(\d+\), \d+ bytes$/m,
    /^\S+ ← result \(\d+\) of tools\/call after \d+ ms, \d+ bytes$/m,
  ])
    expect(text).toMatch(line);
  for (const secret of ['hunter2', 'opensesame', btoa('me:opensesame'), 'abc7']) expect(text).not.toContain(secret);
});
