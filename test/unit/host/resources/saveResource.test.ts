import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ResourcePart } from '../../../../src/host/resources/resourceStore.ts';
import { offerToSave, saveParts, shownResource } from '../../../../src/host/resources/saveResource.ts';
import { sampleSeal } from '../sampleSeal.ts';
import { toResourceUri } from '../../../../src/host/resources/resourceFiles.ts';

const editor = vi.hoisted(() => {
  class Uri {
    readonly scheme: string;
    readonly authority: string;
    readonly path: string;
    constructor(scheme: string, authority: string, path: string) {
      [this.scheme, this.authority, this.path] = [scheme, authority, path];
    }
    static file = (path: string): Uri => new Uri('file', '', path);
    static joinPath = (uri: Uri, name: string): Uri => new Uri(uri.scheme, uri.authority, `${uri.path}/${name}`);
  }
  const activeTab: unknown = undefined;
  return {
    Uri,
    /** The choices of the user: a row by its label, a place to save, a button. */
    answers: { row: '', save: true, folder: true, button: '' },
    written: new Map<string, string>(),
    folders: [] as string[],
    asked: [] as string[],
    activeTab,
  };
});

vi.mock('vscode', () => ({
  Uri: editor.Uri,
  window: {
    tabGroups: {
      get activeTabGroup() {
        return { activeTab: { input: editor.activeTab } };
      },
    },
    setStatusBarMessage: () => {},
    showSaveDialog: async ({ defaultUri }: { defaultUri: unknown }) => (editor.answers.save ? defaultUri : undefined),
    showOpenDialog: async () => (editor.answers.folder ? [editor.Uri.file('/home')] : undefined),
    showQuickPick: async (rows: readonly { label: string }[]) => {
      editor.asked.push(...rows.map(({ label }) => label));
      return rows.find(({ label }) => label === editor.answers.row);
    },
    showInformationMessage: async (text: string) => (editor.asked.push(text), editor.answers.button),
  },
  workspace: {
    workspaceFolders: [{ uri: editor.Uri.file('/w') }],
    fs: {
      writeFile: async ({ path }: { path: string }, bytes: Uint8Array) =>
        void editor.written.set(path, Buffer.from(bytes).toString()),
      readDirectory: async () => [['things', 2]],
      createDirectory: async ({ path }: { path: string }) => void editor.folders.push(path),
    },
  },
}));

function part(name: string, more: Partial<ResourcePart> = {}): ResourcePart {
  return { name, uri: `x:${name}`, mimeType: undefined, bytes: Buffer.from(name), isBinary: true, ...more };
}

beforeEach(() => {
  editor.written.clear();
  editor.folders.length = 0;
  editor.asked.length = 0;
  editor.answers = { row: '', save: true, folder: true, button: '' };
});

describe('saving a resource', () => {
  it('saves the only contents where the person says', async () => {
    await saveParts('things', [part('a.pdf')]);
    expect([...editor.written]).toEqual([['/w/a.pdf', 'a.pdf']]);
    editor.answers.save = false;
    await saveParts('things', [part('b.pdf')]);
    expect(editor.written.size).toBe(1);
  });

  it('saves one of several contents, or the one that is shown', async () => {
    editor.answers.row = 'b.bin';
    await saveParts('things', [part('a.pdf'), part('b.bin')]);
    await saveParts('things', [part('a.pdf'), part('b.bin')], 'a.pdf');
    expect([...editor.written.keys()]).toEqual(['/w/b.bin', '/w/a.pdf']);
    expect(editor.asked).toEqual(['$(files) All 2 files, in a new folder', 'a.pdf', 'b.bin']);
  });

  it('saves all of them in a folder that is new, so that nothing is overwritten', async () => {
    editor.answers.row = '$(files) All 2 files, in a new folder';
    await saveParts('things', [part('a.pdf'), part('b.bin')]);
    expect(editor.folders).toEqual(['/home/things (2)']);
    expect([...editor.written.keys()]).toEqual(['/home/things (2)/a.pdf', '/home/things (2)/b.bin']);
  });

  it('offers to save what an editor cannot show, and nothing else', async () => {
    editor.answers.button = 'Save As…';
    offerToSave(part('a.pdf', { mimeType: 'application/pdf' }));
    await vi.waitFor(() => expect([...editor.written.keys()]).toEqual(['/w/a.pdf']));
    offerToSave(part('a.png', { mimeType: 'image/png' }));
    offerToSave(part('a.txt', { mimeType: 'text/plain', isBinary: false }));
    expect(editor.asked).toEqual(['a.pdf is application/pdf. Save it to open it with a program of yours.']);
  });

  it('knows the resource of a document by its menu, or by the active tab of any kind', () => {
    const seal = sampleSeal();
    const { scheme, authority, path } = toResourceUri(seal, { server: 'demo', uri: 'demo://a' }, { text: 'a.png' });
    const uri = new editor.Uri(scheme, authority, path);
    const resource = { server: 'demo', uri: 'demo://a', part: undefined };
    expect(shownResource(seal, uri)).toEqual(resource);
    expect(shownResource(seal, undefined)).toBeUndefined();
    editor.activeTab = { uri };
    expect(shownResource(seal, undefined)).toEqual(resource);
    expect(shownResource(seal, { server: 'demo', uri: 'demo://b' })).toBeUndefined();
    expect(shownResource(sampleSeal({ key: 2 }), uri)).toBeUndefined();
  });
});
