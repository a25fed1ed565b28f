import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../fixtures/listen.ts';
import type { Phase } from './cells.mjs';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

const result = { content: [{ type: 'text', text: 'it works' }] };
const asking = {
  jsonrpc: '2.0',
  id: 'sampling',
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Say that it works' } }], maxTokens: 10 },
};

/**
 * A good server over HTTP, except in one phase, in which a connection fails:
 * `half-open`: no more data, and no end of the connection; `slow-loris`: a byte from time to time, without an end.
 */
export async function startFaultyHttpServer(fault: string, phase: Phase): Promise<{ url: string; close(): void }> {
  const timers: NodeJS.Timeout[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'GET') return phase === 'idle' ? fail(response) : void response.writeHead(405).end();
      answer(JSON.parse(body || '{}') as Message, response);
    });
  });

  function fail(response: ServerResponse): void {
    response.on('error', () => {});
    if (fault === 'half-open') return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    timers.push(setInterval(() => response.write(':'), 100));
  }

  function answer({ id, method, params }: Message, response: ServerResponse): void {
    if (id === undefined) return void response.writeHead(202).end();
    // The answer to the sampling request: the connection that waits for it is half-open or slow.
    if (method === undefined) return void response.writeHead(202).end();
    if (phaseOf[method] === phase) return fail(response);
    if (params?.name === 'ask') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(asking)}\n\n`);
      if (fault === 'slow-loris') timers.push(setInterval(() => response.write(':'), 100));
      return;
    }
    const value = resultOf(method, params?.protocolVersion);
    const error = { code: -32601, message: 'No such method' };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...(value === undefined ? { error } : { result: value }) }));
  }

  const { origin, close } = await listen(server);
  return {
    url: `${origin}/mcp`,
    close() {
      for (const timer of timers) clearInterval(timer);
      void close();
    },
  };
}

const phaseOf: Readonly<Record<string, Phase>> = {
  initialize: 'starting',
  'tools/list': 'listing',
  'tools/call': 'calling',
};

function resultOf(method: string, protocolVersion: string | undefined): object | undefined {
  if (method === 'initialize')
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'faulty', version: '1' } };
  if (method === 'tools/list')
    return { tools: ['work', 'ask'].map((name) => ({ name, inputSchema: { type: 'object' } })) };
  return method === 'tools/call' ? result : undefined;
}
