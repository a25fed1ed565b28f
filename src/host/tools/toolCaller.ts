import { CancelledError, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Caller } from '../../client/toolCalls/ports.ts';
import type { Progress } from '../../protocol/progress.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';
import { createProgressSteps } from '../invocation/callProgress.ts';
import { checkIdentity, ensureListed, findServer } from '../invocation/contentTarget.ts';
import type { AppPresenter } from '../apps/registerApps.ts';
import type { AppCallEnd } from '../../client/apps/appBridge.ts';
import type { EndedCall } from '../calls/callRecord.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import type { MessageTraces } from '../servers/messageTraces.ts';
import type { ToolParts } from './toolLibrary.ts';
import { collectFindings, endedWithError, endedWithResult, toOutcome } from './toolOutcome.ts';
import type { ToolSession } from './toolSession.ts';

export interface WantedCall {
  /** `again` for the arguments of an earlier call, `command` if a key binding or another extension has asked for it. */
  readonly caller: Extract<Caller, 'form' | 'again' | 'command'>;
  /** Replace those in the document once the call is sent. */
  readonly args?: JsonObject | undefined;
}

/**
 * Calls the tool of a session, and shows there how it went: the only way in which a person calls a tool. The definition that the person
 * sees is the one that is called: the gate for calls asks if the server has changed it since.
 * @returns `undefined` if a call is on its way already
 */
export function callTool(session: ToolSession, wanted: WantedCall, parts: ToolParts): OpenCall | undefined {
  const args = wanted.args ?? session.args;
  return session.call.kind === 'idle' && args !== undefined ? new OpenCall(session, wanted, args, parts) : undefined;
}

/** A call that is on its way. */
export class OpenCall {
  readonly #session: ToolSession;
  readonly #wanted: WantedCall;
  readonly #args: JsonObject;
  readonly #parts: ToolParts;
  /** What the document held when the call was asked for. */
  readonly #written: JsonObject | undefined;
  readonly #abort = new AbortController();
  readonly #steps;
  readonly #messages;
  readonly #askedAt: number;
  #sentAt: number | undefined;
  #endApp: ReturnType<AppPresenter['begin']>;

  /** Resolves with the result, if there is one: the session shows what went wrong. Never rejects. */
  readonly ended: Promise<CallToolResult | undefined>;

  constructor(session: ToolSession, wanted: WantedCall, args: JsonObject, parts: ToolParts) {
    this.#session = session;
    this.#wanted = wanted;
    this.#args = args;
    this.#parts = parts;
    this.#written = session.args;
    this.#steps = createProgressSteps(parts.clock);
    this.#messages = collectMessages(parts.traces, session.address.server);
    this.#askedAt = parts.clock.now();
    session.call = { kind: 'waiting' };
    session.cancelCall = () => this.cancel();
    this.ended = this.#run()
      .catch((error: unknown) => {
        // What came of the call could not be shown.
        const shown = { definition: undefined, occurrence: 0, kept: Promise.resolve(undefined), warnings: [] };
        session.outcome = toOutcome(endedWithError(this.#facts, error), shown, parts);
        return undefined;
      })
      .finally(() => {
        session.cancelCall = undefined;
        session.call = { kind: 'idle' };
      });
  }

  cancel(): void {
    this.#abort.abort(new CancelledError());
  }

  async #run(): Promise<CallToolResult | undefined> {
    const session = this.#session;
    const { address } = session;
    const { signal } = this.#abort;
    const { warnings, differences, onNote, onInvalid } = collectFindings();
    let definition: Tool | undefined;
    let call: EndedCall;
    let end: AppCallEnd;
    try {
      const host = await startServer(session, this.#parts);
      signal.throwIfAborted();
      const { tool } = session;
      // Without a definition there was no form: it is there now, for the person to look at.
      if (tool === undefined) return undefined;
      definition = tool;
      this.#parts.markUsed(session);
      const onSend = (): void => this.#sent(host, tool);
      const onProgress = (progress: Progress): void => this.#steps.report(progress);
      const how = { caller: this.#wanted.caller, tool, signal, onNote, onInvalid, onProgress, onSend };
      const result = await host.server.callTool(address.tool, this.#args, how);
      call = endedWithResult(this.#facts, result);
      end = { kind: 'result', result };
    } catch (error) {
      call = endedWithError(this.#facts, error, signal.aborted);
      end = { kind: 'cancelled', reason: messageOf(error) };
    } finally {
      this.#steps.dispose();
      this.#messages.stop();
    }
    call = { ...call, exchange: this.#messages.text };
    const kept = this.#parts.library.keep(call);
    this.#endApp?.(end, kept);
    const { occurrence } = address;
    const shown = { definition, occurrence, kept, warnings, differences };
    session.outcome = toOutcome(call, shown, this.#parts);
    return end.kind === 'result' ? end.result : undefined;
  }

  get #facts() {
    const { server, identity, tool, occurrence } = this.#session.address;
    const sentAt = this.#sentAt;
    const durationMs = sentAt === undefined ? undefined : this.#parts.clock.now() - sentAt;
    const which = occurrence === 0 ? {} : { occurrence };
    return { server, identity, tool, ...which, args: this.#args, at: sentAt ?? this.#askedAt, durationMs };
  }

  /** All checks have passed: the call is sent in this turn, unless this throws. */
  #sent(host: HostServer, tool: Tool): void {
    const session = this.#session;
    const { server, identity, occurrence } = session.address;
    const { clock, apps, logger } = this.#parts;
    // While the server was started or the person was asked, another one may have got its label.
    checkIdentity(host, identity);
    this.#messages.start();
    this.#sentAt = clock.now();
    session.call = { kind: 'running' };
    session.isForCommand = false;
    // What the person has typed while the call waited stays.
    if (this.#wanted.args !== undefined && session.args === this.#written && !session.document.isClosed)
      session.write(this.#args).catch((error: unknown) => logger.error(() => `Edit: ${messageOf(error)}`));
    this.#endApp = apps.begin({ server, identity, tool, args: this.#args, occurrence });
    this.#steps.show(({ message, percent }) => {
      session.call = { kind: 'running', progress: { message, ...(percent !== undefined && { percent }) } };
    });
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
    stop: (): void => capture?.dispose(),
    /** The messages without secrets; `undefined` if there were none. */
    get text(): string | undefined {
      if (entries.length === 0) return undefined;
      return [...entries, ...(left === 0 ? [] : [`… ${left} more left out`]), ''].join('\n');
    },
  };
}
