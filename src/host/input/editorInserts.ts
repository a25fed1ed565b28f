import { env, type TextEditor, window, workspace } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';
import type { InsertSource } from './argumentItems.ts';

/** Characters. More than this is no argument but a mistake. */
const maximumLength = 1_000_000;

/** What is at hand right now. Take it before a quick pick opens. */
export function editorInserts(): readonly InsertSource[] {
  const editor = window.activeTextEditor;
  return [...(editor === undefined ? [] : insertsOf(editor)), clipboard].map(withLimit);
}

const clipboard: InsertSource = {
  label: 'Clipboard',
  icon: 'clippy',
  // Not previewed: it may hold a password, and it is read only when chosen.
  read: async () => env.clipboard.readText(),
};

function insertsOf({ document, selection }: TextEditor): InsertSource[] {
  const path = workspace.asRelativePath(document.uri);
  const selected = document.getText(selection);
  return [
    ...(selected === ''
      ? []
      : [{ label: 'Selection', icon: 'selection', description: selected, read: async () => selected }]),
    { label: 'Text of Current File', icon: 'file', description: path, read: async () => document.getText() },
    {
      label: 'Path of Current File',
      icon: 'file-symlink-file',
      description: path,
      read: async () => (document.uri.scheme === 'file' ? document.uri.fsPath : document.uri.toString()),
    },
  ];
}

function withLimit(source: InsertSource): InsertSource {
  return {
    ...source,
    async read() {
      const text = await source.read();
      if (text.length <= maximumLength) return text;
      throw new PatchbayError(
        'invalidArguments',
        `${source.label} is longer than ${maximumLength.toLocaleString('en')} characters.`,
      );
    },
  };
}
