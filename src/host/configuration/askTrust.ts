import { CancellationTokenSource, window, workspace } from 'vscode';
import { abortWith, type CancelSignal } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type ConfiguredServer, isForAllWorkspaces } from '../../config/configuredServer.ts';
import { runsFolderFiles } from '../../config/resolvedCode.ts';
import type { RootsChoice } from '../../config/serverDefinition.ts';
import { describeChange, type TrustRecord } from '../../config/trustRecord.ts';
import { askSafely, unhurriedAnswer } from '../platform/dialogs.ts';
import { createTextDocuments, tabName } from '../platform/textDocuments.ts';
import { type LaunchSubject, launchSummary, type LaunchSummary } from './launchSummary.ts';
import type { Requester } from './requester.ts';
import { trustQuestion, type TrustQuestion } from './trustQuestion.ts';

/** `mayChange`: trusts the launch, and the workspace files that it runs may change without a question. */
export type TrustAnswer = 'start' | 'mayChange' | 'refuse';

export interface TrustQuestionOptions {
  readonly platform: NodeJS.Platform;
  /** The paths of the workspace folders that a server gets as roots with this choice. */
  readonly sharedPaths: (choice: RootsChoice | undefined) => readonly string[];
  /** How the label of a server could be mistaken for another one, in a few words. */
  readonly lookAlike: (label: string) => string | undefined;
}

interface ReviewedLaunch extends Pick<LaunchSubject, 'view' | 'facts' | 'filesMayChange'> {
  readonly server: ConfiguredServer;
  readonly current: TrustRecord;
  /** The launch that the person trusted before, if any. */
  readonly previous: TrustRecord | undefined;
}

interface TrustRequest extends ReviewedLaunch {
  readonly requester: Requester;
  /** The view has the values of inputs, which decide what runs. */
  readonly hasValues: boolean;
}

const answers = { Start: 'start', "Start and Don't Ask When Files Change": 'mayChange' } as const;
type Action = keyof typeof answers;
const showDetails = 'Show Details';
const notNow = 'Not Now';

const definitionDocuments = {
  scheme: 'patchbay-launch',
  missingText: 'Start the server to see its definition again.\n',
  keepsClosed: true,
};

/** The trust question as a modal dialog; with its details in a document, beside which it is asked again. */
export class TrustQuestions implements Disposable {
  readonly #options: TrustQuestionOptions;
  readonly #documents = createTextDocuments(definitionDocuments);
  readonly #opened = new Set<string>();

  constructor(options: TrustQuestionOptions) {
    this.#options = options;
  }

  /** A dialog that cannot show all that matters offers the start only after the details were opened. */
  async ask(launch: TrustRequest, signal: CancelSignal): Promise<TrustAnswer> {
    const question = this.#questionAbout(launch);
    const { message, detail, isWhole, isRisky } = question;
    const actions = actionsOf(launch);
    const chosen = await askSafely({
      message,
      detail,
      safe: showDetails,
      actions: isWhole || this.#opened.has(launch.current.fingerprint) ? actions : [],
      isExpected: isWhole && !isRisky && !launch.hasValues && launch.requester === 'person',
    });
    if (chosen === undefined) return 'refuse';
    return chosen === showDetails ? this.#askBesideDetails(question, launch, signal) : answers[chosen];
  }

  dispose(): void {
    this.#documents.dispose();
  }

  /** What the person would be asked to agree to. */
  summary(launch: ReviewedLaunch): LaunchSummary {
    return launchSummary(this.#subjectOf(launch));
  }

  #subjectOf({ server, view, facts, current, previous, filesMayChange }: ReviewedLaunch): LaunchSubject {
    const { platform, lookAlike, sharedPaths } = this.#options;
    const choice = server.options.roots;
    return {
      label: server.label,
      lookAlike: lookAlike(server.label),
      source: server.source,
      view,
      facts,
      roots: { folders: sharedPaths(choice), includesLaterFolders: choice === undefined || choice === 'all' },
      changes: previous && describeChange(previous, current),
      filesMayChange,
      isRestricted: !workspace.isTrusted && !isForAllWorkspaces(server),
      isWindows: platform === 'win32',
    };
  }

  #questionAbout(launch: TrustRequest): TrustQuestion {
    return trustQuestion(this.#subjectOf(launch), [
      // VS Code does not say which extension it is.
      ...(launch.requester === 'extension' ? ['Another extension wants to start this server.'] : []),
      ...(launch.hasValues ? ['The values of its inputs decide what runs.'] : []),
    ]);
  }

  /** The question stays above the document while it is read. Its first row, which Enter takes, starts nothing. */
  async #askBesideDetails(
    { message, text }: TrustQuestion,
    launch: TrustRequest,
    signal: CancelSignal,
  ): Promise<TrustAnswer> {
    const { label } = launch.server;
    const document = this.#documents.set(`Definition of ${tabName(label)}.txt`, label, text);
    await this.#documents.show(document, { preview: false });
    this.#opened.add(launch.current.fingerprint);
    const source = new CancellationTokenSource();
    const link = abortWith({ abort: () => source.cancel() }, signal);
    try {
      const rows = [notNow, ...actionsOf(launch)].map((row) => ({ label: row }));
      const options = { title: message, placeHolder: 'Read the details, then choose', ignoreFocusOut: true };
      const ask = async () => (await window.showQuickPick(rows, options, source.token))?.label;
      const chosen = await unhurriedAnswer(ask, notNow);
      return isAction(chosen) ? answers[chosen] : 'refuse';
    } finally {
      link.dispose();
      source.dispose();
    }
  }
}

function actionsOf({ facts, filesMayChange }: TrustRequest): readonly Action[] {
  const canChange = facts !== undefined && runsFolderFiles(facts) && !filesMayChange;
  return canChange ? (Object.keys(answers) as Action[]) : ['Start'];
}

function isAction(text: string | undefined): text is Action {
  return text !== undefined && Object.hasOwn(answers, text);
}
