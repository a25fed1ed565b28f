import { InputBoxValidationSeverity, type InputBoxValidationMessage, window } from 'vscode';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { isRecord, isString } from '../../base/json.ts';
import { askSafely } from '../platform/dialogs.ts';
import { escapeIcons, singleLine } from '../platform/displayText.ts';
import { inOneLine, summarize } from './callRows.ts';
import type { DoubtfulText, FolderPath } from '../../workshop/savedCalls/savedCallArguments.ts';
import { type SavedCall, type SavedCallKey, savedCallLimits } from '../../workshop/savedCalls/savedCallText.ts';

const shownPlaces = 8;

/** What is asked before something is written. Each answer may be `undefined`: the person does not want it after all. */
export const savedCallQuestions = {
  async chooseFolder(folders: readonly FolderPath[]): Promise<FolderPath | undefined> {
    const items = folders.map((folder) => ({
      label: escapeIcons(folder.name),
      description: escapeIcons(folder.path),
      folder,
    }));
    const options = { title: 'Save Call', placeHolder: 'Select the folder to save the call in' };
    return (await window.showQuickPick(items, options))?.folder;
  },
  /** @param taken names of this tool that are there already */
  askName: async (taken: readonly string[]): Promise<string | undefined> =>
    window.showInputBox({
      title: 'Save Call',
      prompt: 'A name for this call. It is kept in .vscode/mcp-calls.json, for everyone who works on the folder.',
      ignoreFocusOut: true,
      validateInput: (text) => checkName(text, taken),
    }),
  replace: (name: string): Promise<boolean> =>
    confirm(
      `There is a saved call “${singleLine(name, 60)}” of this tool. Replace its arguments?`,
      'Its description and the comments around it stay.',
      'Replace',
    ),
  delete: (name: string): Promise<boolean> =>
    confirm(`Delete the saved call “${singleLine(name, 60)}”?`, 'It is removed from .vscode/mcp-calls.json.', 'Delete'),
  /** Texts that may be secrets are about to be written into a file for others. */
  async aboutSecrets(texts: readonly DoubtfulText[]): Promise<'placeholders' | 'asIs' | undefined> {
    const shown = texts
      .slice(0, shownPlaces)
      .map(({ place, placeholder }) => `${singleLine(place, 60)} → ${placeholder}`);
    const more = texts.length > shown.length ? [`and ${texts.length - shown.length} more`] : [];
    const answer = await askSafely({
      message: 'These arguments seem to contain secrets.',
      detail: `The file is meant to be shared. Save placeholders instead, and fill in the secrets when you open the call:\n\n${[...shown, ...more].join('\n')}`,
      safe: 'Save Placeholders',
      actions: ['Save as They Are'],
    });
    if (answer === undefined) return undefined;
    return answer === 'Save Placeholders' ? 'placeholders' : 'asIs';
  },
};

async function confirm(message: string, detail: string, action: string): Promise<boolean> {
  return (await askSafely({ message, detail, safe: 'Keep It', actions: [action] })) === action;
}

function checkName(text: string, taken: readonly string[]): string | InputBoxValidationMessage | undefined {
  const name = text.trim();
  if (name === '') return 'Write a name.';
  if (name.length > savedCallLimits.name) return `At most ${savedCallLimits.name} characters.`;
  return taken.includes(name)
    ? { message: 'Replaces the saved call with this name.', severity: InputBoxValidationSeverity.Warning }
    : undefined;
}

interface SavedCallList {
  readonly all: readonly SavedCall[];
  load(): Promise<void>;
}

/** The saved call that a command is about: that of a row, of an argument written by hand, or one that the person chooses. */
export async function chooseSavedCall(argument: unknown, calls: SavedCallList, title: string): Promise<SavedCallKey> {
  const given = readSavedCallKey(argument);
  if (given !== undefined) return given;
  await calls.load();
  const rows = calls.all.map(({ server, tool, name, description, arguments: args }) => ({
    label: escapeIcons(singleLine(name, 80)),
    description: escapeIcons(singleLine(`${tool} · ${server}`, 80)),
    detail: escapeIcons(singleLine(description ?? inOneLine(summarize(args)), 120)),
    key: { server, tool, name },
  }));
  if (rows.length === 0) throw new PatchbayError('notFound', 'No saved calls. Open a tool and choose “Save Call…”.');
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
