import { env, type TextEditor, type Uri, window, workspace } from 'vscode';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import type { ExactValue } from '../../base/json.ts';
import { readJson } from '../../forms/controlText.ts';
import type { Field } from '../../forms/field.ts';
import { resourceScheme } from '../platform/uriSchemes.ts';
import type { FillSource } from '../../shared/toolMessages.ts';
import { singleLine } from '../platform/displayText.ts';
import type { ToolParts } from './toolLibrary.ts';

const maximumFileBytes = 1_000_000;

/**
 * The value that a source gives for a field.
 * @param field at `path`, which says whether text is sent as it is or read as JSON
 * @throws {PatchbayError} `notFound` if the source has nothing, `invalidArguments` if it does not fit; cancellation
 */
export async function valueFrom(
  source: Exclude<FillSource, 'recent'>,
  field: Field | undefined,
  lastEditor: ToolParts['lastEditor'],
): Promise<ExactValue> {
  switch (source) {
    case 'selection':
      return readValue(selectedText(lastEditor()), field);
    case 'clipboard':
      return readValue(await env.clipboard.readText(), field);
    case 'file':
      return readValue(await fileText(await pickFile('Use Content')), field);
    case 'path': {
      const file = await pickFile('Use Path');
      return field?.kind === 'text' && field.format === 'uri' ? file.toString() : file.fsPath;
    }
    case 'resource':
      return readValue(await pickResource(), field);
  }
}

function readValue(text: string, field: Field | undefined): ExactValue {
  if (field === undefined || field.kind === 'text' || field.kind === 'choice') return text;
  const read = readJson(text);
  if (read.kind === 'value') return read.value;
  throw new PatchbayError(
    'invalidArguments',
    'This field needs JSON, and the text is not valid JSON. Nothing was changed.',
  );
}

function selectedText(editor: TextEditor | undefined): string {
  const text = editor?.document.getText(editor.selection) ?? '';
  if (text !== '') return text;
  throw new PatchbayError('notFound', 'Nothing is selected. Select text in an editor first.');
}

async function pickFile(openLabel: string): Promise<Uri> {
  const defaultUri = workspace.workspaceFolders?.[0]?.uri;
  const [file] = (await window.showOpenDialog({ openLabel, ...(defaultUri !== undefined && { defaultUri }) })) ?? [];
  if (file === undefined) throw new CancelledError();
  return file;
}

async function fileText(file: Uri): Promise<string> {
  const { size } = await workspace.fs.stat(file);
  if (size > maximumFileBytes)
    throw new PatchbayError('invalidArguments', 'This file is larger than 1 MB. Nothing was changed.');
  return Buffer.from(await workspace.fs.readFile(file)).toString('utf8');
}

async function pickResource(): Promise<string> {
  const rows = workspace.textDocuments
    .filter(({ uri }) => uri.scheme === resourceScheme)
    .map((document) => ({ label: singleLine(document.uri.path.split('/').at(-1) ?? '', 80), document }));
  if (rows.length === 0) throw new PatchbayError('notFound', 'No resource is open. Open one from the sidebar first.');
  const picked = await window.showQuickPick(rows, {
    title: 'Fill From Resource',
    placeHolder: 'Choose an open resource',
  });
  if (picked === undefined) throw new CancelledError();
  return picked.document.getText();
}
