import { expect, it } from 'vitest';
import { openHeadless } from '../../fixtures/headlessServer.ts';
import { answering, refuse, serve } from './httpHarness.ts';

it('traces requests and messages of a remote server, and none of what lets in', async () => {
  const server = await serve(
    answering({
      'server/discover'(...received) {
        refuse(400)(...received);
        return undefined;
      },
      initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: {} },
      'tools/call': ({ message, headers }) => ({
        content: [{ type: 'text', text: JSON.stringify([message['params'], headers]) }],
      }),
      'tools/list': { tools: [] },
    }),
  );
  const entries: string[] = [];
  const remote = openHeadless(
    {
      url: `${server.origin}/mcp?api_key=hunter2`,
      headers: { Authorization: `Basic ${btoa('me:opensesame')}`, 'X-Team-Token': 'abc7' },
      patchbay: { trace: true },
    },
    { onLog: ({ message }) => entries.push(message) },
  );
  await remote.start();
  // The server sends its secrets back.
  const result = await remote.callTool('echo', { text: 'opensesame abc7 hunter2' });
  expect(JSON.stringify(result)).toContain(btoa('me:opensesame'));
  await remote.stop();
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
