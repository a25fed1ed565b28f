import { window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import type { LaunchView } from '../../config/launchView.ts';
import { type ResolvedCode, runsFolderFiles } from '../../config/resolvedCode.ts';
import type { RootsChoice } from '../../config/serverDefinition.ts';
import { describeChange, type TrustRecord } from '../../config/trustRecord.ts';
import { askSafely } from '../platform/dialogs.ts';
import { notificationText } from '../platform/displayText.ts';
import { createTextDocuments, tabName } from '../platform/textDocuments.ts';
import type { Requester } from './requester.ts';
import type { TrustOptions } from './trust.ts';
import { trustQuestion, type TrustQuestion } from './trustQuestion.ts';

/**
 * `start` and `mayChange` trust the launch; with `mayChange`, the workspace files that it runs may change without a
 * question. `read`: the person has opened the definition as a document, and a notification offers to start it.
 */
export type TrustAnswer = 'start' | 'mayChange' | 'read' | 'refuse';

export interface TrustRequest {
  readonly server: ConfiguredServer;
  readonly view: LaunchView;
  /** The programs and files that it runs; `undefined` for a remote server. */
  readonly facts: ResolvedCode | undefined;
  readonly current: TrustRecord;
  /** The launch that the person trusted before, if any. */
  readonly previous: TrustRecord | undefined;
  /** Trusts the launch that was shown. Called before the server is started from the notification. */
  readonly trust: (filesMayChange: boolean) => Promise<void>;
  /** The workspace files that it runs may change without a question. */
  readonly filesMayChange: boolean;
  readonly requester: Requester;
  /** The view has the values of inputs, which decide what runs. */
  readonly hasValues: boolean;
}

export interface TrustQuestions extends Disposable {
  ask(launch: TrustRequest): Promise<TrustAnswer>;
}

export type TrustQuestionsOptions = Pick<
  TrustOptions,
  'platform' | 'showConfiguration' | 'roots' | 'start' | 'lookAlike'
>;

const answers = { 'Start Server': 'start', "This Folder's Files May Change": 'mayChange' } as const;
type Action = keyof typeof answers;
const chooseFolders = 'Choose Folders…';

/** The answer to one dialog. After `chooseFolders` it is shown again. */
type Answer = TrustAnswer | 'chooseFolders';

function actionsOf({ facts, filesMayChange }: TrustRequest): readonly Action[] {
  const canChange = facts !== undefined && runsFolderFiles(facts) && !filesMayChange;
  return canChange ? ['Start Server', "This Folder's Files May Change"] : ['Start Server'];
}

const definitionDocuments = {
  scheme: 'patchbay-launch',
  missingText: 'Start the server to see its definition again.\n',
  keepsClosed: true,
};

/** The trust question as a modal dialog, with a document and a notification where the definition is too long for it. */
export function createTrustQuestions(options: TrustQuestionsOptions): TrustQuestions {
  const documents = createTextDocuments(definitionDocuments);
  /** Fingerprints of definitions that were opened as a document. */
  const opened = new Set<string>();

  async function ask(launch: TrustRequest): Promise<TrustAnswer> {
    let choice = launch.server.options.roots;
    for (;;) {
      const answer = await showQuestion(launch, choice);
      if (answer !== 'chooseFolders') return answer;
      choice = (await options.roots.choose(launch.server.label)) ?? choice;
    }
  }

  async function showQuestion(launch: TrustRequest, choice: RootsChoice | undefined): Promise<Answer> {
    const { server, view, facts, current, previous, filesMayChange } = launch;
    const changes = previous === undefined ? [] : describeChange(previous, current);
    const { label, source } = server;
    const isChanged = previous !== undefined;
    const isWindows = options.platform === 'win32';
    const lookAlike = options.lookAlike(label);
    const roots = {
      folders: options.roots.sharedPaths(choice),
      includesLaterFolders: choice === undefined || choice === 'all',
    };
    const subject = { label, lookAlike, source, view, facts, roots, changes, isChanged, filesMayChange, isWindows };
    const question = trustQuestion(subject);
    // VS Code does not say which extension it is.
    const asker = launch.requester === 'extension' ? 'Another extension asks for this server.\n\n' : '';
    const cause = launch.hasValues ? 'The values of its inputs decide what runs.\n\n' : '';
    const asked = { ...question, detail: asker + cause + question.detail };
    return question.isWhole ? askInFull(asked, launch) : askWithSummary(asked, launch);
  }

  async function askInFull({ message, detail }: TrustQuestion, launch: TrustRequest): Promise<Answer> {
    const actions = [...actionsOf(launch), chooseFolders] as const;
    const chosen = await askSafely({ message, detail, safe: 'Show Configuration', actions });
    if (chosen === chooseFolders) return 'chooseFolders';
    if (chosen === 'Show Configuration') await options.showConfiguration(launch.server);
    return chosen === undefined || chosen === 'Show Configuration' ? 'refuse' : answers[chosen];
  }

  /** The dialog cannot show everything, so it offers the start only after the definition was opened as a document. */
  async function askWithSummary(question: TrustQuestion, launch: TrustRequest): Promise<Answer> {
    const { message, detail, text } = question;
    const { label } = launch.server;
    const { fingerprint } = launch.current;
    const actions = [...(opened.has(fingerprint) ? actionsOf(launch) : []), chooseFolders] as const;
    const chosen = await askSafely({ message, detail, safe: 'Show Whole Definition', actions });
    if (chosen === chooseFolders) return 'chooseFolders';
    if (chosen !== 'Show Whole Definition') return chosen === undefined ? 'refuse' : answers[chosen];
    const document = documents.set(`Definition of ${tabName(label)}.txt`, label, text);
    await documents.show(document, { preview: true });
    opened.add(fingerprint);
    void offerStart(launch);
    return 'read';
  }

  /** Not modal: the document can be read, and keys cannot reach the buttons by accident. */
  async function offerStart(launch: TrustRequest): Promise<void> {
    const { label } = launch.server;
    const message = `Start the MCP server “${notificationText(visibleText(label), 60)}” as the document shows it?`;
    const chosen = await window.showWarningMessage(message, ...actionsOf(launch));
    if (chosen === undefined) return;
    await launch.trust(launch.filesMayChange || answers[chosen] === 'mayChange');
    await options.start(label);
  }

  return { ask, dispose: () => documents.dispose() };
}
