import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { ProtectedServer } from './protectedServer.ts';

/** Lets the server speak MCP: one tool, no session, each request is served by itself. */
export function serveMcp(server: ProtectedServer): void {
  server.serve = (request, response) => {
    const mcp = new McpServer({ name: 'notes', version: '1.0.0' });
    mcp.registerTool('add', {}, () => ({ content: [{ type: 'text', text: 'added' }] }));
    const transport = new StreamableHTTPServerTransport({});
    void mcp
      .connect(transport as Parameters<typeof mcp.connect>[0])
      .then(() => transport.handleRequest(request, response));
  };
}
