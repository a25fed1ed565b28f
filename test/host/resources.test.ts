import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { commands, FileType, type TextDocument, Uri, window, workspace } from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import { askUntil, startServer, until } from './patchbay.ts';
import { closeEditors, drivingQuickPick, isNotFound, untilActiveTab } from './window.ts';

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
    assert.equal(document.languageId, 'patchbay-markdown');
    assert.equal(document.getText(), (await server.readResource('demo://readme')).contents[0]?.text);
    assert.equal(workspace.fs.isWritableFileSystem('patchbay-resource'), false);
    await assert.rejects(Promise.resolve(workspace.fs.writeFile(document.uri, new Uint8Array())));
  });

  it('opens a picture in the preview of pictures', async () => {
    await open('demo://logo');
    await untilActiveTab((tab) => tab.label.endsWith('.png'));
    const bytes = await workspace.fs.readFile(activeUri());
    assert.equal(Buffer.from(bytes).toString('latin1', 1, 4), 'PNG');
  });

  it('shows what changes while one looks', async () => {
    await open('demo://clock');
    const document = await untilActiveDocument('Clock.txt');
    const shown = document.getText();
    await until(() => document.getText() !== shown);
  });

  it('is a folder where there are several contents', async () => {
    await drivingQuickPick('accept', open('demo://folder'));
    await untilActiveTab(({ input }) => uriOf(input)?.path.includes('folder') === true);
    const folder = Uri.joinPath(activeUri(), '..');
    assert.equal((await workspace.fs.stat(folder)).type, FileType.Directory);
    const entries = await workspace.fs.readDirectory(folder);
    assert.equal(entries.length, 2);
    for (const [name, type] of entries) {
      assert.equal(type, FileType.File);
      assert.ok((await workspace.fs.readFile(Uri.joinPath(folder, name))).length > 0);
    }
    await assert.rejects(Promise.resolve(workspace.fs.readFile(Uri.joinPath(folder, 'nothing'))), isNotFound);
  });

  it('shows what was read last where its server has stopped, and starts nothing for it', async () => {
    await open('demo://readme');
    const { uri } = await untilActiveDocument('Read Me.md');
    await server.stop();
    assert.match(Buffer.from(await workspace.fs.readFile(uri)).toString(), /\S/);
    assert.equal((await workspace.fs.stat(uri)).type, FileType.File);
    assert.equal(server.state, 'stopped');
    await server.start();
  });

  it('says what is not there', async () => {
    await open('demo://readme');
    const { uri } = await untilActiveDocument('Read Me.md');
    const [, seal, encoded, name] = uri.path.split('/');
    const forged = [
      `/${encoded}/${name}`,
      `/${seal}/demo~3a~2f~2fclock/${name}`,
      `/${seal}/${encoded}`,
      `/${seal}`,
      '/',
    ];
    await server.stop();
    for (const path of forged) {
      const other = uri.with({ path });
      const attempts = [workspace.fs.stat(other), workspace.fs.readFile(other), workspace.fs.readDirectory(other)];
      for (const attempt of attempts) await assert.rejects(Promise.resolve(attempt), isNotFound);
    }
    await assert.rejects(Promise.resolve(workspace.fs.stat(Uri.parse('patchbay-resource://NOBODY/x/y'))), isNotFound);
    assert.equal(server.state, 'stopped');
  });
});

function uriOf(input: unknown): Uri | undefined {
  const uri = typeof input === 'object' && input !== null && 'uri' in input ? input.uri : undefined;
  return uri instanceof Uri ? uri : undefined;
}

/** Of the document in the active tab, in whatever editor. */
function activeUri(): Uri {
  const uri = uriOf(window.tabGroups.activeTabGroup.activeTab?.input);
  assert.ok(uri);
  return uri;
}

/** The document of the active editor, once it is a resource whose URI contains `name`. */
async function untilActiveDocument(name: string): Promise<TextDocument> {
  const document = await askUntil(
    () => Promise.resolve(window.activeTextEditor?.document),
    (active) => active?.uri.scheme === 'patchbay-resource' && active.uri.path.includes(name),
  );
  assert.ok(document);
  return document;
}
