import { window } from 'vscode';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { isRecord, isString } from '../../base/json.ts';
import { escapeIcons, singleLine } from '../platform/displayText.ts';
import { summarizeArguments } from './callRecord.ts';
import type { SavedCalls } from './savedCallStore.ts';
import type { SavedCallKey } from './savedCallText.ts';

/** The saved call that a command is about: that of a row, of an argument written by hand, or one that the person chooses. */
export async function chooseSavedCall(argument: unknown, calls: SavedCalls, title: string): Promise<SavedCallKey> {
  const given = readSavedCallKey(argument);
  if (given !== undefined) return given;
  await calls.load();
  const rows = calls.all.map(({ server, tool, name, description, arguments: args }) => ({
    label: escapeIcons(singleLine(name, 80)),
    description: escapeIcons(singleLine(`${tool} · ${server}`, 80)),
    detail: escapeIcons(singleLine(description ?? summarizeArguments(args), 120)),
    key: { server, tool, name },
  }));
  if (rows.length === 0)
    throw new PatchbayError('notFound', 'No call is saved here. Open a tool, and choose “Save Call…” there.');
  const picked = await window.showQuickPick(rows, {
    title,
    placeHolder: 'Choose a saved call',
    matchOnDescription: true,
  });
  if (picked === undefined) throw new CancelledError();
  return picked.key;
}

function readSavedCallKey(argument: unknown): SavedCallKey | undefined {
  if (!isRecord(argument)) return undefined;
  const { server, tool, name } = argument;
  return isString(server) && isString(tool) && isString(name) ? { server, tool, name } : undefined;
}
