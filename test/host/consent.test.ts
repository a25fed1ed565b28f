import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { ServerHandle } from '../../src/host/api.ts';
import { setTesting, startServer, textOf, until } from './patchbay.ts';
import { openTabs } from './window.ts';

describe('a request for a language model', () => {
  let server: ServerHandle;

  before(async () => {
    server = await startServer('demo');
  });

  after(async () => {
    await setTesting('consent', undefined);
    await server.stop();
  });

  it('that is declined reaches the server as a refusal', async () => {
    await setTesting('consent', 'decline');
    const result = await server.callTool('summarize', { text: 'anything' });
    assert.equal(result.isError, true);
    assert.match(textOf(result), /code -1/);
  });

  it('that is approved reaches the server as an answer', async () => {
    await setTesting('consent', 'approve');
    const result = await server.callTool('summarize', { text: 'anything' });
    assert.equal(result.isError, false);
    assert.match(textOf(result), /Answered by/);
  });

  it('opens the panel for a person, and leaves it when the server stops', async () => {
    await setTesting('consent', undefined);
    const call = server.callTool('summarize', { text: 'anything' });
    call.catch(() => {});
    await until(() => openTabs('Model Request').length === 1);
    await server.stop();
    await assert.rejects(call);
    await until(() => openTabs('Model Request').length === 0);
    await server.start();
  });
});
