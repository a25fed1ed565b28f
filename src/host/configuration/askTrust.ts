import { window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { visibleText } from '../../base/visibleText.ts';
import { type CodeFacts, runsFolderFiles } from '../../config/codeFacts.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import type { LaunchView } from '../../config/launchView.ts';
import { describeChange, type TrustRecord } from '../../config/trustRecord.ts';
import { askSafely } from '../askSafely.ts';
import type { Waiting } from '../attendance.ts';
import { singleLine } from '../displayText.ts';
import { createDefinitionDocuments } from './definitionDocuments.ts';
import { trustQuestion, type TrustQuestion } from './trustQuestion.ts';

/** `mayChange`: started, and files of the workspace may change from now on. `read`: the definition was opened as a document, and a notification offers to start it. */
export type TrustAnswer = 'start' | 'mayChange' | 'read' | 'refuse';

export interface AskedLaunch {
  readonly server: ConfiguredServer;
  readonly view: LaunchView;
  /** What it runs; a remote server runs nothing here. */
  readonly facts: CodeFacts | undefined;
  readonly current: TrustRecord;
  /** What was agreed to earlier, if anything. */
  readonly previous: TrustRecord | undefined;
  /** Trusts what was shown, before the server is started from the notification. */
  readonly trust: (filesMayChange: boolean) => Promise<void>;
  /** Files of the workspace may change already. */
  readonly mayChange: boolean;
  readonly waiting: Waiting;
}

export interface TrustQuestions extends Disposable {
  ask(launch: AskedLaunch): Promise<TrustAnswer>;
}

export interface TrustQuestionsOptions {
  readonly platform: NodeJS.Platform;
  readonly showConfiguration: (server: ConfiguredServer) => Promise<void>;
  readonly start: (label: string) => Promise<void>;
  readonly lookAlike: (label: string) => string | undefined;
}

const answers = { 'Start Server': 'start', "This Folder's Files May Change": 'mayChange' } as const;
type Action = keyof typeof answers;

function actionsOf({ facts, mayChange }: AskedLaunch): readonly Action[] {
  const canChange = facts !== undefined && runsFolderFiles(facts) && !mayChange;
  return canChange ? ['Start Server', "This Folder's Files May Change"] : ['Start Server'];
}

export function createTrustQuestions(options: TrustQuestionsOptions): TrustQuestions {
  const documents = createDefinitionDocuments();
  /** Fingerprints of definitions that were opened as a document. */
  const opened = new Set<string>();

  async function ask(launch: AskedLaunch): Promise<TrustAnswer> {
    const { server, view, facts, current, previous, mayChange } = launch;
    const changes = previous === undefined ? [] : describeChange(previous, current);
    const { label, source } = server;
    const isChanged = previous !== undefined;
    const isWindows = options.platform === 'win32';
    const lookAlike = options.lookAlike(label);
    const question = trustQuestion({ label, lookAlike, source, view, facts, changes, isChanged, mayChange, isWindows });
    // Which one it is VS Code does not tell.
    const asker = launch.waiting === 'extension' ? 'Another extension asks for this server.\n\n' : '';
    const asked = { ...question, detail: asker + question.detail };
    return question.isWhole ? askWhole(asked, launch) : askShort(asked, launch);
  }

  async function askWhole({ message, detail }: TrustQuestion, launch: AskedLaunch): Promise<TrustAnswer> {
    const chosen = await askSafely({ message, detail, safe: 'Show Configuration', actions: actionsOf(launch) });
    if (chosen === 'Show Configuration') await options.showConfiguration(launch.server);
    return chosen === undefined || chosen === 'Show Configuration' ? 'refuse' : answers[chosen];
  }

  /** The dialog cannot show everything: whoever has not opened it as a document does not start it from here. */
  async function askShort(question: TrustQuestion, launch: AskedLaunch): Promise<TrustAnswer> {
    const { message, detail, text } = question;
    const { label } = launch.server;
    const { fingerprint } = launch.current;
    const actions = opened.has(fingerprint) ? actionsOf(launch) : [];
    const chosen = await askSafely({ message, detail, safe: 'Show Whole Definition', actions });
    if (chosen !== 'Show Whole Definition') return chosen === undefined ? 'refuse' : answers[chosen];
    await documents.show(label, text);
    opened.add(fingerprint);
    void offerStart(launch);
    return 'read';
  }

  /** Not modal: the document stays readable, and no key reaches the button by accident. */
  async function offerStart(launch: AskedLaunch): Promise<void> {
    const { label } = launch.server;
    const message = `Start the MCP server “${singleLine(visibleText(label), 60)}” as the document shows it?`;
    const chosen = await window.showWarningMessage(message, ...actionsOf(launch));
    if (chosen === undefined) return;
    await launch.trust(launch.mayChange || answers[chosen] === 'mayChange');
    await options.start(label);
  }

  return { ask, dispose: () => documents.dispose() };
}
