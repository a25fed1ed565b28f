import { ViewColumn, window } from 'vscode';
import { stringifyExactly } from '../../base/exactIntegers.ts';
import { toJsonText } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { escapeHidden, readableText } from '../../base/visibleText.ts';
import type { SavedCallTest } from '../../workshop/savedCalls/savedCallTests.ts';
import { askSafely } from '../platform/dialogs.ts';
import { countOf, singleLine } from '../platform/displayText.ts';
import { showNewDocument } from '../platform/documents.ts';

/** `unseen`: the person has not agreed to them in this window; `destructive`: according to their servers they may delete or change data. */
export type CallQuestion = 'unseen' | 'destructive';

const call = 'Call Them';
const skip = 'Skip Them';
const show = 'Show Them';

/** What the dialog has room for: calls, and characters of each. */
const room = { calls: 12, line: 240 };

/** Characters of the document. */
const longest = limits.shown.json.characters;

/**
 * Asks about calls of a run, each with all that is sent. What has no room in the dialog must be opened first, and what is too long for that
 * is not called: nobody could have read it.
 */
export async function askAboutCalls(question: CallQuestion, tests: readonly SavedCallTest[]): Promise<boolean> {
  const { message, about } = words(question, tests.length);
  const lines = tests.map(lineOf);
  if (tests.length <= room.calls && lines.every((line) => line.length <= room.line))
    return (
      (await askSafely({ message, detail: `${about}\n\n${lines.join('\n')}`, safe: skip, actions: [call] })) === call
    );
  const whole = `${message}\n${about}\n\n${tests.map(wholeOf).join('\n')}`;
  const names = lines.slice(0, room.calls).map((line) => singleLine(line, room.line));
  const left = tests.length - names.length;
  const shown = `${names.join('\n')}${left > 0 ? `\nand ${countOf(left, 'other', 'others')}` : ''}`;
  if (whole.length > longest) {
    const tooLong = 'It sends more than can be shown, so none of these is called. Run fewer of them at once.';
    await askSafely({ message, detail: `${tooLong}\n\n${shown}`, safe: skip, actions: [] });
    return false;
  }
  const detail = `${about} They are too long to be shown here.\n\n${shown}`;
  if ((await askSafely({ message, detail, safe: show, actions: [] })) !== show) return false;
  await showNewDocument('patchbay-text', whole, { viewColumn: ViewColumn.Active, preview: true });
  // In a notification beside the document: keys that are pressed in an editor cannot reach it.
  const waiting = `Call the tools as the document says? The run has ${countOf(tests.length, 'such call')}. Nothing has been sent yet.`;
  return (await window.showWarningMessage(waiting, skip, call)) === call;
}

function words(question: CallQuestion, count: number) {
  return question === 'unseen'
    ? {
        message: `Call these tools? The run has ${countOf(count, 'call')} that you have not tested in this window.`,
        about:
          'They are from .vscode/mcp-calls.json. Each is asked about again when its arguments or its server change.',
      }
    : {
        message: `Call tools that may delete or change data? The run has ${countOf(count, 'such call')}.`,
        about: 'Their servers say so of these tools. The answer holds for this run only.',
      };
}

function titleOf({ server, tool, call: name, case: part }: SavedCallTest): string {
  return `• ${tool} of ${server} (“${part === undefined ? name : `${name}: ${part}`}”)`;
}

/** What is given to requests that come from the call. */
function answersOf({ answers: { elicitation, sampling } }: SavedCallTest) {
  const given = [...elicitation, ...sampling].map((answer) => ({ ...answer, line: undefined }));
  return given.length === 0 ? undefined : given;
}

/** All of a call in one line. */
function lineOf(test: SavedCallTest): string {
  const answers = answersOf(test);
  const more = answers === undefined ? '' : `, and answers to what it asks: ${toJsonText(answers)}`;
  return singleLine(`${titleOf(test)}: ${toJsonText(test.arguments)}${more}`, limits.shown.document);
}

function wholeOf(test: SavedCallTest): string {
  const answers = answersOf(test);
  const json = (value: unknown): string => escapeHidden(stringifyExactly(value, 2));
  const more = answers === undefined ? '' : `Answers to what it asks: ${json(answers)}\n`;
  return `${readableText(titleOf(test)).replaceAll(/[\r\n]+/g, ' ')}\n${json(test.arguments)}\n${more}`;
}
