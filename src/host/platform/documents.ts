import {
  commands,
  type Disposable,
  languages,
  Range,
  type TextDocument,
  type TextDocumentShowOptions,
  type Uri,
  type ViewColumn,
  window,
  workspace,
} from 'vscode';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { languageOf, type OwnLanguage } from './ownLanguages.ts';

// The only file that opens documents: `test/unit/documents.test.ts` lists what the others may do. A document with text from
// outside has a language of Patchbay's own: in others, VS Code follows links to commands.

/**
 * Gives each document of Patchbay's schemes its own language, for as long as it is open: the settings of a folder
 * (`files.associations`), other extensions and the names of files could give it another one.
 */
export function keepOwnLanguages(logger: Logger): Disposable {
  const keep = (document: TextDocument): void => {
    inOwnLanguage(document).catch((error: unknown) => {
      logger.error(() => `The language of ${document.uri.scheme}: ${messageOf(error)}`);
    });
  };
  const subscription = workspace.onDidOpenTextDocument(keep);
  for (const document of workspace.textDocuments) keep(document);
  return subscription;
}

export async function showNewDocument(
  language: OwnLanguage,
  content: string,
  options: TextDocumentShowOptions,
): Promise<TextDocument> {
  const document = await workspace.openTextDocument({ language, content });
  await window.showTextDocument(document, options);
  return document;
}

export async function openOwnDocument(uri: Uri): Promise<TextDocument> {
  return inOwnLanguage(await workspace.openTextDocument(uri));
}

/** Shows such a document in a text editor, whatever editor a folder's settings name for it. */
export async function showOwnDocument(document: TextDocument, options: TextDocumentShowOptions = {}): Promise<void> {
  await window.showTextDocument(document, options);
}

/** How a click on a row shows what it is about: in a tab that the next click takes, and the row keeps the focus. */
export const asPreview: TextDocumentShowOptions = { preview: true, preserveFocus: true };

/** Shows a file of one of Patchbay's file systems: a picture or a sound in VS Code's viewer, anything else as text. */
export async function showOwnFile(uri: Uri, options: TextDocumentShowOptions = {}): Promise<void> {
  const { mediaKindOf } = await import('./fileName.ts');
  const media = mediaKindOf(uri.path);
  if (media === 'pdf') return commands.executeCommand('vscode.open', uri, options);
  if (media !== undefined) return showWith(uri, viewers[media], options);
  let document: TextDocument;
  try {
    document = await openOwnDocument(uri);
  } catch {
    // Not text, too long for extensions, or not readable: VS Code says so in the editor.
    return showWith(uri, textEditor, options);
  }
  await showOwnDocument(document, options);
}

export async function showDifference(before: Uri, after: Uri, title: string): Promise<void> {
  for (const uri of [before, after]) await openOwnDocument(uri);
  await commands.executeCommand('vscode.diff', before, after, title, { preview: true });
}

const textEditor = 'default';

/** The viewers that VS Code comes with: the settings of a folder could name another editor, for a file that is no picture. */
const viewers = {
  image: 'imagePreview.previewEditor',
  audio: 'vscode.audioPreview',
  video: 'vscode.videoPreview',
} as const;

/** Shows a document in the editor of that type, whatever editor a folder's settings name for it. */
export async function showWith(
  uri: Uri,
  viewType: string,
  shown?: ViewColumn | TextDocumentShowOptions,
): Promise<void> {
  await commands.executeCommand('vscode.openWith', uri, viewType, shown);
}

/**
 * Shows a file of the person and selects a part of it. It keeps its language: what is in it is theirs.
 * @param find gets the text, and returns the part; its beginning if there is none
 */
export async function showPersonsFile(
  uri: Uri,
  find: (text: string) => { readonly offset: number; readonly length: number } | undefined,
): Promise<void> {
  const document = await workspace.openTextDocument(uri);
  const { offset, length } = find(document.getText()) ?? { offset: 0, length: 0 };
  const selection = new Range(document.positionAt(offset), document.positionAt(offset + length));
  await window.showTextDocument(document, { selection });
}

async function inOwnLanguage(document: TextDocument): Promise<TextDocument> {
  const language = languageOf(document.uri);
  if (language === undefined || document.languageId === language) return document;
  return languages.setTextDocumentLanguage(document, language);
}
