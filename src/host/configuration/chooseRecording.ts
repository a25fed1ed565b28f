import { Uri, window, workspace } from 'vscode';
import { sessionExtension } from '../../transport/replay/recordedSession.ts';
import { escapeIcons, singleLine } from '../platform/displayText.ts';

const mostRecordings = 200;
const another = 'Choose Another File…';

/** The person chooses a recording: one of the workspace, the last one first, or any file. */
export async function chooseRecording(title: string): Promise<Uri | undefined> {
  const found = await workspace.findFiles(`**/*${sessionExtension}`, '**/node_modules/**', mostRecordings);
  const dated = await Promise.all(found.map(async (uri) => ({ uri, at: await changedAt(uri) })));
  const rows = dated
    .toSorted((left, right) => right.at - left.at)
    .map(({ uri, at }) => {
      const label = escapeIcons(singleLine(workspace.asRelativePath(uri), 200));
      return { label, description: at === 0 ? '' : new Date(at).toLocaleString(), uri };
    });
  if (rows.length > 0) {
    const chosen = await window.showQuickPick([...rows, { label: another, description: '', uri: undefined }], {
      title,
    });
    if (chosen === undefined || chosen.uri !== undefined) return chosen?.uri;
  }
  const filters = { 'Recorded sessions': ['jsonl'] };
  const last = rows[0] && Uri.joinPath(rows[0].uri, '..');
  const defaultUri = last ?? workspace.workspaceFolders?.[0]?.uri;
  const [file] =
    (await window.showOpenDialog({ title, openLabel: 'Choose', filters, ...(defaultUri && { defaultUri }) })) ?? [];
  return file;
}

async function changedAt(uri: Uri): Promise<number> {
  try {
    return (await workspace.fs.stat(uri)).mtime;
  } catch {
    return 0;
  }
}
