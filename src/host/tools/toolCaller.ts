import { linkAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { CancelledError, messageOf } from '../../base/errors.ts';
import type { Progress } from '../../protocol/progress.ts';
import { createProgressSteps } from '../invocation/callProgress.ts';
import { findServer, prepareUse } from '../invocation/contentTarget.ts';
import type { AskModel } from '../invocation/modelQuestion.ts';
import type { AppPresenter } from '../apps/presentApp.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import type { MessageTraces } from '../servers/messageTraces.ts';
import { collectMessages } from './callMessages.ts';
import { actionsOfResult, toResultDocument } from './finishedCall.ts';
import { type CallTimes, errorOutcome, resultOutcome } from './toolOutcome.ts';
import { endedWithError, endedWithResult } from './pastOutcome.ts';
import type { ToolLibrary } from './toolLibrary.ts';
import { addWarnings } from './toolResult.ts';
import type { ToolSession } from './toolSession.ts';

/** What calling a tool from its tab needs of the host. */
export interface ToolCallerOptions {
  readonly registry: ServerRegistry;
  readonly clock: Clock;
  readonly askModel: AskModel;
  readonly library: Pick<ToolLibrary, 'keep'>;
  readonly traces: Pick<MessageTraces, 'capture'>;
  readonly apps: AppPresenter;
  /** Remembers the tool as used lately. */
  readonly markUsed: (session: ToolSession) => void;
}

/** A call that is on its way; `ended` never rejects. */
export interface OpenCall {
  cancel(): void;
  readonly ended: Promise<void>;
}

/**
 * Calls the tool of a session with the arguments in its document, and shows there how it went. The definition that the person
 * sees is the one that is called: the gate for calls asks if the server has changed it since.
 * @param caller `again` if the arguments are those of an earlier call, which the person has not filled in just now
 * @returns `undefined` if there is nothing to call yet
 */
export function callFromSession(
  session: ToolSession,
  caller: 'form' | 'again',
  options: ToolCallerOptions,
): OpenCall | undefined {
  if (session.call.kind !== 'idle') return undefined;
  const abort = linkAbort();
  session.call = { kind: 'waiting' };
  const ended = run(session, caller, abort.signal, options).finally(() => (session.call = { kind: 'idle' }));
  return { cancel: () => abort.abort(new CancelledError()), ended };
}

async function run(
  session: ToolSession,
  caller: 'form' | 'again',
  signal: AbortSignal,
  options: ToolCallerOptions,
): Promise<void> {
  const { clock, registry, library, apps } = options;
  const { server, identity, tool: name } = session.address;
  const steps = createProgressSteps(clock);
  const messages = collectMessages(options.traces, server);
  let times: CallTimes = { at: clock.now() };
  const { args } = session;
  let endApp: ReturnType<AppPresenter['begin']>;
  try {
    const host = findServer(registry, server);
    await prepare(host, session, clock, signal);
    const { tool } = session;
    // Without a definition there was no form: it is there now, for the person to look at.
    if (tool === undefined || args === undefined) return;
    options.markUsed(session);
    const sentAt = { value: undefined as number | undefined };
    const checked = await addWarnings((onNote) =>
      host.server.callTool(name, args, {
        caller,
        tool,
        signal,
        onNote,
        onProgress: (progress: Progress) => steps.report(progress),
        onSend: () => {
          messages.start();
          sentAt.value = clock.now();
          session.call = { kind: 'running' };
          endApp = apps.begin({ server, identity, tool, args, occurrence: session.address.occurrence });
          let percent: number | undefined;
          steps.show(({ message, increment }) => {
            if (increment !== undefined) percent = (percent ?? 0) + increment;
            session.call = { kind: 'running', progress: { message, ...(percent !== undefined && { percent }) } };
          });
        },
      }),
    ).finally(() => {
      if (sentAt.value !== undefined) times = { ...times, at: sentAt.value, durationMs: clock.now() - sentAt.value };
    });
    const kept = library.keep(endedWithResult({ server, identity, tool: name, args, ...times }, checked.result));
    endApp?.({ kind: 'result', result: checked.result }, kept);
    const finished = { host, identity, tool, args, durationMs: times.durationMs ?? 0, kept, ...checked };
    const exchange = messages.stop();
    const document = toResultDocument(finished, actionsOfResult(finished, options));
    session.outcome = resultOutcome(exchange === undefined ? document : { ...document, exchange }, times);
  } catch (error) {
    const { aborted: isCancelled } = signal;
    if (args !== undefined) {
      const kept = library.keep(endedWithError({ server, identity, tool: name, args, ...times }, error, isCancelled));
      endApp?.({ kind: 'cancelled', reason: messageOf(error) }, kept);
    }
    session.outcome = errorOutcome(error, isCancelled, times);
  } finally {
    steps.dispose();
    messages.stop();
  }
}

/** Starts the server where it does not run, unless another one has its label now, and asks about a definition that has changed since it was last used. */
async function prepare(host: HostServer, session: ToolSession, clock: Clock, signal: AbortSignal): Promise<void> {
  const { identity, tool } = session.address;
  await prepareUse(host, 'tools', tool, clock, identity);
  signal.throwIfAborted();
  if (session.tool === undefined) session.refresh();
}
