import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { PatchbayApi } from '../../src/host/api.ts';
import { activatePatchbay, setTesting, startServer } from './patchbay.ts';

describe('a server whose definition is not trusted', () => {
  let api: PatchbayApi;

  before(async () => {
    api = await activatePatchbay();
    await (await startServer('article')).stop();
    await setTesting('trust', 'deny');
  });

  after(() => setTesting('trust', 'trust'));

  it('does not start, and says why', async () => {
    const server = api.getServer('second');
    assert.ok(server);
    await assert.rejects(server.start(), /not trusted/);
    assert.equal(server.state, 'failed');
    assert.match(server.error ?? '', /not trusted/);
  });

  it('does not start through a command either', async () => {
    await commands.executeCommand('patchbay.startServer', 'second');
    assert.equal(api.getServer('second')?.state, 'failed');
  });

  it('leaves those alone that were trusted before', async () => {
    const server = await startServer('article');
    await server.stop();
  });
});
