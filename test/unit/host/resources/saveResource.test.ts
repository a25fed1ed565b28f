import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ResourcePart } from '../../../../src/host/resources/resourceStore.ts';
import { offerToSave, saveParts, shownResource } from '../../../../src/host/resources/saveResource.ts';
import { sampleSeal } from '../sampleSeal.ts';
import { toResourceUri } from '../../../../src/host/resources/resourceFiles.ts';
import { editor, Uri, window } from '../../../fixtures/vscode.ts';

function part(name: string, more: Partial<ResourcePart> = {}): ResourcePart {
  return { name, uri: `x:${name}`, mimeType: undefined, bytes: Buffer.from(name), isBinary: true, ...more };
}

beforeEach(() => void editor.files.set('/home/things', { type: 2 }));

/** The files that were saved, and what they hold. */
const saved = () =>
  [...editor.files].filter(([path]) => path !== '/home/things').map(([path, { text }]) => [path, text]);

describe('saving a resource', () => {
  it('saves the only contents where the person says', async () => {
    await saveParts('things', [part('a.pdf')]);
    expect(saved()).toEqual([['/w/a.pdf', 'a.pdf']]);
    Object.assign(window, { showSaveDialog: async () => undefined });
    await saveParts('things', [part('b.pdf')]);
    expect(saved()).toHaveLength(1);
  });

  it('saves one of several contents, or the one that is shown', async () => {
    editor.answer = 'b.bin';
    await saveParts('things', [part('a.pdf'), part('b.bin')]);
    await saveParts('things', [part('a.pdf'), part('b.bin')], 'a.pdf');
    expect(saved().map(([path]) => path)).toEqual(['/w/b.bin', '/w/a.pdf']);
    expect(editor.questions[0]?.choices.map(({ label }) => label)).toEqual([
      '$(files) All 2 files, in a new folder',
      'a.pdf',
      'b.bin',
    ]);
  });

  it('saves all of them in a folder that is new, so that nothing is overwritten', async () => {
    editor.answer = '$(files) All 2 files, in a new folder';
    await saveParts('things', [part('a.pdf'), part('b.bin')]);
    expect(editor.made).toEqual(['/home/things (2)']);
    expect(saved().map(([path]) => path)).toEqual(['/home/things (2)/a.pdf', '/home/things (2)/b.bin']);
  });

  it('offers to save what an editor cannot show, and nothing else', async () => {
    editor.answer = 'Save As…';
    offerToSave(part('a.pdf', { mimeType: 'application/pdf' }));
    await vi.waitFor(() => expect(saved()).toEqual([['/w/a.pdf', 'a.pdf']]));
    offerToSave(part('a.png', { mimeType: 'image/png' }));
    offerToSave(part('a.txt', { mimeType: 'text/plain', isBinary: false }));
    expect(editor.said).toEqual(['a.pdf is application/pdf. Save it to open it in another program.']);
  });

  it('knows the resource of a document by its menu, or by the active tab of any kind', () => {
    const seal = sampleSeal();
    const uri = Uri.from(toResourceUri(seal, { server: 'demo', uri: 'demo://a' }, { text: 'a.png' }));
    const resource = { server: 'demo', uri: 'demo://a', part: undefined };
    expect(shownResource(seal, uri)).toEqual(resource);
    expect(shownResource(seal, undefined)).toBeUndefined();
    editor.activeTab = { input: { uri } };
    expect(shownResource(seal, undefined)).toEqual(resource);
    expect(shownResource(seal, { server: 'demo', uri: 'demo://b' })).toBeUndefined();
    expect(shownResource(sampleSeal({ key: 2 }), uri)).toBeUndefined();
  });
});
