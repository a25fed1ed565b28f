import { type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { raceAbort } from '../../base/abort.ts';
import { toJsonText } from '../../base/json.ts';
import type { CallAnswer, CallingApp, CallQuestions, ProposedCall } from '../../client/toolCalls/ports.ts';
import type { ToolArguments } from '../../protocol/mcp/tools.ts';
import { withSignal } from '../platform/cancellation.ts';
import { askSafely, testingAnswer } from '../platform/dialogs.ts';
import { escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';
import { createTextDocuments, tabName, type TextDocuments } from '../platform/textDocuments.ts';
import { aboutCall, alwaysQuestion, argumentsDocument, callQuestion, callWarnings, describeTool } from './callText.ts';
import { exactEntries } from '../../base/exactIntegers.ts';

const show = 'Show Arguments';
const decline = 'Don’t Call';
const labels = {
  once: 'Call',
  tool: 'Always for This Tool',
  readOnly: 'Always for Tools This Server Calls Read-Only',
} as const satisfies Record<CallAnswer, string>;

/**
 * Asks the person whether a tool may be called. A call whose arguments the person has just filled in is asked about in a
 * quick pick, with *Call* first; a call of an app in its strip. Any other call is asked about in a modal dialog whose focused button
 * calls nothing.
 * @param isTest true only when VS Code runs extension tests: then `patchbay.testing` may answer
 */
export function createCallQuestions(isTest: boolean): CallQuestions & Disposable {
  const documents = createTextDocuments({
    scheme: 'patchbay-arguments',
    missingText: 'These arguments belong to a question that is over.\n',
  });
  return {
    async ask(call, offered) {
      const answer = isTest ? (testingAnswer('toolCalls') ?? testingAnswer('consent')) : undefined;
      if (answer !== undefined) return answer ? 'once' : undefined;
      if (call.app !== undefined) return askAboveApp(call, call.app, offered.includes('tool'));
      return call.isSeen ? askInList(call, offered, documents) : askInDialog(call, offered, documents);
    },
    dispose: () => documents.dispose(),
  };
}

/**
 * With all arguments, in the strip of the app: a dialog would open where the app could have led the pointer. The app makes this
 * question come, so what holds longer needs a second answer, to a question that the person has made come.
 */
async function askAboveApp(call: ProposedCall, app: CallingApp, offersTool: boolean): Promise<CallAnswer | undefined> {
  const question = { message: `Call the ${describeTool(call)}?`, detail: aboutCall(call), safe: decline };
  const body = argumentsDocument(call.args);
  const leadsOn = `${labels.tool}…`;
  const actions = offersTool ? [labels.once, leadsOn] : [labels.once];
  let chosen = await app.ask({ ...question, body, actions }, call.signal);
  if (chosen === leadsOn) {
    const always = { ...alwaysQuestion(call, app), safe: decline, actions: [labels.once, labels.tool] };
    chosen = await app.ask(always, call.signal);
  }
  return (['once', 'tool'] as const).find((answer) => labels[answer] === chosen);
}

async function askInDialog(
  call: ProposedCall,
  offered: readonly CallAnswer[],
  documents: TextDocuments,
): Promise<CallAnswer | undefined> {
  const answers = ['once', ...offered] as const;
  const actions = answers.map((answer) => labels[answer]);
  const chosen = await askSafely({ ...callQuestion(call, offered), safe: show, actions });
  if (chosen !== show) return answers.find((answer) => labels[answer] === chosen);
  await showArguments(documents, call);
  // In a notification beside the document: keys that are pressed in an editor cannot reach it.
  const waiting = notificationText(`Call the ${describeTool(call)} with these arguments? Nothing has been sent yet.`);
  // VS Code may have hidden it when the call ends: it holds up no other then, and what is pressed in it does nothing.
  const shown = Promise.resolve(window.showWarningMessage(waiting, decline, ...actions));
  const then = await raceAbort(shown, call.signal);
  return answers.find((answer) => labels[answer] === then);
}

type Row = QuickPickItem & { readonly answer?: CallAnswer };

async function askInList(
  call: ProposedCall,
  offered: readonly CallAnswer[],
  documents: TextDocuments,
): Promise<CallAnswer | undefined> {
  const [claims, ...notes] = callWarnings(call);
  const options = {
    title: singleLine(`Call the ${describeTool(call)}?`),
    placeHolder: `${claims ?? 'The server lists no such tool.'} Escape to cancel.`,
    ignoreFocusOut: true,
  };
  for (;;) {
    // *Cancel* closes the list too.
    const picked = await withSignal(call.signal, (token) =>
      window.showQuickPick(rowsOf(call, offered, notes), options, token),
    );
    if (picked === undefined) return undefined;
    if (picked.answer !== undefined) return picked.answer;
    // Every other row opens the complete arguments; the question is shown again after that.
    await showArguments(documents, call);
  }
}

const icons = { once: 'play', tool: 'check-all', readOnly: 'check-all' } as const satisfies Record<CallAnswer, string>;

function rowsOf(call: ProposedCall, offered: readonly CallAnswer[], notes: readonly string[]): Row[] {
  const answers = (['once', ...offered] as const).map((answer): Row => {
    const description = answer === 'once' ? '' : 'when you call it here, until the server stops or the tool changes';
    return { label: `$(${icons[answer]}) ${labels[answer]}`, description, answer };
  });
  return [
    ...answers,
    { label: `$(go-to-file) ${show}`, description: 'whole, in an editor' },
    { label: 'arguments', kind: QuickPickItemKind.Separator },
    ...notes.map((note) => ({ label: `$(warning) ${escapeIcons(note)}` })),
    ...argumentRows(call.args),
  ];
}

const maximumShownArguments = 100;

function argumentRows(args: ToolArguments): Row[] {
  const all = exactEntries(args);
  if (all.length === 0) return [{ label: 'none' }];
  const rows = all.slice(0, maximumShownArguments).map(([name, value]) => ({
    label: escapeIcons(singleLine(name, 60)),
    description: escapeIcons(singleLine(toJsonText(value, 300), 300)),
  }));
  return all.length > rows.length ? [...rows, { label: `… ${all.length - rows.length} more` }] : rows;
}

async function showArguments(documents: TextDocuments, { server, name, args }: ProposedCall): Promise<void> {
  // Tools of the same name on two servers have two documents: a person agrees to the text that they read.
  const query = JSON.stringify([server, name]);
  const document = documents.set(`Arguments of ${tabName(name)}.json`, query, argumentsDocument(args));
  await documents.show(document, { preview: true });
}
