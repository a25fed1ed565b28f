import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { commands, FileType, type TextDocument, Uri, window, workspace } from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import { askUntil, startServer } from './patchbay.ts';
import { closeEditors, isNotFound } from './window.ts';

const skill = 'skill://pdf-processing/SKILL.md';
const file = 'skill://pdf-processing/references/FORMS.md';

describe('skills as documents', () => {
  let server: ServerHandle;
  /** The folder of the skill. */
  let folder: Uri;
  const uriOf = (path: string): Uri => Uri.joinPath(folder, path);
  before(async () => {
    server = await startServer('skills');
  });
  after(async () => {
    await closeEditors();
    await server.stop();
  });

  it('opens the SKILL.md of a skill, which cannot be written', async () => {
    await commands.executeCommand('patchbay.openSkill', { server: 'skills', skill });
    const document = await untilActiveDocument('/pdf-processing/SKILL.md');
    folder = Uri.joinPath(document.uri, '..');
    // Newer editors have a language for this file alone.
    assert.equal(document.languageId, 'patchbay-markdown');
    assert.equal(document.getText(), (await server.readSkill(skill)).contents.text);
    assert.equal(workspace.fs.isWritableFileSystem('patchbay-skill'), false);
    await assert.rejects(Promise.resolve(workspace.fs.writeFile(document.uri, new Uint8Array())));
  });

  it('opens a file of it, where a link in SKILL.md leads', async () => {
    await commands.executeCommand('patchbay.openSkill', { server: 'skills', skill, file });
    const document = await untilActiveDocument('/references/FORMS.md');
    assert.equal(document.getText(), (await server.readSkillFile(skill, file)).contents.text);
    assert.equal(document.uri.toString(), uriOf('references/FORMS.md').toString());
  });

  it('is a folder of the files its entry lists', async () => {
    assert.deepEqual(await workspace.fs.readDirectory(folder), [
      ['SKILL.md', FileType.File],
      ['references', FileType.Directory],
    ]);
    assert.equal((await workspace.fs.stat(uriOf('references'))).type, FileType.Directory);
    await assert.rejects(Promise.resolve(workspace.fs.readFile(uriOf('other.md'))), /not among the files/);
  });

  it('shows nothing of a skill that is not what its entry says, and tells why', async () => {
    const changed = 'skill://changed/SKILL.md';
    await assert.rejects(server.readSkill(changed), /SHA-256/);
    await commands.executeCommand('patchbay.openSkill', { server: 'skills', skill: changed });
    assert.ok(!window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => addressOf(input).includes('changed'))));
  });

  it('opens a skill the server does not list', async () => {
    await commands.executeCommand('patchbay.openSkill', { server: 'skills', skill: 'skill://unlisted/SKILL.md' });
    const document = await untilActiveDocument('/unlisted/SKILL.md');
    assert.match(document.getText(), /Ask for me by name/);
  });

  it('is nothing at an address that was not made for it, nor started for one that was', async () => {
    await server.stop();
    const [, seal, encoded, name] = folder.path.split('/');
    for (const path of [`/${encoded}/${name}/SKILL.md`, `/${seal}/${encoded}/other/SKILL.md`, `/${seal}/${encoded}`]) {
      const other = folder.with({ path });
      const attempts = [workspace.fs.stat(other), workspace.fs.readFile(other), workspace.fs.readDirectory(other)];
      for (const attempt of attempts) await assert.rejects(Promise.resolve(attempt), isNotFound);
    }
    assert.match(Buffer.from(await workspace.fs.readFile(uriOf('other.md'))).toString(), /^Start "skills"/);
    assert.match(Buffer.from(await workspace.fs.readFile(uriOf('SKILL.md'))).toString(), /\S/);
    assert.equal(server.state, 'stopped');
  });
});

function addressOf(input: unknown): string {
  return typeof input === 'object' && input !== null && 'uri' in input ? String(input.uri) : '';
}

async function untilActiveDocument(end: string): Promise<TextDocument> {
  const document = await askUntil(
    () => Promise.resolve(window.activeTextEditor?.document),
    (active) => active?.uri.scheme === 'patchbay-skill' && active.uri.path.endsWith(end),
  );
  assert.ok(document);
  return document;
}
