import type { Memento } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { raceAbort } from '../../base/abort.ts';
import { CancelledError } from '../../base/errors.ts';
import { isRecord, isString } from '../../base/json.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { type ResolvedCode, uncoveredCode } from '../../config/resolvedCode.ts';
import { type ConfiguredServer, isForAllWorkspaces } from '../../config/configuredServer.ts';
import type { LaunchView } from '../../config/launchView.ts';
import { launchWarnings } from '../../config/launchWarnings.ts';
import type { ResolvedLaunch } from '../../config/createLaunchPlan.ts';
import {
  createTrustRecord,
  isKnownUpdate,
  keepsFiles,
  readTrustRecord,
  type TrustRecord,
} from '../../config/trustRecord.ts';
import { type TrustAnswer, type TrustQuestionOptions, TrustQuestions } from './askTrust.ts';
import { UnrequestedStartError } from './requester.ts';
import { testingAnswer } from '../platform/dialogs.ts';
import type { LaunchSummary } from './launchSummary.ts';
import { FileDigests, inspectCode } from './inspectCode.ts';
import type { PromptContext } from './inputStore.ts';

const mementoKey = 'patchbay.trust';

interface TrustedServer {
  readonly key: string;
  readonly label: string;
  readonly uri: string | undefined;
  readonly filesMayChange: boolean;
}

export interface TrustOptions extends TrustQuestionOptions {
  readonly workspaceState: Memento;
  readonly globalState: Memento;
  /** True only when VS Code runs extension tests: then `patchbay.testing.trust` may answer. */
  readonly isTest: boolean;
  readonly folders: () => readonly string[];
  /** The environment of which servers inherit the safe part. */
  readonly environment: () => Promise<NodeJS.ProcessEnv>;
}

/** A launch that a person has not agreed to yet. */
export interface LaunchReview {
  readonly summary: LaunchSummary;
  /** Identifies the launch, with the content of its files, and all that is said of it. */
  readonly shown: string;
  /** Trusts exactly this launch. */
  approve(): Promise<void>;
  /** Exactly this launch is trusted by now. */
  isApproved(): boolean;
}

/** Decides whether a launch is trusted: by what the person trusted before, or by asking. */
export class LaunchTrust implements Disposable {
  readonly #options: TrustOptions;
  readonly #questions: TrustQuestions;
  readonly #digests: FileDigests;
  readonly #mementos: readonly Memento[];
  readonly #started = new Map<string, ResolvedCode>();

  constructor(options: TrustOptions) {
    this.#options = options;
    this.#questions = new TrustQuestions(options);
    this.#digests = new FileDigests(options.globalState);
    this.#mementos = [options.workspaceState, options.globalState];
  }

  /**
   * Resolves when exactly this launch is trusted, with the files that it runs; asks if it is new or changed.
   * @returns the plan, with the program that was inspected
   * @throws {CancelledError} if the person does not start it now; an {@link UnrequestedStartError} if no one can be asked; or
   * the reason of the signal
   */
  async confirm(server: ConfiguredServer, launch: ResolvedLaunch, asking: PromptContext): Promise<LaunchPlan> {
    return this.#starting(server, launch.plan, await this.#confirm(server, launch, asking));
  }

  /**
   * The same after the inputs of a trusted definition have their values. Asks only where a value decides what runs, and the
   * person has not just entered it.
   * @param written the launch with its inputs as they are written
   */
  async confirmValues(
    server: ConfiguredServer,
    written: ResolvedLaunch,
    launch: ResolvedLaunch,
    asking: PromptContext,
  ): Promise<LaunchPlan> {
    const isWindows = this.#options.platform === 'win32';
    for (;;) {
      // The files may have changed while the person entered the values.
      const before = await this.#confirm(server, written, asking);
      const facts = await raceAbort(this.#inspect(server, launch), asking.signal);
      const isDecided = await doValuesDecide(written.view, before, launch.view, facts, isWindows);
      if (!isDecided || (await this.#isTrusted(server, launch.view, facts, asking, howKnown(launch.view))))
        return this.#starting(server, launch.plan, facts);
    }
  }

  /** Compares a launch with what the person trusted, for a review of several. @returns `undefined` where a start asks nothing */
  async review(
    server: ConfiguredServer,
    launch: ResolvedLaunch,
    signal: AbortSignal,
  ): Promise<LaunchReview | undefined> {
    if (server.source.kind === 'demo') return undefined;
    const facts = await raceAbort(this.#inspect(server, launch), signal);
    const previous = this.#recordOf(server);
    const filesMayChange = allowsChanges(previous);
    const current = await createTrustRecord(launch.view, facts, filesMayChange);
    if (previous?.fingerprint === current.fingerprint) return undefined;
    if (previous !== undefined && isKnownUpdate(previous, current, this.#records())) return undefined;
    const summary = this.#questions.summary({ server, view: launch.view, facts, current, previous, filesMayChange });
    return {
      summary,
      shown: JSON.stringify([current.fingerprint, summary]),
      approve: () => this.#save(server, current, false),
      isApproved: () => this.#recordOf(server)?.fingerprint === current.fingerprint,
    };
  }

  /**
   * The programs and files that the last start of a server ran, which a save may have changed since; as they are on disk now where
   * nothing was started. `undefined` for a server that is no program.
   */
  async startedFrom(server: ConfiguredServer, launch: ResolvedLaunch): Promise<ResolvedCode | undefined> {
    if (server.source.kind === 'demo') return undefined;
    return this.#started.get(keyOf(server)) ?? this.#inspect(server, launch);
  }

  /** The digest of a file as it is on disk now, in hexadecimal: see {@link FileDigests}. */
  digestOf(path: string): Promise<string> {
    return this.#digests.digest(path);
  }

  /**
   * The files of the workspace that a launch runs may change without a question from now on. Asks first where the launch is not
   * trusted as it is now.
   */
  async allowFileChanges(server: ConfiguredServer, launch: ResolvedLaunch, asking: PromptContext): Promise<void> {
    const facts = await this.#confirm(server, launch, asking);
    await this.#save(server, await createTrustRecord(launch.view, facts, true), false);
  }

  /**
   * Takes that back: what is trusted then are the files that run now, and any other content asks.
   * @param facts the files as the process was started from them; without them, the next start asks
   */
  async askAboutFiles(server: ConfiguredServer, launch: ResolvedLaunch, facts?: ResolvedCode): Promise<void> {
    if (!this.filesMayChange(server)) return;
    if (facts !== undefined) return this.#save(server, await createTrustRecord(launch.view, facts), false);
    await this.forget(this.trustedServers().filter(({ key }) => key === keyOf(server)));
  }

  trustedServers(): readonly TrustedServer[] {
    return this.#mementos.flatMap((memento) => Object.entries(readRecords(memento)).flatMap(toTrustedServer));
  }

  /** Forgets trust: these servers ask again before their next start. */
  async forget(agreements: readonly TrustedServer[]): Promise<void> {
    const forgotten = new Set(agreements.map(({ key }) => key));
    for (const memento of this.#mementos) {
      const kept = Object.entries(readRecords(memento)).filter(([key]) => !forgotten.has(key));
      await memento.update(mementoKey, Object.fromEntries(kept));
    }
  }

  /** Keeps the trust of a server under another name: it is for the launch, which stays the same. */
  async rename(server: ConfiguredServer, name: string): Promise<void> {
    const memento = this.#mementoFor(server);
    const { [keyOf(server)]: record, ...others } = readRecords(memento);
    if (record !== undefined)
      await memento.update(mementoKey, { ...others, [keyOf({ ...server, label: name })]: record });
  }

  filesMayChange(server: ConfiguredServer): boolean {
    return allowsChanges(this.#recordOf(server));
  }

  dispose(): void {
    this.#questions.dispose();
  }

  /** @returns the files of the launch, which are those that are trusted */
  async #confirm(
    server: ConfiguredServer,
    launch: ResolvedLaunch,
    asking: PromptContext,
  ): Promise<ResolvedCode | undefined> {
    // It comes with the extension, and no file or setting has a say in what it runs.
    if (server.source.kind === 'demo') return undefined;
    for (;;) {
      // Read again after each answer: the files may have changed while the question was open.
      const facts = await raceAbort(this.#inspect(server, launch), asking.signal);
      if (await this.#isTrusted(server, launch.view, facts, asking)) return facts;
    }
  }

  async #inspect(server: ConfiguredServer, { plan, view }: ResolvedLaunch): Promise<ResolvedCode | undefined> {
    if (plan.kind !== 'stdio' || view.kind !== 'stdio') return undefined;
    // A server that the user defines for all workspaces is the same in all of them, so it does not depend on the files of the current one.
    const folders = isForAllWorkspaces(server) ? [] : this.#options.folders();
    const { platform, environment } = this.#options;
    return inspectCode(plan, view, { folders, inherited: await environment(), platform, digests: this.#digests });
  }

  /**
   * Compares a launch with what the person trusted, and asks where it differs.
   * @param values the launch has the values of its inputs; `entered` if the person has just entered them
   * @returns true if it is trusted already, false if the person has trusted it now
   */
  async #isTrusted(
    server: ConfiguredServer,
    view: LaunchView,
    facts: ResolvedCode | undefined,
    { requestedBy, signal }: PromptContext,
    values?: 'entered' | 'known',
  ): Promise<boolean> {
    const definition = this.#recordOf(server);
    const hasValues = values !== undefined;
    const previous = hasValues ? definition?.values : definition;
    const filesMayChange = allowsChanges(definition) || allowsChanges(previous);
    const current = await createTrustRecord(view, facts, filesMayChange);
    if (previous?.fingerprint === current.fingerprint) return true;
    const trust = async (mayChange: boolean): Promise<void> =>
      this.#save(server, await createTrustRecord(view, facts, mayChange), hasValues);
    const isOwnChange = values === 'entered' && (previous === undefined || keepsFiles(previous, current));
    // After an update of Node.js, for instance, the person is asked once and not for each server.
    if (isOwnChange || (previous !== undefined && isKnownUpdate(previous, current, this.#records()))) {
      await trust(filesMayChange);
      return false;
    }
    const requester = requestedBy();
    if (requester === 'nobody') {
      const what = previous === undefined ? 'you have not approved it yet' : 'it has changed since you approved it';
      throw new UnrequestedStartError(server.label, what);
    }
    const asked = { server, view, facts, current, previous, filesMayChange, requester, hasValues };
    // Only a test run answers without the person.
    const known = this.#options.isTest ? testingAnswer('trust') : undefined;
    const ask = (): Promise<TrustAnswer> => raceAbort(this.#questions.ask(asked, signal), signal);
    const answer = known === undefined ? await ask() : known ? 'start' : 'refuse';
    signal.throwIfAborted();
    // Not now: the server is stopped, and nothing is left to do.
    if (answer === 'refuse') throw new CancelledError('You did not start the server');
    await trust(filesMayChange || answer === 'mayChange');
    return false;
  }

  /** @returns the plan, with the program that was inspected */
  #starting(server: ConfiguredServer, plan: LaunchPlan, facts: ResolvedCode | undefined): LaunchPlan {
    const key = keyOf(server);
    if (facts === undefined) this.#started.delete(key);
    else this.#started.set(key, facts);
    const program = facts?.program?.path;
    return plan.kind === 'stdio' && program !== undefined ? { ...plan, program } : plan;
  }

  #records(): TrustRecord[] {
    return this.#mementos.flatMap((memento) => Object.values(readRecords(memento)));
  }

  #mementoFor(server: ConfiguredServer): Memento {
    return isForAllWorkspaces(server) ? this.#options.globalState : this.#options.workspaceState;
  }

  #recordOf(server: ConfiguredServer): TrustRecord | undefined {
    return readRecords(this.#mementoFor(server))[keyOf(server)];
  }

  /** @param hasValues it is {@link TrustRecord.values} of the record of the definition */
  async #save(server: ConfiguredServer, record: TrustRecord, hasValues: boolean): Promise<void> {
    const known = this.#recordOf(server);
    if (hasValues && known === undefined) return;
    const values = hasValues ? record : known?.values;
    const saved = { ...(hasValues && known !== undefined ? known : record), ...(values !== undefined && { values }) };
    const memento = this.#mementoFor(server);
    await memento.update(mementoKey, { ...readRecords(memento), [keyOf(server)]: saved });
  }
}

/**
 * True when the values of inputs change what runs or where it connects, beyond what the question about the definition has
 * shown: the files, the folder, the address; with the result of a command also the packages, code and warnings.
 */
async function doValuesDecide(
  written: LaunchView,
  before: ResolvedCode | undefined,
  view: LaunchView,
  facts: ResolvedCode | undefined,
  isWindows: boolean,
): Promise<boolean> {
  if (written.kind !== 'stdio' || view.kind !== 'stdio') {
    const record = await createTrustRecord(written);
    return record.fingerprint !== (await createTrustRecord(view)).fingerprint;
  }
  const isElsewhere = written.cwd !== view.cwd || written.envFile !== view.envFile || written.command !== view.command;
  const records = [await createTrustRecord(written, before), await createTrustRecord(written, facts)];
  if (isElsewhere || records[0]?.fingerprint !== records[1]?.fingerprint) return true;
  if (view.variables.every(({ isResult }) => isResult !== true)) return false;
  if (facts?.code.isInline === true) return true;
  const sentences = (launch: LaunchView, code: ResolvedCode | undefined): string[] => [
    ...launchWarnings(launch, isWindows).map(({ text }) => text),
    ...(code === undefined ? [] : uncoveredCode(code)),
  ];
  const said = new Set(sentences(written, before));
  return sentences(view, facts).some((line) => !said.has(line));
}

/** The person has entered the values for this start, or they were stored or come from a command. */
function howKnown({ variables }: LaunchView): 'entered' | 'known' {
  const inputs = variables.filter(({ kind }) => kind === 'input');
  const isOwn = inputs.every(({ isResult }) => isResult !== true) && inputs.some(({ isSaved }) => !isSaved);
  return isOwn ? 'entered' : 'known';
}

function allowsChanges(record: TrustRecord | undefined): boolean {
  return record?.launch.filesMayChange === true;
}

/** Makes the transport start exactly the program that was inspected. */
function keyOf({ label, source }: ConfiguredServer): string {
  return JSON.stringify([source.kind, source.uri ?? null, label]);
}

function toTrustedServer([key, record]: [string, TrustRecord]): TrustedServer[] {
  const parsed: unknown = JSON.parse(key);
  const [, uri, label] = Array.isArray(parsed) ? (parsed as unknown[]) : [];
  if (!isString(label)) return [];
  return [{ key, label, uri: isString(uri) ? uri : undefined, filesMayChange: allowsChanges(record) }];
}

function readRecords(memento: Memento): Readonly<Record<string, TrustRecord>> {
  const value = memento.get<unknown>(mementoKey);
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.flatMap(([key, entry]): [string, TrustRecord][] => {
      const record = readTrustRecord(entry);
      return record === undefined ? [] : [[key, record]];
    }),
  );
}
