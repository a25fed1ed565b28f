import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { commands, ConfigurationTarget, workspace } from 'vscode';
import { type Measurement, measure } from './measurements.ts';
import { startedServer } from './startedServer.ts';

type Request =
  | { readonly kind: 'callTool'; readonly server: string; readonly tool: string; readonly args?: object }
  | { readonly kind: 'start'; readonly servers: readonly string[] }
  | { readonly kind: 'execute'; readonly id: string; readonly args: readonly unknown[] }
  | { readonly kind: 'updateSetting'; readonly name: string; readonly value?: unknown }
  | { readonly kind: 'clock'; readonly isStopped: boolean }
  | { readonly kind: 'measure'; readonly measurement: Measurement };

export interface ControlServer {
  /** `http://127.0.0.1:PORT/` */
  readonly address: string;
  dispose(): void;
}

/** Answers GET with an empty response, to show that it runs, and POST of a request with its outcome. */
export function startControlServer(): Promise<ControlServer> {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.end();
      return;
    }
    void answer(request, response);
  });
  // A call may wait for a person's consent for as long as a test likes.
  server.requestTimeout = 0;
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({ address: `http://127.0.0.1:${port}/`, dispose: () => server.close() });
    });
  });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'application/json');
  try {
    const result = await perform(JSON.parse(await text(request)) as Request);
    response.end(JSON.stringify({ kind: 'result', result }));
  } catch (error) {
    response.end(JSON.stringify({ kind: 'error', message: error instanceof Error ? error.message : String(error) }));
  }
}

async function perform(request: Request): Promise<unknown> {
  switch (request.kind) {
    case 'callTool':
      return (await startedServer(request.server)).callTool(request.tool, request.args);
    case 'start':
      await Promise.all(request.servers.map(startedServer));
      return null;
    case 'execute':
      await commands.executeCommand(request.id, ...request.args);
      return null;
    case 'updateSetting':
      return workspace.getConfiguration().update(request.name, request.value, ConfigurationTarget.Global);
    case 'clock':
      return setClock(request.isStopped);
    case 'measure':
      return measure(request.measurement);
  }
}

const systemNow = Date.now.bind(Date);

/** All extensions of the host read the same clock. */
function setClock(isStopped: boolean): null {
  const stoppedAt = systemNow();
  Date.now = isStopped ? () => stoppedAt : systemNow;
  return null;
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
