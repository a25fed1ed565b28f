import { type Memento, workspace } from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import type { LaunchView } from '../../config/launchView.ts';
import type { TrustRecord } from '../../config/trustRecord.ts';
import { askSafely } from '../askSafely.ts';
import { testingAnswer } from '../testingAnswer.ts';

/** Decides whether a definition may run: by Workspace Trust, by what a person agreed to earlier, or by asking. */
export interface TrustService {
  /**
   * Refuses servers of an untrusted workspace, before anything is asked or read for them.
   * @throws {PatchbayError} `needsTrust`
   */
  checkWorkspace(server: ConfiguredServer): void;
  /**
   * Resolves when this very launch is trusted; asks where it is new or changed.
   * @throws {PatchbayError} `needsTrust` for a no, or the signal's reason
   */
  confirm(server: ConfiguredServer, view: LaunchView, signal: AbortSignal): Promise<void>;
  /** Forgets every agreement: each server asks again at its next start. */
  reset(): Promise<void>;
}

export interface TrustOptions {
  readonly workspaceState: Memento;
  readonly globalState: Memento;
  /** True only when VS Code runs extension tests: then `patchbay.testing.trust` may answer. */
  readonly isTest: boolean;
  readonly showConfiguration: (server: ConfiguredServer) => Promise<void>;
}

type Answer = 'start' | 'show' | 'refuse';

const mementoKey = 'patchbay.trust';

export function createTrustService(options: TrustOptions): TrustService {
  // What a workspace defines is trusted in that workspace; what the user defines, wherever it is the same.
  const mementoFor = ({ source, definition }: ConfiguredServer): Memento =>
    source.folder === undefined && !JSON.stringify(definition).includes('${workspaceFolder')
      ? options.globalState
      : options.workspaceState;

  function checkWorkspace({ label, source }: ConfiguredServer): void {
    if (workspace.isTrusted || source.folder === undefined) return;
    const message = `Server "${label}" was not started, because this workspace is in Restricted Mode. Choose Manage Workspace Trust to trust it, then start the server.`;
    throw new PatchbayError('needsTrust', message);
  }

  async function confirm(server: ConfiguredServer, view: LaunchView, signal: AbortSignal): Promise<void> {
    checkWorkspace(server);
    const { label } = server;
    const memento = mementoFor(server);
    const key = keyOf(server);
    const { createTrustRecord, readTrustRecord } = await import('../../config/trustRecord.ts');
    const current = await createTrustRecord(view);
    const previous = readTrustRecord(recordsOf(memento)[key]);
    if (previous?.fingerprint === current.fingerprint) return;
    const question = { server, view, current, previous };
    const answer = (options.isTest ? answerOfTest() : undefined) ?? (await raceAbort(ask(question), signal));
    signal.throwIfAborted();
    if (answer === 'start') {
      await memento.update(mementoKey, { ...recordsOf(memento), [key]: current });
      return;
    }
    if (answer === 'show') await options.showConfiguration(server);
    throw new PatchbayError(
      'needsTrust',
      `Server "${label}" was not started, because you have not trusted its definition. Start it to be asked again.`,
    );
  }

  return {
    checkWorkspace,
    confirm,
    async reset() {
      await options.workspaceState.update(mementoKey, undefined);
      await options.globalState.update(mementoKey, undefined);
    },
  };
}

interface Question {
  readonly server: ConfiguredServer;
  readonly view: LaunchView;
  readonly current: TrustRecord;
  readonly previous: TrustRecord | undefined;
}

async function ask({ server, view, current, previous }: Question): Promise<Answer> {
  const { trustQuestion } = await import('./trustQuestion.ts');
  const { message, detail } = trustQuestion(server.label, server.source, view, current, previous);
  const chosen = await askSafely({ message, detail, safe: 'Show Configuration', actions: ['Start Server'] });
  if (chosen === undefined) return 'refuse';
  return chosen === 'Start Server' ? 'start' : 'show';
}

/** The answer of a test run, or `undefined` for the question itself. */
function answerOfTest(): Answer | undefined {
  const answer = testingAnswer('trust');
  if (answer === undefined) return undefined;
  return answer ? 'start' : 'refuse';
}

function keyOf({ label, source }: ConfiguredServer): string {
  return JSON.stringify([source.kind, source.uri ?? null, label]);
}

function recordsOf(memento: Memento): Readonly<Record<string, unknown>> {
  const value = memento.get<unknown>(mementoKey);
  return isRecord(value) ? value : {};
}
