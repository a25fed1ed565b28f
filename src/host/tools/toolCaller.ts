import { linkAbort } from '../../base/abort.ts';
import { CancelledError, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Caller } from '../../client/toolCalls/ports.ts';
import type { Progress } from '../../protocol/progress.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import { createProgressSteps, type ProgressSteps } from '../invocation/callProgress.ts';
import { checkIdentity, ensureListed, findServer } from '../invocation/contentTarget.ts';
import type { AppPresenter } from '../apps/registerApps.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import type { MessageTraces } from '../servers/messageTraces.ts';
import {
  type CallTimes,
  collectFindings,
  endedWithError,
  endedWithResult,
  errorOutcome,
  resultOutcome,
  toResultDocument,
} from './toolOutcome.ts';
import type { ToolParts } from './toolPorts.ts';
import type { ToolSession } from './toolSession.ts';

export interface WantedCall {
  /** `again` for the arguments of an earlier call, `command` if a key binding or another extension has asked for it. */
  readonly caller: Extract<Caller, 'form' | 'again' | 'command'>;
  /** Replace those in the document once the call is sent. */
  readonly args?: JsonObject | undefined;
}

export interface OpenCall {
  cancel(): void;
  /** Resolves with the result, if there is one. Never rejects: the session shows what went wrong. */
  readonly ended: Promise<CallToolResult | undefined>;
}

/**
 * Calls the tool of a session, and shows there how it went: the only way in which a person calls a tool. The definition that the person
 * sees is the one that is called: the gate for calls asks if the server has changed it since.
 * @returns `undefined` if a call is on its way already
 */
export function callTool(session: ToolSession, wanted: WantedCall, parts: ToolParts): OpenCall | undefined {
  if (session.call.kind !== 'idle') return undefined;
  const abort = linkAbort();
  session.call = { kind: 'waiting' };
  const ended = run(session, wanted, abort.signal, parts).finally(() => (session.call = { kind: 'idle' }));
  return { cancel: () => abort.abort(new CancelledError()), ended };
}

async function run(
  session: ToolSession,
  wanted: WantedCall,
  signal: AbortSignal,
  parts: ToolParts,
): Promise<CallToolResult | undefined> {
  const { clock, library, apps } = parts;
  const written = session.args;
  const args = wanted.args ?? written;
  const { server, identity, tool: name, occurrence } = session.address;
  const about = { server, identity, tool: name };
  const steps = createProgressSteps(clock);
  const messages = collectMessages(parts.traces, server);
  const { warnings, differences, onNote, onInvalid } = collectFindings();
  const askedAt = clock.now();
  let sentAt: number | undefined;
  const times = (): CallTimes =>
    sentAt === undefined ? { at: askedAt } : { at: sentAt, durationMs: clock.now() - sentAt };
  let endApp: ReturnType<AppPresenter['begin']>;
  try {
    const host = await startServer(session, parts);
    signal.throwIfAborted();
    const { tool } = session;
    // Without a definition there was no form: it is there now, for the person to look at.
    if (tool === undefined || args === undefined) return undefined;
    parts.markUsed(session);
    const onSend = (): void => {
      // While the server was started or the person was asked, another one may have got its label.
      checkIdentity(host, identity);
      messages.start();
      sentAt = clock.now();
      session.call = { kind: 'running' };
      session.isForCommand = false;
      // What the person has typed while the call waited stays.
      if (wanted.args !== undefined && session.args === written && !session.document.isClosed)
        session.write(args).catch((error: unknown) => parts.logger.error(() => `Edit: ${messageOf(error)}`));
      endApp = apps.begin({ server, identity, tool, args, occurrence });
      showProgress(session, steps);
    };
    const onProgress = (progress: Progress): void => steps.report(progress);
    const how = { caller: wanted.caller, tool, signal, onNote, onInvalid, onProgress, onSend };
    const result = await host.server.callTool(name, args, how);
    const taken = times();
    const call = { ...about, args, ...taken };
    const kept = library.keep(endedWithResult(call, result));
    endApp?.({ kind: 'result', result }, kept);
    const exchange = messages.stop();
    const shown = { call, definition: tool, occurrence, result, kept, warnings, differences, exchange };
    session.outcome = resultOutcome(toResultDocument(shown, parts), taken);
    return result;
  } catch (error) {
    const taken = times();
    if (args !== undefined) {
      const kept = library.keep(endedWithError({ ...about, args, ...taken }, error, signal.aborted));
      endApp?.({ kind: 'cancelled', reason: messageOf(error) }, kept);
    }
    session.outcome = errorOutcome(error, signal.aborted, taken);
    return undefined;
  } finally {
    steps.dispose();
    messages.stop();
  }
}

/** Starts the server of a session where it does not run, unless another one has its label now. */
async function startServer(session: ToolSession, { registry, clock }: ToolParts): Promise<HostServer> {
  const { server, identity } = session.address;
  const host = findServer(registry, server);
  checkIdentity(host, identity);
  await ensureListed(host, 'tools', clock);
  // What was launched is known only now.
  checkIdentity(host, identity);
  if (session.tool === undefined) session.refresh();
  return host;
}

function showProgress(session: ToolSession, steps: ProgressSteps): void {
  let percent: number | undefined;
  steps.show(({ message, increment }) => {
    if (increment !== undefined) percent = (percent ?? 0) + increment;
    session.call = { kind: 'running', progress: { message, ...(percent !== undefined && { percent }) } };
  });
}

/** Messages of one call that are kept, and characters of all of them. */
const bounds = { messages: 500, characters: 2_000_000 };

/** Collects the messages of a server while a call is on its way: those of other calls at the same time are among them. */
function collectMessages(traces: Pick<MessageTraces, 'capture'>, server: string) {
  const entries: string[] = [];
  let characters = 0;
  let left = 0;
  let capture: ReturnType<MessageTraces['capture']> | undefined;
  return {
    /** From now on; before that, a server may have been started. */
    start(): void {
      capture ??= traces.capture(server, (entry) => {
        characters += entry.length;
        if (entries.length >= bounds.messages || characters > bounds.characters) left += 1;
        else entries.push(entry);
      });
    },
    /** Ends it. @returns the messages as text, without secrets; `undefined` if there were none */
    stop(): string | undefined {
      capture?.dispose();
      if (entries.length === 0) return undefined;
      return [...entries, ...(left === 0 ? [] : [`… ${left} more left out`]), ''].join('\n');
    },
  };
}
