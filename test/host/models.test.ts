import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, beforeEach, describe, it } from 'mocha';
import { ConfigurationTarget, workspace } from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import { setTesting, startServer, textOf } from './patchbay.ts';

/** A request that reached the endpoint. */
interface Received {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly model: string; readonly messages: readonly { readonly content: unknown }[] } & Record<
    string,
    unknown
  >;
}

/** An endpoint that speaks chat completions as OpenAI's API does, with a stream; or says first that it gets too many requests. */
function createEndpoint() {
  const received: Received[] = [];
  const state = { failures: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Received['body'];
      received.push({ url: request.url, headers: request.headers, body });
      if (state.failures > 0) {
        state.failures -= 1;
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' });
        response.end(
          JSON.stringify({ error: { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' } }),
        );
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const common = { id: 'c1', object: 'chat.completion.chunk', created: 1_700_000_000, model: body.model };
      const send = (part: object): unknown => response.write(`data: ${JSON.stringify({ ...common, ...part })}\n\n`);
      send({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] });
      for (const content of ['A summary ', 'of the endpoint.'])
        send({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
      send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
      send({ choices: [], usage: { prompt_tokens: 30, completion_tokens: 6, total_tokens: 36 } });
      response.end('data: [DONE]\n\n');
    });
  });
  return { server, state, received };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function setModels(models: readonly object[] | undefined): Promise<void> {
  await workspace.getConfiguration('patchbay').update('models', models, ConfigurationTarget.Global);
}

/** Writes the setting to the workspace file, where it must not count. */
async function setWorkspaceModels(models: readonly object[] | undefined): Promise<void> {
  const path = workspace.workspaceFile?.fsPath;
  assert.ok(path);
  const content = JSON.parse(await readFile(path, 'utf8')) as { settings: Record<string, unknown> };
  content.settings['patchbay.models'] = models;
  await writeFile(path, JSON.stringify(content));
}

describe('a model that a person has set up', () => {
  const { server: endpoint, state, received } = createEndpoint();
  let demo: ServerHandle;
  let model: { readonly baseUrl: string } & Record<string, unknown>;

  before(async () => {
    const baseUrl = await listen(endpoint);
    model = { id: 'test', name: 'Test model', api: 'openai-chat', baseUrl, model: 'tiny' };
    demo = await startServer('demo');
    await setTesting('consent', 'approve');
  });

  beforeEach(() => void received.splice(0));

  after(async () => {
    await setModels(undefined);
    await setTesting('consent', undefined);
    await demo.stop();
    endpoint.closeAllConnections();
    endpoint.close();
  });

  it('answers the request of a server', async () => {
    await setModels([model]);
    const result = await demo.callTool('summarize', { text: 'The text to summarize.' });
    assert.equal(result.isError, false, textOf(result));
    assert.match(textOf(result), /A summary of the endpoint\./);
    assert.match(textOf(result), /Answered by tiny/);
    assert.equal(received.length, 1);
    const [request] = received;
    assert.equal(request?.url, '/v1/chat/completions');
    assert.equal(request.headers.authorization, undefined);
    assert.equal(request.body.model, 'tiny');
    assert.equal(request.body['max_tokens'], 300);
    assert.match(JSON.stringify(request.body.messages), /The text to summarize\./);
  });

  it('is asked again after a failure, as often as that is approved', async () => {
    state.failures = 1;
    const result = await demo.callTool('summarize', { text: 'anything' });
    assert.match(textOf(result), /A summary of the endpoint\./);
    assert.equal(received.length, 2);
  });

  it('cannot be set by a workspace', async () => {
    await setModels([{ ...model, name: 'broken', id: '' }]);
    await setWorkspaceModels([model]);
    // Written to the same file afterwards: when it counts, the setting before it was read too.
    await setTesting('toolCalls', 'allow');
    await demo.callTool('summarize', { text: 'anything' });
    assert.deepEqual(received, []);
    await setWorkspaceModels(undefined);
    await setTesting('toolCalls', 'approve');
  });
});
