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
export class TrustQuestions implements Disposable {
  readonly #options: TrustOptions;
  readonly #documents = createTextDocuments(definitionDocuments);
  /** Fingerprints of definitions that were opened as a document. */
  readonly #opened = new Set<string>();

  constructor(options: TrustOptions) {
    this.#options = options;
  }

  async ask(launch: TrustRequest): Promise<TrustAnswer> {
    let choice = launch.server.options.roots;
    for (;;) {
      const question = this.#questionAbout(launch, choice);
      const answer = await (question.isWhole ? this.#askInFull(question, launch) : this.#askInShort(question, launch));
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

  async #askInFull({ message, detail }: TrustQuestion, launch: TrustRequest): Promise<Answer> {
    const actions = [...actionsOf(launch), chooseFolders] as const;
    const chosen = await askSafely({ message, detail, safe: 'Show Configuration', actions });
    if (chosen === chooseFolders) return 'chooseFolders';
    if (chosen === 'Show Configuration') await this.#options.showConfiguration(launch.server);
    return chosen === undefined || chosen === 'Show Configuration' ? 'refuse' : answers[chosen];
  }

  /** The dialog cannot show everything, so it offers the start only after the definition was opened as a document. */
  async #askInShort({ message, detail, text }: TrustQuestion, launch: TrustRequest): Promise<Answer> {
    const { label } = launch.server;
    const { fingerprint } = launch.current;
    const actions = [...(this.#opened.has(fingerprint) ? actionsOf(launch) : []), chooseFolders] as const;
    const chosen = await askSafely({ message, detail, safe: 'Show Whole Definition', actions });
    if (chosen === chooseFolders) return 'chooseFolders';
    if (chosen !== 'Show Whole Definition') return chosen === undefined ? 'refuse' : answers[chosen];
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
