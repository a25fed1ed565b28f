import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import { ConfigurationTarget, workspace } from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import { startModelEndpoint } from '../fixtures/servers/modelEndpoint.mjs';
import { changeWorkspaceSetting, setTesting, startServer, textOf } from './patchbay.ts';

const answer = { pieces: ['A summary ', 'of the endpoint.'] };
const slowDown = { error: { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' } };

async function setModels(models: readonly object[] | undefined): Promise<void> {
  await workspace.getConfiguration('patchbay').update('models', models, ConfigurationTarget.Global);
}

describe('a model that a person has set up', () => {
  let endpoint: Awaited<ReturnType<typeof startModelEndpoint>>;
  let demo: ServerHandle;
  let model: { readonly baseUrl: string } & Record<string, unknown>;

  before(async () => {
    endpoint = await startModelEndpoint({ answers: [answer] });
    const baseUrl = `${endpoint.origin}/v1`;
    model = { id: 'test', name: 'Test model', api: 'openai-chat', baseUrl, model: 'tiny' };
    demo = await startServer('demo');
    await setTesting('consent', 'approve');
  });

  beforeEach(() => void endpoint.requests.splice(0));

  after(async () => {
    await setModels(undefined);
    await setTesting('consent', undefined);
    await demo.stop();
    await endpoint.stop();
  });

  it('answers the request of a server', async () => {
    await setModels([model]);
    const result = await demo.callTool('summarize', { text: 'The text to summarize.' });
    assert.equal(result.isError, false, textOf(result));
    assert.match(textOf(result), /A summary of the endpoint\./);
    assert.match(textOf(result), /Answered by tiny/);
    assert.equal(endpoint.requests.length, 1);
    const [request] = endpoint.requests;
    assert.equal(request?.path, '/v1/chat/completions');
    assert.equal(request.headers.authorization, undefined);
    const { model: asked, max_tokens, messages } = request.body as Record<string, unknown>;
    assert.deepEqual([asked, max_tokens], ['tiny', 300]);
    assert.match(JSON.stringify(messages), /The text to summarize\./);
  });

  it('is asked again after a failure, as often as that is approved', async () => {
    const busy = { status: 429, headers: { 'retry-after': '7' }, body: slowDown };
    const failing = await startModelEndpoint({ answers: [busy, answer] });
    await setModels([{ ...model, baseUrl: `${failing.origin}/v1` }]);
    const result = await demo.callTool('summarize', { text: 'anything' });
    await failing.stop();
    assert.match(textOf(result), /A summary of the endpoint\./);
    assert.equal(failing.requests.length, 2);
  });

  it('cannot be set by a workspace', async () => {
    await setModels([{ ...model, name: 'broken', id: '' }]);
    // Where it must not count.
    await changeWorkspaceSetting('patchbay.models', [model]);
    // Written to the same file afterwards: when it counts, the setting before it was read too.
    await setTesting('toolCalls', 'allow');
    await demo.callTool('summarize', { text: 'anything' });
    assert.deepEqual(endpoint.requests, []);
    await changeWorkspaceSetting('patchbay.models', undefined);
    await setTesting('toolCalls', 'approve');
  });
});
