import assert from 'node:assert/strict';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { commands, languages, Uri, workspace, type WorkspaceConfiguration } from 'vscode';
import type { PatchbayApi } from '../../src/host/api.ts';
import {
  activatePatchbay,
  askUntil,
  removeServers,
  secondFolder,
  setTesting,
  startServer,
  until,
  untilEvent,
  writeServers,
} from './patchbay.ts';

describe('a server whose definition is not trusted', () => {
  let api: PatchbayApi;

  before(async () => {
    api = await activatePatchbay();
    await (await startServer('article')).stop();
    await setTesting('trust', 'deny');
  });

  after(() => setTesting('trust', 'trust'));

  it('does not start, says why, and is no failure: it may be asked about again', async () => {
    const server = api.getServer('second');
    assert.ok(server);
    await assert.rejects(server.start(), /You did not start the server/);
    assert.equal(server.state, 'stopped');
    assert.equal(server.error, undefined);
  });

  it('does not start through a command either', async () => {
    await commands.executeCommand('patchbay.startServer', 'second');
    assert.equal(api.getServer('second')?.state, 'stopped');
  });

  it('leaves those alone that were trusted before', async () => {
    const server = await startServer('article');
    await server.stop();
  });
});

describe('a server that is a script of the workspace', () => {
  const script = (): string => join(secondFolder(), 'everything.mjs');

  before(async () => {
    const everything = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
    await writeFile(script(), `await import(\`file://\${process.env.REPO}/${everything}\`);\n`);
    const definition = { command: 'node', args: ['everything.mjs', 'stdio'], env: { REPO: '${env:PATCHBAY_REPO}' } };
    await writeServers({ scripted: definition });
  });

  after(async () => {
    await setTesting('trust', 'trust');
    await rm(script());
    await removeServers('scripted');
  });

  it('starts as long as the script is the one that was trusted', async () => {
    await (await startServer('scripted')).stop();
    await setTesting('trust', 'deny');
    const server = await startServer('scripted');
    await server.stop();
    await appendFile(script(), '// changed\n');
    await assert.rejects(server.start(), /You did not start the server/);
  });
});

describe('a server of a folder that would start by itself', () => {
  const settings = (): WorkspaceConfiguration => workspace.getConfiguration('patchbay');
  const file = (): string => join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', '.mcp.json');
  let api: PatchbayApi;

  before(async () => {
    api = await activatePatchbay();
    const entry = { command: 'node', args: ['unattended.js'], patchbay: { autoStart: true } };
    await writeFile(file(), JSON.stringify({ mcpServers: { unattended: entry } }));
    await untilEvent(api.onDidChangeServers, () => api.getServer('unattended') !== undefined);
  });

  after(async () => {
    await settings().update('serverOptions', undefined, true);
    await rm(file());
  });

  it('stays stopped where only the folder, or options for another server, say so', async () => {
    await settings().update('serverOptions', { unattended: { autoStart: true, for: 'node other.js' } }, true);
    const found = await askUntil(
      () => Promise.resolve(languages.getDiagnostics(Uri.file(file())).map(({ code }) => code)),
      (codes) => codes.includes('optionsWithheld'),
    );
    assert.ok(found.includes('ignoredOption'));
    assert.equal(api.getServer('unattended')?.state, 'stopped');
  });

  it('waits for approval where the person wants it, though a test would answer every question with yes', async () => {
    await settings().update('serverOptions', { wished: { autoStart: true, for: 'node unattended.js' } }, true);
    // It counts when the window first has the server.
    await writeFile(file(), JSON.stringify({ mcpServers: { wished: { command: 'node', args: ['unattended.js'] } } }));
    await until(() => api.getServer('wished')?.error !== undefined);
    assert.match(api.getServer('wished')?.error ?? '', /has not started, because you have not approved it yet/);
  });
});
