import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { commands, type Diagnostic, languages, Uri, workspace } from 'vscode';
import type { PatchbayApi } from '../../src/host/api.ts';
import { activatePatchbay, askUntil, startServer, untilEvent } from './patchbay.ts';

function hostFolder(): string {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return folder.uri.fsPath;
}

function labelsOf(api: PatchbayApi): string[] {
  return api.servers.map(({ label }) => label);
}

/** The text at each of Patchbay's problems, in the order of the file. */
async function faultsOf(uri: Uri): Promise<string[]> {
  const document = await workspace.openTextDocument(uri);
  const ours = (): Diagnostic[] => languages.getDiagnostics(uri).filter(({ source }) => source === 'Patchbay');
  const found = await askUntil(
    () => Promise.resolve(ours()),
    (diagnostics) => diagnostics.length > 0,
  );
  return found
    .toSorted((one, other) => one.range.start.compareTo(other.range.start))
    .map(({ code, range }) => `${typeof code === 'object' ? code.value : code}: ${document.getText(range)}`);
}

describe('bad configuration', () => {
  let api: PatchbayApi;
  const folder = (): Uri => Uri.file(resolve(hostFolder(), '..', 'broken'));

  before(async () => {
    api = await activatePatchbay();
    workspace.updateWorkspaceFolders(workspace.workspaceFolders?.length ?? 0, 0, { uri: folder() });
    await untilEvent(api.onDidChangeServers, () => api.getServer('goodAfterFault') !== undefined);
  });

  after(async () => {
    const index = workspace.workspaceFolders?.findIndex(({ name }) => name === 'broken') ?? -1;
    workspace.updateWorkspaceFolders(index, 1);
    await untilEvent(api.onDidChangeServers, () => api.getServer('goodAfterFault') === undefined);
  });

  it('hides no other server', async () => {
    const labels = labelsOf(api);
    for (const label of ['everything', 'second', 'demo', 'good', 'goodBeforeFault', 'goodAfterFault', 'goodOfCursor']) {
      assert.ok(labels.includes(label), `${label} is missing from ${labels.join(', ')}`);
    }
    assert.equal(new Set(labels).size, labels.length);
    const server = await startServer('goodAfterFault');
    await server.stop();
  });

  it('is marked where it stands', async () => {
    const faults = await faultsOf(Uri.joinPath(folder(), '.vscode', 'mcp.json'));
    for (const fault of [
      'unknownType: "pigeon"',
      'missingCommand: "missingCommand"',
      'undefinedInput: ${input:undefined}',
      'duplicateLabel: "duplicate"',
    ]) {
      assert.ok(faults.includes(fault), `${fault} is missing from ${faults.join(' | ')}`);
    }
    assert.ok((await faultsOf(Uri.joinPath(folder(), '.mcp.json'))).includes('brokenJson: "args"'));
    assert.ok((await faultsOf(Uri.joinPath(folder(), '.cursor', 'mcp.json'))).includes('wrongSection: "servers"'));
  });

  it('can be fixed from where it stands', async () => {
    const uri = Uri.joinPath(folder(), '.cursor', 'mcp.json');
    await faultsOf(uri);
    const document = await workspace.openTextDocument(uri);
    const at = document.positionAt(document.getText().indexOf('"servers"') + 1);
    await askUntil<unknown>(
      async () =>
        await commands.executeCommand('vscode.executeCodeActionProvider', uri, document.lineAt(at.line).range),
      (actions) => JSON.stringify(actions).includes('mcpServers'),
    );
  });

  it('says why such a server cannot start', async () => {
    await assert.rejects(startServer('undefinedInput'), /undefined/);
  });
});

describe('a configuration file that is a named pipe behind a link', () => {
  const cursor = (): string => join(hostFolder(), '.cursor');
  let api: PatchbayApi;

  before(async () => {
    api = await activatePatchbay();
    await mkdir(cursor());
    const pipe = join(cursor(), 'pipe');
    // Windows has no named pipes in folders: a folder is used there instead.
    if (process.platform === 'win32') await mkdir(pipe);
    else await promisify(execFile)('mkfifo', [pipe]);
    await symlink(pipe, join(cursor(), 'mcp.json'), 'junction');
  });

  after(() => rm(cursor(), { recursive: true }));

  it('is never opened, and the others are read', async () => {
    const uri = Uri.file(join(cursor(), 'mcp.json'));
    await writeFile(join(hostFolder(), '.mcp.json'), '{"mcpServers": {"besideAPipe": {"command": "x"}}}');
    await untilEvent(api.onDidChangeServers, () => api.getServer('besideAPipe') !== undefined);
    await askUntil(
      () => Promise.resolve(languages.getDiagnostics(uri)),
      ([problem]) => problem?.message.includes('not an ordinary file') === true,
    );
    await rm(join(hostFolder(), '.mcp.json'));
    await untilEvent(api.onDidChangeServers, () => api.getServer('besideAPipe') === undefined);
  });
});

describe('a saved change', () => {
  const path = (): string => join(hostFolder(), '.vscode', 'mcp.json');
  let api: PatchbayApi;
  let original: string;

  before(async () => {
    api = await activatePatchbay();
    original = await readFile(path(), 'utf8');
  });

  after(async () => {
    await writeFile(path(), original);
    await untilEvent(api.onDidChangeServers, () => api.getServer('added') === undefined);
  });

  it('adds and removes servers without a reload, keeping what runs', async () => {
    const demo = await startServer('demo');
    await writeFile(path(), original.replace('"article"', '"added"'));
    await untilEvent(api.onDidChangeServers, () => api.getServer('added') !== undefined);
    assert.equal(api.getServer('article'), undefined);
    assert.equal(api.getServer('demo'), demo);
    assert.equal(demo.state, 'running');
    await demo.stop();
  });

  it('is what a restart then uses', async () => {
    const added = await startServer('added');
    assert.ok(added.tools.some(({ name }) => name === 'calculate'));
    const changed = (await readFile(path(), 'utf8')).replace(
      'test/fixtures/servers/articleServer.mjs',
      'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    );
    await writeFile(path(), changed);
    // The first restarts may come before the change is read.
    await askUntil(
      async () => {
        await commands.executeCommand('patchbay.restartServer', 'added');
        return added.tools.map(({ name }) => name);
      },
      (names) => names.includes('echo'),
    );
    assert.equal(added.state, 'running');
    await added.stop();
  });
});
