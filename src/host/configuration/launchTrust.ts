import type { Memento } from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { type ResolvedCode, uncoveredCode } from '../../config/resolvedCode.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import type { LaunchView } from '../../config/launchView.ts';
import { launchWarnings } from '../../config/launchWarnings.ts';
import type { ResolvedLaunch } from '../../config/createLaunchPlan.ts';
import {
  createTrustRecord,
  isTrustedProgram,
  keepsFiles,
  readTrustRecord,
  type TrustRecord,
  updatedPrograms,
} from '../../config/trustRecord.ts';
import { UnrequestedStartError } from './requester.ts';
import { testingAnswer } from '../platform/dialogs.ts';
import { createTrustQuestions, type TrustAnswer, type TrustQuestions } from './askTrust.ts';
import { createFileDigests, inspectCode } from './inspectCode.ts';
import type { PromptContext } from './inputStore.ts';
import type { TrustedServer, TrustOptions, TrustService } from './trust.ts';

const mementoKey = 'patchbay.trust';

/** Decides whether a launch is trusted: by what the person trusted before, or by asking. */
export function createLaunchTrust(options: TrustOptions): Omit<TrustService, 'checkWorkspace'> {
  const questions = createTrustQuestions(options);
  const digests = createFileDigests(options.globalState);
  const records = createTrustRecords(options);

  async function inspect(server: ConfiguredServer, { plan, view }: ResolvedLaunch): Promise<ResolvedCode | undefined> {
    if (plan.kind !== 'stdio' || view.kind !== 'stdio') return undefined;
    // A server that the user defines for all workspaces is the same in all of them, so it does not depend on the files of the current one.
    const folders = appliesToAllWorkspaces(server) ? [] : options.folders();
    const { platform } = options;
    return inspectCode(plan, view, { folders, inherited: await options.environment(), platform, digests });
  }

  const check = createTrustCheck(records, questions, options.isTest);

  /** @returns the files of the launch, which are those that are trusted */
  async function confirm(
    server: ConfiguredServer,
    launch: ResolvedLaunch,
    asking: PromptContext,
  ): Promise<ResolvedCode | undefined> {
    for (;;) {
      // Read again after each answer: the files may have changed while the question was open.
      const facts = await raceAbort(inspect(server, launch), asking.signal);
      if (await check(server, launch.view, facts, asking)) return facts;
    }
  }

  return {
    async confirm(server, launch, requestedBy, signal) {
      return withProgram(launch.plan, await confirm(server, launch, { requestedBy, signal }));
    },
    async confirmValues(server, written, launch, requestedBy, signal) {
      const asking = { requestedBy, signal };
      for (;;) {
        // The files may have changed while the person entered the values.
        const before = await confirm(server, written, asking);
        const facts = await raceAbort(inspect(server, launch), signal);
        const whatRuns = { written: written.view, before, view: launch.view, facts };
        if (!(await doValuesDecide(whatRuns, options.platform === 'win32'))) return withProgram(launch.plan, facts);
        if (await check(server, launch.view, facts, asking, howKnown(launch.view)))
          return withProgram(launch.plan, facts);
      }
    },
    trustedServers: async () => records.trustedServers(),
    forget: (agreements) => records.forget(agreements),
    filesMayChange: async (server) => allowsChanges(records.get(server)),
    dispose: () => questions.dispose(),
  };
}

/**
 * Compares a launch with what the person trusted, and asks where it differs.
 * @returns a check of one launch: true if it is trusted already, false if the person has trusted it now. Its `values` say that
 *   the launch has the values of its inputs; `entered` if the person has just entered them
 */
function createTrustCheck(records: TrustRecords, questions: TrustQuestions, isTest: boolean) {
  return async (
    server: ConfiguredServer,
    view: LaunchView,
    facts: ResolvedCode | undefined,
    { requestedBy, signal }: PromptContext,
    values?: 'entered' | 'known',
  ): Promise<boolean> => {
    const definition = records.get(server);
    const previous = values === undefined ? definition : definition?.values;
    const filesMayChange = allowsChanges(definition) || allowsChanges(previous);
    const current = await createTrustRecord(view, facts, filesMayChange);
    if (previous?.fingerprint === current.fingerprint) return true;
    const trust = async (mayChange: boolean): Promise<void> => {
      const record = await createTrustRecord(view, facts, mayChange);
      await (values === undefined ? records.set(server, record) : records.setValues(server, record));
    };
    const isOwnChange = values === 'entered' && (previous === undefined || keepsFiles(previous, current));
    if (isOwnChange || (previous !== undefined && isKnownUpdate(previous, current, records.all()))) {
      await trust(filesMayChange);
      return false;
    }
    const requester = requestedBy();
    if (requester === 'nobody') {
      const what = previous === undefined ? 'you have not approved it yet' : 'it has changed since you approved it';
      throw new UnrequestedStartError(server.label, what);
    }
    const hasValues = values !== undefined;
    const asked = { server, view, facts, current, previous, trust, filesMayChange, requester, hasValues };
    const known = isTest ? testRunAnswer() : undefined;
    const answer = known ?? (await raceAbort(questions.ask(asked), signal));
    signal.throwIfAborted();
    if (answer !== 'start' && answer !== 'mayChange') {
      throw new PatchbayError(
        'needsTrust',
        `Server "${server.label}" was not started, because ${refusalReasons[answer]}`,
      );
    }
    await trust(filesMayChange || answer === 'mayChange');
    return false;
  };
}

interface TrustRecords {
  get(server: ConfiguredServer): TrustRecord | undefined;
  set(server: ConfiguredServer, record: TrustRecord): Promise<void>;
  /** See {@link TrustRecord.values}. */
  setValues(server: ConfiguredServer, values: TrustRecord): Promise<void>;
  all(): TrustRecord[];
  trustedServers(): TrustedServer[];
  forget(agreements: readonly TrustedServer[]): Promise<void>;
}

function createTrustRecords({ workspaceState, globalState }: TrustOptions): TrustRecords {
  const mementos = [workspaceState, globalState];
  const mementoFor = (server: ConfiguredServer): Memento =>
    appliesToAllWorkspaces(server) ? globalState : workspaceState;
  const get = (server: ConfiguredServer): TrustRecord | undefined => readRecords(mementoFor(server))[keyOf(server)];
  async function update(server: ConfiguredServer, record: TrustRecord): Promise<void> {
    const memento = mementoFor(server);
    await memento.update(mementoKey, { ...readRecords(memento), [keyOf(server)]: record });
  }
  return {
    get,
    async set(server, record) {
      const values = get(server)?.values;
      await update(server, values === undefined ? record : { ...record, values });
    },
    async setValues(server, values) {
      const record = get(server);
      if (record !== undefined) await update(server, { ...record, values });
    },
    all: () => mementos.flatMap((memento) => Object.values(readRecords(memento))),
    trustedServers: () => mementos.flatMap((memento) => Object.entries(readRecords(memento)).flatMap(toTrustedServer)),
    async forget(agreements) {
      const forgotten = new Set(agreements.map(({ key }) => key));
      for (const memento of mementos) {
        const kept = Object.entries(readRecords(memento)).filter(([key]) => !forgotten.has(key));
        await memento.update(mementoKey, Object.fromEntries(kept));
      }
    },
  };
}

/** A launch before and after its inputs have their values. */
interface WhatRuns {
  readonly written: LaunchView;
  readonly before: ResolvedCode | undefined;
  readonly view: LaunchView;
  readonly facts: ResolvedCode | undefined;
}

/**
 * True when the values of inputs change what runs or where it connects, beyond what the question about the definition has
 * shown: the files, the folder, the address; with the result of a command also the packages, code and warnings.
 */
async function doValuesDecide({ written, before, view, facts }: WhatRuns, isWindows: boolean): Promise<boolean> {
  if (written.kind !== 'stdio' || view.kind !== 'stdio') {
    const record = await createTrustRecord(written);
    return record.fingerprint !== (await createTrustRecord(view)).fingerprint;
  }
  const isElsewhere = written.cwd !== view.cwd || written.envFile !== view.envFile || written.command !== view.command;
  const records = [await createTrustRecord(written, before), await createTrustRecord(written, facts)];
  if (isElsewhere || records[0]?.fingerprint !== records[1]?.fingerprint) return true;
  if (view.variables.every(({ isResult }) => isResult !== true)) return false;
  if (facts?.code.isInline === true) return true;
  const said = new Set([...launchWarnings(written, isWindows), ...(before === undefined ? [] : uncoveredCode(before))]);
  const now = [...launchWarnings(view, isWindows), ...(facts === undefined ? [] : uncoveredCode(facts))];
  return now.some((line) => !said.has(line));
}

/** The person has entered the values for this start, or they were stored or come from a command. */
function howKnown({ variables }: LaunchView): 'entered' | 'known' {
  const inputs = variables.filter(({ kind }) => kind === 'input');
  const isOwn = inputs.every(({ isResult }) => isResult !== true) && inputs.some(({ isSaved }) => !isSaved);
  return isOwn ? 'entered' : 'known';
}

function allowsChanges(record: TrustRecord | undefined): boolean {
  return record?.launch.kind === 'stdio' && record.launch.code.filesMayChange;
}

const refusalReasons: Readonly<Record<Exclude<TrustAnswer, 'start' | 'mayChange'>, string>> = {
  refuse: 'you have not trusted its definition. Start it to be asked again.',
  read: 'you are reading its definition. Start it from the notification, or start it again.',
};

/** A server that a workspace defines is trusted in that workspace; one that the user defines, in all of them. */
function appliesToAllWorkspaces({ source, definition }: ConfiguredServer): boolean {
  return source.folder === undefined && !JSON.stringify(definition).includes('${workspaceFolder');
}

/** After an update of Node.js, for instance, the person is asked once and not for each server. */
function isKnownUpdate(previous: TrustRecord, current: TrustRecord, records: readonly TrustRecord[]): boolean {
  const programs = updatedPrograms(previous, current);
  return programs !== undefined && programs.every((program) => isTrustedProgram(records, program));
}

/** Makes the transport start exactly the program that was inspected. */
function withProgram(plan: LaunchPlan, facts: ResolvedCode | undefined): LaunchPlan {
  const program = facts?.program?.path;
  return plan.kind === 'stdio' && program !== undefined ? { ...plan, program } : plan;
}

/** The answer of a test run; `undefined` asks the person. */
function testRunAnswer(): TrustAnswer | undefined {
  const answer = testingAnswer('trust');
  if (answer === undefined) return undefined;
  return answer ? 'start' : 'refuse';
}

function keyOf({ label, source }: ConfiguredServer): string {
  return JSON.stringify([source.kind, source.uri ?? null, label]);
}

function toTrustedServer([key, record]: [string, TrustRecord]): TrustedServer[] {
  const parsed: unknown = JSON.parse(key);
  const [, uri, label] = Array.isArray(parsed) ? (parsed as unknown[]) : [];
  if (typeof label !== 'string') return [];
  return [{ key, label, uri: typeof uri === 'string' ? uri : undefined, filesMayChange: allowsChanges(record) }];
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
