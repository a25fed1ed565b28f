// @ts-check
// The official SDK, version 1.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { maximumMessageBytes as maxBufferSize, serverCommand } from '../serverCommand.mjs';

/** @type {import('../client.d.ts').Connect} */
export async function connect(target) {
  const client = new Client({ name: 'sdk1', version: '1' });
  let notifications = 0;
  client.setNotificationHandler(LoggingMessageNotificationSchema, () => {
    notifications += 1;
  });
  const transport =
    target.kind === 'stdio'
      ? new StdioClientTransport({ ...serverCommand(target.tools), stderr: 'inherit', maxBufferSize })
      : new StreamableHTTPClientTransport(new URL(target.url));
  await client.connect(transport);
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
