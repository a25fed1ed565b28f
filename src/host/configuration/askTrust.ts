import { window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import { runsFolderFiles } from '../../config/resolvedCode.ts';
import type { RootsChoice } from '../../config/serverDefinition.ts';
import { describeChange, type TrustRecord } from '../../config/trustRecord.ts';
import { askSafely } from '../platform/dialogs.ts';
import { notificationText } from '../platform/displayText.ts';
import { createTextDocuments, tabName } from '../platform/textDocuments.ts';
import type { Requester } from './requester.ts';
import { trustQuestion, type TrustQuestion, type TrustSubject } from './trustQuestion.ts';

/**
 * `start` and `mayChange` trust the launch; with `mayChange`, the workspace files that it runs may change without a
 * question. `read`: the person has opened the definition as a document, and a notification offers to start it.
 */
export type TrustAnswer = 'start' | 'mayChange' | 'read' | 'refuse';

/** The workspace folders that a server gets as roots. The question shows them, and the person can choose. */
export interface RootsSharing {
  /** The paths of the folders for this choice. */
  sharedPaths(choice: RootsChoice | undefined): readonly string[];
  /** Lets the person choose, and saves the choice. @returns the new choice; `undefined` if the person chose nothing */
  choose(label: string): Promise<RootsChoice | undefined>;
}

export interface TrustQuestionOptions {
  readonly platform: NodeJS.Platform;
  readonly showConfiguration: (server: ConfiguredServer) => Promise<void>;
  readonly roots: RootsSharing;
  readonly start: (label: string) => Promise<void>;
  /** How the label of a server could be mistaken for another one, in a few words. */
  readonly lookAlike: (label: string) => string | undefined;
}

interface TrustRequest extends Pick<TrustSubject, 'view' | 'facts' | 'filesMayChange'> {
  readonly server: ConfiguredServer;
  readonly current: TrustRecord;
  /** The launch that the person trusted before, if any. */
  readonly previous: TrustRecord | undefined;
  /** Trusts the launch that was shown. Called before the server is started from the notification. */
  readonly trust: (filesMayChange: boolean) => Promise<void>;
  readonly requester: Requester;
  /** The view has the values of inputs, which decide what runs. */
  readonly hasValues: boolean;
}

const answers = { 'Start Server': 'start', "This Folder's Files May Change": 'mayChange' } as const;
type Action = keyof typeof answers;
/** After this answer the dialog is shown again. */
const chooseFolders = 'Choose Folders…';
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
export class TrustQuestions implements Disposable {
  readonly #options: TrustQuestionOptions;
  readonly #documents = createTextDocuments(definitionDocuments);
  readonly #opened = new Set<string>();

  constructor(options: TrustQuestionOptions) {
    this.#options = options;
  }

  async ask(launch: TrustRequest): Promise<TrustAnswer> {
    let choice = launch.server.options.roots;
    for (;;) {
      const answer = await this.#askOnce(this.#questionAbout(launch, choice), launch);
      if (answer !== 'chooseFolders') return answer;
      choice = (await this.#options.roots.choose(launch.server.label)) ?? choice;
    }
  }

  dispose(): void {
    this.#documents.dispose();
  }

  #questionAbout(launch: TrustRequest, choice: RootsChoice | undefined): TrustQuestion {
    const { server, view, facts, current, previous, filesMayChange } = launch;
    const { platform, lookAlike, roots } = this.#options;
    const question = trustQuestion({
      label: server.label,
      lookAlike: lookAlike(server.label),
      source: server.source,
      view,
      facts,
      roots: { folders: roots.sharedPaths(choice), includesLaterFolders: choice === undefined || choice === 'all' },
      changes: previous && describeChange(previous, current),
      filesMayChange,
      isWindows: platform === 'win32',
    });
    // VS Code does not say which extension it is.
    const asker = launch.requester === 'extension' ? 'Another extension asks for this server.\n\n' : '';
    const cause = launch.hasValues ? 'The values of its inputs decide what runs.\n\n' : '';
    return { ...question, detail: asker + cause + question.detail };
  }

  /** A dialog that cannot show everything offers the start only after the definition was opened as a document. */
  async #askOnce({ message, detail, isWhole, text }: TrustQuestion, launch: TrustRequest): Promise<Answer> {
    const { fingerprint } = launch.current;
    const safe = isWhole ? 'Show Configuration' : 'Show Whole Definition';
    const actions = [...(isWhole || this.#opened.has(fingerprint) ? actionsOf(launch) : []), chooseFolders] as const;
    const chosen = await askSafely({ message, detail, safe, actions });
    if (chosen === chooseFolders) return 'chooseFolders';
    if (chosen === 'Show Configuration') await this.#options.showConfiguration(launch.server);
    if (chosen === undefined || chosen === 'Show Configuration') return 'refuse';
    if (chosen !== 'Show Whole Definition') return answers[chosen];
    const { label } = launch.server;
    const document = this.#documents.set(`Definition of ${tabName(label)}.txt`, label, text);
    await this.#documents.show(document, { preview: true });
    this.#opened.add(fingerprint);
    void this.#offerStart(launch);
    return 'read';
  }

  /** Not modal: the document can be read, and keys cannot reach the buttons by accident. */
  async #offerStart(launch: TrustRequest): Promise<void> {
    const { label } = launch.server;
    const message = `Start the MCP server “${notificationText(visibleText(label), 60)}” as the document shows it?`;
    const chosen = await window.showWarningMessage(message, ...actionsOf(launch));
    if (chosen === undefined) return;
    await launch.trust(launch.filesMayChange || answers[chosen] === 'mayChange');
    await this.#options.start(label);
  }
}
