import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createTextDocuments, tabName } from '../../../../src/host/platform/textDocuments.ts';

const editor = vi.hoisted(() => ({
  provide: (_uri: { query: string }): unknown => undefined,
  close: (_document: { uri: { scheme: string; query: string } }): void => {},
  /** What happens while a document is opened. */
  whileOpening: (): void => {},
  changed: [] as unknown[],
}));
vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly event = () => ({ dispose() {} });
    fire(value: unknown) {
      editor.changed.push(value);
    }
    dispose() {}
  },
  Uri: { from: (parts: object) => parts },
  window: { showTextDocument: () => Promise.resolve() },
  workspace: {
    openTextDocument: (uri: object) => {
      editor.whileOpening();
      return Promise.resolve({ uri });
    },
    registerTextDocumentContentProvider(
      _scheme: string,
      provider: { provideTextDocumentContent: typeof editor.provide },
    ) {
      editor.provide = provider.provideTextDocumentContent;
      return { dispose() {} };
    },
    onDidCloseTextDocument(listener: typeof editor.close) {
      editor.close = listener;
      return { dispose() {} };
    },
  },
}));

it('keeps the text of a document until it is closed', () => {
  const documents = createTextDocuments({ scheme: 'one', missingText: 'gone' });
  const uri = documents.set('a.txt', 'a', 'text');
  expect(uri).toEqual({ scheme: 'one', path: '/patchbay~/a.txt', query: 'a' });
  editor.close({ uri: { scheme: 'other', query: 'a' } });
  expect(editor.provide({ query: 'a' })).toBe('text');
  editor.close({ uri: { scheme: 'one', query: 'a' } });
  expect(editor.provide({ query: 'a' })).toBe('gone');
});

it('says that a document has changed once more when it is open: before, VS Code ignores that', async () => {
  const documents = createTextDocuments({ scheme: 'one', missingText: 'gone' });
  const uri = documents.set('a.txt', 'a', 'first');
  editor.whileOpening = () => {
    documents.set('a.txt', 'a', 'second');
    editor.changed = [];
  };
  await documents.show(uri, { preview: false });
  expect(editor.changed).toEqual([uri]);
});

it('names a tab without what a path cannot hold', () => {
  expect(tabName('a/b\\c:1 é')).toBe('a_b_c_1 é');
});

it('has no scheme twice: the later provider would answer for the documents of the other', () => {
  const host = resolve(import.meta.dirname, '../../../../src/host');
  const texts = readdirSync(host, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(host, path), 'utf8'));
  const schemes = texts.flatMap((text) =>
    [...text.matchAll(/[sS]cheme(?: =|:) '([a-z-]+)'/g)].map(([, scheme]) => scheme),
  );
  expect(schemes.length).toBeGreaterThan(5);
  expect(schemes).toEqual([...new Set(schemes)]);
});
