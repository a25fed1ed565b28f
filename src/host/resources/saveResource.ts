import { Uri, window, workspace } from 'vscode';
import { CancelledError } from '../../base/errors.ts';
import { countOf, escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';
import { saveAs } from '../platform/sendTo.ts';
import { showError } from '../platform/showError.ts';
import { fileName, uniqueNames } from '../platform/fileName.ts';
import { tabUri } from './keptDocuments.ts';
import type { ResourcePart } from './resourceStore.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { readResourceUri, type ResourceAddress } from './resourceFiles.ts';

/** The resource of a document that Patchbay opened: that whose editor menu was used, or the active one. */
export function shownResource(seal: AddressSeal, argument: unknown): ResourceAddress | undefined {
  const uri = argument === undefined ? tabUri(window.tabGroups.activeTabGroup.activeTab) : argument;
  return uri instanceof Uri ? readResourceUri(seal, uri) : undefined;
}

/**
 * Saves the contents of a resource: one as a file, several as files of a new folder or one of them.
 * @param title names the folder
 * @throws {CancelledError} where no part was chosen
 */
export async function saveParts(title: string, parts: readonly ResourcePart[], wanted?: string): Promise<void> {
  const part = parts.length === 1 ? parts[0] : parts.find(({ name }) => name === wanted);
  if (part !== undefined) return void (await saveAs(part.name, () => part.bytes));
  const all = { label: `$(files) All ${countOf(parts.length, 'file')}, in a new folder`, part: undefined };
  const only = await pickPart(title, parts, 'Save which?', [all]);
  if (only === undefined) await saveAll(fileName(title), parts);
  else await saveAs(only.name, () => only.bytes);
}

/** @param first rows above those of the contents, for none of them @throws {CancelledError} where nothing was chosen */
export async function pickPart(
  title: string,
  parts: readonly ResourcePart[],
  placeHolder: string,
  first: readonly { readonly label: string; readonly part: undefined }[] = [],
): Promise<ResourcePart | undefined> {
  const rows = parts.map((part) => ({
    label: escapeIcons(singleLine(part.name)),
    description: [escapeIcons(singleLine(part.mimeType ?? '', 60)), countOf(part.bytes.length, 'byte')]
      .filter(Boolean)
      .join(' · '),
    detail: escapeIcons(singleLine(part.uri)),
    part,
  }));
  const picked = await window.showQuickPick([...first, ...rows], { title: singleLine(title, 100), placeHolder });
  if (picked === undefined) throw new CancelledError();
  return picked.part;
}

/** The editor shows text, pictures, sounds and films; of anything else it only says that it cannot. */
export function offerToSave(part: ResourcePart): void {
  const { name, mimeType = '', isBinary } = part;
  if (!isBinary || /^(?:image|audio|video)\//i.test(mimeType)) return;
  const save = 'Save As…';
  const kind = mimeType === '' ? 'binary' : mimeType;
  const text = `${singleLine(name, 80)} is ${singleLine(kind, 60)}. Save it to open it in another program.`;
  window
    .showInformationMessage(notificationText(text), save)
    .then((chosen) => (chosen === save ? saveAs(name, () => part.bytes) : undefined))
    .then(undefined, showError);
}

async function saveAll(name: string, parts: readonly ResourcePart[]): Promise<void> {
  const defaultUri = workspace.workspaceFolders?.[0]?.uri;
  const [parent] =
    (await window.showOpenDialog({
      ...(defaultUri && { defaultUri }),
      canSelectFolders: true,
      canSelectFiles: false,
      openLabel: 'Save Here',
      title: 'Save in a New Folder of',
    })) ?? [];
  if (parent === undefined) return;
  const taken = (await workspace.fs.readDirectory(parent)).map(([each]) => each);
  // The last of the names is the one that is free.
  const folder = Uri.joinPath(parent, uniqueNames([...taken, name]).at(-1) ?? name);
  await workspace.fs.createDirectory(folder);
  for (const part of parts) await workspace.fs.writeFile(Uri.joinPath(folder, part.name), part.bytes);
  const saved = `$(check) Saved ${countOf(parts.length, 'file')} in ${escapeIcons(singleLine(name, 60))}`;
  window.setStatusBarMessage(saved, 5_000);
}
