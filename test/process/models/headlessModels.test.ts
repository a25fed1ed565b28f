import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerWith, createModelGateway, type HeadlessModel } from '../../../src/headless.ts';
import { modelApis } from '../../../src/models/modelGateway.ts';
import { buildDemoServer } from '../../fixtures/demoServer.ts';
import { openHeadless } from '../../fixtures/headlessServer.ts';
import { connectionTo, startEndpoint } from './modelHarness.ts';

describe('a headless host', () => {
  it('lets a model answer what a server asks', async () => {
    const endpoint = await startEndpoint({ key: 'secret-key', answers: [{ pieces: ['in ', 'short'] }] });
    const models: readonly HeadlessModel[] = [{ ...connectionTo(endpoint.origin, 'openai-chat'), key: 'secret-key' }];
    const gateway = createModelGateway({ models });
    const demo = await buildDemoServer();
    onTestFinished(() => {
      gateway.dispose();
      demo.remove();
    });
    const onSampling = answerWith(gateway, 'http:it');
    const server = openHeadless({ command: process.execPath, args: [demo.path] }, { onSampling });
    await server.start();

    expect(JSON.stringify(await server.callTool('summarize', { text: 'a long text' }))).toContain('in short');

    expect(await gateway.list()).toMatchObject([{ id: 'http:it', name: 'Test model', family: 'test-model' }]);
    expect(JSON.stringify(endpoint.requests[0]?.body)).toContain('a long text');
  });

  it.each(modelApis)('as it is built has models behind %s', async (api) => {
    const endpoint = await startEndpoint({ answers: [{ pieces: ['in ', 'short'] }] });
    const program = fileURLToPath(new URL('../../fixtures/headlessModel.mjs', import.meta.url));
    const connection = JSON.stringify(connectionTo(endpoint.origin, api));
    const { stdout } = await promisify(execFile)(process.execPath, [program, connection]);
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: 'text', text: 'in short' }], stopReason: 'endTurn' });
  });

  it('as it is built loads models with their first use only', async () => {
    const [whole, models] = await Promise.all(
      ['headless.mjs', 'headlessModels.mjs'].map((name) =>
        readFile(new URL(`../../../dist/${name}`, import.meta.url), 'utf8'),
      ),
    );
    // Each of the packages says its name in a header.
    expect([whole, models].filter((text) => text?.includes('ai-sdk/'))).toEqual([]);
    expect(whole).toContain('./headlessModels.mjs');
    expect(whole).not.toContain('patchbay/providerMetadata');
    expect(models).toContain('patchbay/providerMetadata');
  });
});
