import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { commands, FileType, type TextDocument, Uri, window, workspace } from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import { toSkillUri } from '../../src/host/skills/skillUri.ts';
import { askUntil, startServer } from './patchbay.ts';
import { closeEditors } from './window.ts';

const skill = 'skill://pdf-processing/SKILL.md';
const file = 'skill://pdf-processing/references/FORMS.md';
const uriOf = (path: string, of = skill): Uri => Uri.from(toSkillUri({ server: 'skills', skill: of, path }));

describe('skills as documents', () => {
  let server: ServerHandle;
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
    // Newer editors have a language for this file alone.
    assert.match(document.languageId, /^(markdown|skill)$/);
    assert.equal(document.getText(), (await server.readSkill(skill)).contents.text);
    assert.equal(workspace.fs.isWritableFileSystem('patchbay-skill'), false);
    await assert.rejects(Promise.resolve(workspace.fs.writeFile(document.uri, new Uint8Array())));
  });

  it('opens a file of it, where a link in SKILL.md leads', async () => {
    await commands.executeCommand('patchbay.openSkill', { server: 'skills', skill, file });
    const document = await untilActiveDocument('/references/FORMS.md');
    assert.equal(document.getText(), (await server.readSkillFile(skill, file)).contents.text);
    assert.equal(document.uri.toString(), Uri.joinPath(uriOf('SKILL.md'), '..', 'references/FORMS.md').toString());
  });

  it('is a folder of the files its entry lists', async () => {
    assert.deepEqual(await workspace.fs.readDirectory(uriOf('')), [
      ['SKILL.md', FileType.File],
      ['references', FileType.Directory],
    ]);
    assert.equal((await workspace.fs.stat(uriOf('references'))).type, FileType.Directory);
    await assert.rejects(Promise.resolve(workspace.fs.readFile(uriOf('other.md'))), /not among the files/);
  });

  it('shows nothing of a skill that is not what its entry says, and tells why', async () => {
    const changed = 'skill://changed/SKILL.md';
    await assert.rejects(Promise.resolve(workspace.fs.readFile(uriOf('SKILL.md', changed))), /SHA-256/);
    assert.equal(server.state, 'running');
  });

  it('opens a skill the server does not list', async () => {
    await commands.executeCommand('patchbay.openSkill', { server: 'skills', skill: 'skill://unlisted/SKILL.md' });
    const document = await untilActiveDocument('/unlisted/SKILL.md');
    assert.match(document.getText(), /Ask for me by name/);
  });
});

async function untilActiveDocument(end: string): Promise<TextDocument> {
  const document = await askUntil(
    () => Promise.resolve(window.activeTextEditor?.document),
    (active) => active?.uri.scheme === 'patchbay-skill' && active.uri.path.endsWith(end),
  );
  assert.ok(document);
  return document;
}
