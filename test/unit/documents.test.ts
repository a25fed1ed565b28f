import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { extensionsOf, languageOf, ownFolder } from '../../src/host/platform/ownLanguages.ts';
import manifest from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../../', import.meta.url));

/** All that opens a document, gives one its text, or shows one in an editor of VS Code. */
const doors = [
  'openTextDocument',
  'openNotebookDocument',
  'showTextDocument',
  'showNotebookDocument',
  'vscode.open',
  'vscode.openWith',
  'vscode.diff',
  'vscode.changes',
  'markdown.showPreview',
  'untitled:',
  'registerTextDocumentContentProvider',
  'registerFileSystemProvider',
  'registerReadOnlyFiles',
  'registerCustomEditorProvider',
  'setTextDocumentLanguage',
  'createTextDocuments',
  'showNewDocument',
  'showPersonsFile',
  'DocumentLink',
] as const;

/**
 * Every place that passes one of them, with the languages of its documents. `own`: those of `ownLanguages`, whatever the name of
 * the document says. A place that is not here needs a reason to be.
 */
const places: Readonly<Record<string, string>> = {
  'host/platform/documents.ts openTextDocument': 'the only place that opens documents',
  'host/platform/documents.ts showTextDocument': 'the only place that shows them',
  'host/platform/documents.ts vscode.open': 'own; pictures and sounds, and what is no text, in viewers',
  'host/platform/documents.ts vscode.openWith': 'own: the arguments of a tool, in its editor or as text',
  'host/platform/documents.ts vscode.diff': 'own, on both sides',
  'host/platform/documents.ts setTextDocumentLanguage': 'own: takes any other language away',
  'host/platform/documents.ts showNewDocument': 'own: of the type OwnLanguage',
  'host/platform/documents.ts showPersonsFile': 'that of the file, which is not from outside: see those who call it',
  'host/platform/textDocuments.ts registerTextDocumentContentProvider': 'own',
  'host/platform/textDocuments.ts createTextDocuments': 'own',
  'host/platform/readOnlyFileSystem.ts registerFileSystemProvider': 'own: see those who register files',
  'host/platform/readOnlyFileSystem.ts registerReadOnlyFiles': 'own',
  'host/platform/sendTo.ts showNewDocument':
    'patchbay-markdown: prompts, results, instructions, messages of apps, addresses',
  'host/apps/appActions.ts showNewDocument': 'patchbay-json: an invented call, with the result of a real one',
  'host/apps/appFeature.ts createTextDocuments': 'own: what an app gives for models',
  'host/calls/compareResults.ts createTextDocuments': 'own: results of calls',
  'host/calls/savedCallFiles.ts showPersonsFile': 'jsonc: .vscode/mcp-calls.json, a file of the person in their folder',
  'host/compose/composeFeatures.ts registerReadOnlyFiles': 'own: resources, and files of skills',
  'host/configuration/askInput.ts createTextDocuments': 'own: what an input of the type command would run',
  'host/configuration/askTrust.ts createTextDocuments': 'own: a whole definition',
  'host/configuration/importFromClients.ts showNewDocument': 'patchbay-text: what an import left out',
  'host/configuration/configurationFiles.ts showPersonsFile':
    'jsonc: a configuration file of the person or of their folder',
  'host/consent/callQuestions.ts createTextDocuments': 'own: arguments of a call',
  'host/definitions/definitionHost.ts createTextDocuments': 'own: definitions of servers',
  'host/invocation/askModel.ts createTextDocuments': 'own: answers of models',
  'host/results/sourcePlaces.ts showPersonsFile': 'that of the file: a file of the workspace that a stack trace names',
  'host/results/wholeDocuments.ts registerReadOnlyFiles': 'own: whole results, errors and details',
  'host/tools/registerTools.ts registerFileSystemProvider': 'mcp-arguments, which is own: arguments of tools',
  'host/testing/askAboutCalls.ts showNewDocument': 'patchbay-text: the saved calls that a run would make',
  'host/tools/registerTools.ts registerCustomEditorProvider': 'mcp-arguments: the tab of a tool',
};

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'));

/** Without comments and imports: the places that use a name. */
function codeOf(path: string): string {
  return readFileSync(join(root, 'src', path), 'utf8')
    .replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
    .replace(/^import [^]*?;$/gm, '');
}

describe('documents', () => {
  it('are opened in the places of a list alone, each with its language', () => {
    const found = sources.flatMap((path) => {
      const code = codeOf(path);
      const isUsed = (door: string): boolean => new RegExp(`(?<!\\w)${door.replace('.', '\\.')}(?!\\w)`).test(code);
      return doors.filter(isUsed).map((door) => `${path} ${door}`);
    });
    expect(found.toSorted()).toEqual(Object.keys(places).toSorted());
  });

  it('of every scheme of Patchbay have a language of its own, whatever their names are', () => {
    const schemes = sources.flatMap((path) =>
      [...codeOf(path).matchAll(/'(patchbay-[a-z]+)'/g)].map(([, scheme]) => scheme),
    );
    const names = ['a.md', 'SKILL.md', 'a.prompt.md', 'a.html', 'a.json', 'x.code-search', 'Dockerfile', 'a.ipynb', ''];
    expect(schemes.length).toBeGreaterThan(8);
    for (const scheme of schemes.filter((one) => one !== undefined))
      for (const name of names)
        expect(languageOf({ scheme, path: `/x/${name}` })).toMatch(/^(?:patchbay-|mcp-arguments$)/);
    expect(languageOf({ scheme: 'file', path: '/patchbay~/a.md' })).toBeUndefined();
  });

  it('have that language before Patchbay is active: the patterns of package.json are about their folders alone', () => {
    const { languages, grammars } = manifest.contributes;
    const own = languages.filter(({ id }) => id.startsWith('patchbay-'));
    const expected = Object.entries(extensionsOf).map(([id, extensions]) => ({
      id,
      filenamePatterns: extensions.map((extension) => `${ownFolder}*/**/*.${extension}`),
    }));
    const patterns = own.map(({ id, filenamePatterns }) => ({ id, filenamePatterns }));
    expect(patterns).toEqual([...expected, { id: 'patchbay-text', filenamePatterns: [`${ownFolder}*/**`] }]);
    for (const { id } of own)
      if (id !== 'patchbay-text') expect(grammars.some(({ language }) => language === id)).toBe(true);
    for (const { path } of grammars) expect(existsSync(join(root, path))).toBe(true);
  });
});
