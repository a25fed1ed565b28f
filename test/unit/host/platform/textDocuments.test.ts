import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createTextDocuments, tabName } from '../../../../src/host/platform/textDocuments.ts';
import { editor, workspace } from '../../../fixtures/vscode.ts';

const provide = (query: string): string | undefined =>
  editor.providers.get('one')?.provideTextDocumentContent({ query });

it('keeps the text of a document until it is closed', () => {
  const documents = createTextDocuments({ scheme: 'one', missingText: 'gone' });
  const uri = documents.set('a.txt', 'a', 'text');
  expect(uri).toMatchObject({ scheme: 'one', path: '/patchbay~/a.txt', query: 'a' });
  editor.fire('onDidCloseTextDocument', { uri: { scheme: 'other', query: 'a' } });
  expect(provide('a')).toBe('text');
  editor.fire('onDidCloseTextDocument', { uri: { scheme: 'one', query: 'a' } });
  expect(provide('a')).toBe('gone');
});

it('says that a document has changed once more when it is open: before, VS Code ignores that', async () => {
  const documents = createTextDocuments({ scheme: 'one', missingText: 'gone' });
  const uri = documents.set('a.txt', 'a', 'first');
  const changed: unknown[] = [];
  const openTextDocument = async () => {
    documents.set('a.txt', 'a', 'second');
    editor.providers.get('one')?.onDidChange((one) => changed.push(one));
    return { uri };
  };
  Object.assign(workspace, { openTextDocument });
  await documents.show(uri, { preview: false });
  expect(changed).toEqual([uri]);
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
