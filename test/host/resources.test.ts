import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { commands, FileSystemError, FileType, type TextDocument, Uri, window, workspace } from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import { toResourceUri } from '../../src/host/resources/resourceUri.ts';
import { askUntil, startServer } from './patchbay.ts';
import { closeEditors, untilActiveTab } from './window.ts';

const uriOf = (uri: string): Uri => Uri.from(toResourceUri('demo', uri, { text: 'name' }));

async function open(uri: string): Promise<void> {
  await commands.executeCommand('patchbay.openResource', { server: 'demo', uri });
}

describe('resources as documents', () => {
  let server: ServerHandle;
  before(async () => {
    server = await startServer('demo');
  });
  after(async () => {
    await closeEditors();
    await server.stop();
  });

  it('opens a text in an editor of its language, which cannot be written', async () => {
    await open('demo://readme');
    const document = await untilActiveDocument('Read Me.md');
    assert.equal(document.languageId, 'markdown');
    assert.equal(document.getText(), (await server.readResource('demo://readme')).contents[0]?.text);
    assert.equal(workspace.fs.isWritableFileSystem('patchbay-resource'), false);
    await assert.rejects(Promise.resolve(workspace.fs.writeFile(document.uri, new Uint8Array())));
  });

  it('opens a picture in the preview of pictures', async () => {
    await open('demo://logo');
    await untilActiveTab((tab) => tab.label.endsWith('.png'));
    const bytes = await workspace.fs.readFile(uriOf('demo://logo'));
    assert.equal(Buffer.from(bytes).toString('latin1', 1, 4), 'PNG');
  });

  it('shows what changes while one looks', async () => {
    await open('demo://clock');
    const document = await untilActiveDocument('Clock.txt');
    const shown = document.getText();
    await askUntil(
      () => Promise.resolve(document.getText()),
      (text) => text !== shown,
    );
  });

  it('is a folder where there are several contents', async () => {
    const folder = uriOf('demo://folder');
    assert.equal((await workspace.fs.stat(folder)).type, FileType.Directory);
    const entries = await workspace.fs.readDirectory(folder);
    assert.equal(entries.length, 2);
    for (const [name, type] of entries) {
      assert.equal(type, FileType.File);
      assert.ok((await workspace.fs.readFile(Uri.joinPath(folder, name))).length > 0);
    }
    await assert.rejects(Promise.resolve(workspace.fs.readFile(Uri.joinPath(folder, 'nothing'))), isNotFound);
  });

  it('starts a stopped server to read', async () => {
    await server.stop();
    const text = Buffer.from(await workspace.fs.readFile(uriOf('demo://readme'))).toString();
    assert.match(text, /\S/);
    assert.equal(server.state, 'running');
  });

  it('says what is not there', async () => {
    await assert.rejects(Promise.resolve(workspace.fs.stat(uriOf('demo://no-such-thing'))), isNotFound);
    await assert.rejects(Promise.resolve(workspace.fs.stat(Uri.parse('patchbay-resource://NOBODY/x/y'))), isNotFound);
  });
});

/** The document of the active editor, once it is a resource whose URI contains `name`. */
async function untilActiveDocument(name: string): Promise<TextDocument> {
  const document = await askUntil(
    () => Promise.resolve(window.activeTextEditor?.document),
    (active) => active?.uri.scheme === 'patchbay-resource' && active.uri.path.includes(name),
  );
  assert.ok(document);
  return document;
}

function isNotFound(error: unknown): boolean {
  return error instanceof FileSystemError && error.code === 'FileNotFound';
}
