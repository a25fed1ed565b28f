// @ts-check
// The official SDK, version 2.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { maximumMessageBytes as maxBufferSize, serverCommand } from '../serverCommand.mjs';

/** @type {import('../client.d.ts').Connect} */
export async function connect(target) {
  const isStateless = target.kind === 'http' && target.revision === '2026-07-28';
  const client = new Client(
    { name: 'sdk2', version: '1' },
    isStateless ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  let notifications = 0;
  client.setNotificationHandler('notifications/message', () => {
    notifications += 1;
  });
  await client.connect(
    target.kind === 'stdio'
      ? new StdioClientTransport({ ...serverCommand(target.tools), stderr: 'inherit', maxBufferSize })
      : new StreamableHTTPClientTransport(new URL(target.url)),
  );
  return {
    call: (name, args) => client.callTool({ name, arguments: /** @type {any} */ (args) }),
    async list() {
      let count = 0;
      let cursor;
      do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor });
        count += page.tools.length;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return count;
    },
    notifications: () => notifications,
    close: () => client.close(),
  };
}
