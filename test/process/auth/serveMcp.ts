import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { ProtectedServer } from './protectedServer.ts';

/**
 * Adds MCP to the server: one tool, no session, each request is independent.
 * @param say what the tool answers, to the token it was called with
 */
export function serveMcp(server: ProtectedServer, say = (_token: string): string => 'added'): void {
  server.serve = (request, response) => {
    const mcp = new McpServer({ name: 'notes', version: '1.0.0' });
    const [, token = ''] = (request.headers.authorization ?? '').split(' ');
    mcp.registerTool('add', {}, () => ({ content: [{ type: 'text', text: say(token) }] }));
    const transport = new StreamableHTTPServerTransport({});
    void mcp
      .connect(transport as Parameters<typeof mcp.connect>[0])
      .then(() => transport.handleRequest(request, response));
  };
}
