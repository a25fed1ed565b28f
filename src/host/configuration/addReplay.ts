import { posix } from 'node:path';
import { Uri, window } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';
import { labelProblem, uniqueLabel } from '../../config/newServer.ts';
import { sessionExtension } from '../../transport/replay/recordedSession.ts';
import { notificationText } from '../platform/displayText.ts';
import { chooseRecording } from './chooseRecording.ts';
import { type AddServerOptions, addServers, findExistingNames, type SaveTarget, saveTargets } from './saveServers.ts';

/**
 * *Add Recording as MCP Server*: a box with a name for the server; Enter saves it in the best place.
 * @param argument the address of the recording, from its menus; without one the person chooses a file
 */
export async function addReplay(argument: unknown, options: AddServerOptions): Promise<void> {
  const session =
    argument instanceof Uri ? argument : await chooseRecording('Choose the Recording to Play as a Server');
  if (session === undefined) return;
  if (session.scheme !== 'file' || !session.path.endsWith(sessionExtension))
    throw new PatchbayError('configuration', `The name of a recorded session on disk ends with ${sessionExtension}.`);
  const [target = 'user'] = await saveTargets();
  const existing = await findExistingNames(target, options.labels());
  const place = target === 'user' ? 'your user settings' : target.source.title;
  const name = posix.basename(session.path).slice(0, -sessionExtension.length);
  const label = await window.showInputBox({
    title: 'Add Recording as MCP Server',
    prompt: `A name for the server that plays ${notificationText(name, 60)}. It is saved in ${notificationText(place)}.`,
    value: uniqueLabel(`${name.slice(0, 80)}-replay`, existing.labels),
    ignoreFocusOut: true,
    validateInput: (text) => labelProblem(text, existing.labels),
  });
  if (label === undefined) return;
  const definition = { type: 'stdio', command: pathIn(target, session), replay: 'lenient' } as const;
  await addServers(target, [{ label: label.trim(), definition }], [], existing, options);
  await options.reveal(label.trim());
}

/** The path as it is the same for everyone who has the folder, where the recording is in the folder of the file. */
function pathIn(target: SaveTarget, { path, fsPath }: Uri): string {
  const folder = target === 'user' ? undefined : target.source.folder;
  const inside = folder === undefined ? '..' : posix.relative(Uri.parse(folder.uri).path, path);
  return inside.startsWith('..') ? fsPath : `\${workspaceFolder}/${inside}`;
}
