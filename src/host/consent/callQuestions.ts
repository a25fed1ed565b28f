import { window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { raceAbort } from '../../base/abort.ts';
import type { CallAnswer, CallingApp, CallQuestions, ProposedCall } from '../../client/toolCalls/ports.ts';
import { askSafely, testingAnswer } from '../platform/dialogs.ts';
import { notificationText } from '../platform/displayText.ts';
import { createTextDocuments, tabName, type TextDocuments } from '../platform/textDocuments.ts';
import { aboutCall, alwaysQuestion, argumentsDocument, callQuestion, describeTool } from './callText.ts';

const show = 'Show Arguments';
const decline = 'Don’t Call';
const labels = {
  once: 'Call',
  tool: 'Always Allow This Tool',
} as const satisfies Record<CallAnswer, string>;

/**
 * Asks the person whether a tool may be called: in the form that they have called from, in the strip of an app that calls, otherwise in a
 * modal dialog whose focused button calls nothing.
 * @param isTest true only when VS Code runs extension tests: then `patchbay.testing` may answer
 */
export function createCallQuestions(isTest: boolean): CallQuestions & Disposable {
  const documents = createTextDocuments({
    scheme: 'patchbay-arguments',
    missingText: 'The question about these arguments has ended.\n',
  });
  return {
    async ask(call, offered) {
      const answer = isTest ? (testingAnswer('toolCalls') ?? testingAnswer('consent')) : undefined;
      if (answer !== undefined) return answer ? 'once' : undefined;
      if (call.app !== undefined) return askAboveApp(call, call.app, offered.includes('tool'));
      return call.askInForm?.(call, offered) ?? askInDialog(call, documents);
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

async function askInDialog(call: ProposedCall, documents: TextDocuments): Promise<CallAnswer | undefined> {
  const chosen = await askSafely({ ...callQuestion(call), safe: show, actions: [labels.once] });
  if (chosen !== show) return chosen === undefined ? undefined : 'once';
  await showArguments(documents, call);
  // In a notification beside the document: keys that are pressed in an editor cannot reach it.
  const waiting = notificationText(`Call the ${describeTool(call)} with these arguments? Nothing has been sent yet.`);
  // VS Code may have hidden it when the call ends: it holds up no other then, and what is pressed in it does nothing.
  const shown = Promise.resolve(window.showWarningMessage(waiting, decline, labels.once));
  return (await raceAbort(shown, call.signal)) === labels.once ? 'once' : undefined;
}

async function showArguments(documents: TextDocuments, { server, name, args }: ProposedCall): Promise<void> {
  // Tools of the same name on two servers have two documents: a person agrees to the text that they read.
  const query = JSON.stringify([server, name]);
  const document = documents.set(`Arguments of ${tabName(name)}.json`, query, argumentsDocument(args));
  await documents.show(document, { preview: true });
}
