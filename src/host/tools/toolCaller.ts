import { canonicalJson } from '../../base/digest.ts';
import { CancelledError, isCancellation, isPatchbayError, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { snapshotOf } from '../../client/definitions/definitionSnapshot.ts';
import { trafficText } from '../../client/trace/trafficText.ts';
import type { AskInForm, CallAnswer, Caller, ProposedCall } from '../../client/toolCalls/ports.ts';
import { isSameDefinition } from '../../client/toolCalls/toolCalls.ts';
import type { Progress } from '../../protocol/progress.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';
import { createProgressSteps } from '../invocation/callProgress.ts';
import { checkIdentity, ensureListed, findServer } from '../invocation/contentTarget.ts';
import type { AppPresenter } from '../apps/registerApps.ts';
import type { AppCallEnd } from '../../client/apps/appBridge.ts';
import type { EndedCall } from '../calls/callRecord.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import type { ToolParts } from './toolLibrary.ts';
import {
  besideEarlier,
  collectFindings,
  endedWithError,
  endedWithResult,
  type ShownOutcome,
  toOutcome,
} from './toolOutcome.ts';
import { argumentsChanged } from './shownDefinition.ts';
import type { ToolSession } from './toolSession.ts';
import { type ConfirmReason, invalidArguments } from '../../shared/toolMessages.ts';

export interface WantedCall {
  /** `again` for the arguments of an earlier call, `command` if a keybinding or another extension has asked for it. */
  readonly caller: Extract<Caller, 'form' | 'again' | 'command'>;
  /** Replace those in the document once the call is sent. */
  readonly args?: JsonObject | undefined;
  /** After a restart on save: the document keeps its arguments, and the result stands beside the earlier one. */
  readonly isAfterRestart?: boolean;
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

/** A second press that comes earlier, in milliseconds, belongs to the first. The page waits a little longer. */
const leastMs = 900;

/** A call that is on its way. */
export class OpenCall {
  readonly #session: ToolSession;
  readonly #wanted: WantedCall;
  readonly #args: JsonObject;
  readonly #parts: ToolParts;
  /** What the document held when the call was asked for. */
  readonly #written: JsonObject | undefined;
  /** What was shown before. */
  readonly #earlier: ShownOutcome | undefined;
  /** The definition that the person has called: the one that they saw then, or agreed to since. */
  #tool: Tool | undefined;
  readonly #abort = new AbortController();
  readonly #steps;
  readonly #askedAt: number;
  #sentAt: number | undefined;
  /** Where the traffic was when the call was sent. */
  #position: number | undefined;
  /** Why nothing was sent, in place of an outcome. */
  #note = 'Cancelled. Nothing was sent.';
  #isRefused = false;
  #isInvalid = false;
  #isLeft = false;
  #endApp: ReturnType<AppPresenter['begin']>;

  /** Resolves with the result, if there is one: the session shows what went wrong. Never rejects. */
  readonly ended: Promise<CallToolResult | undefined>;

  constructor(session: ToolSession, wanted: WantedCall, args: JsonObject, parts: ToolParts) {
    this.#session = session;
    this.#wanted = wanted;
    this.#args = args;
    this.#parts = parts;
    this.#written = session.args;
    this.#earlier = wanted.isAfterRestart === true ? session.outcome : undefined;
    this.#tool = session.tool;
    this.#steps = createProgressSteps(parts.clock);
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
        const isUnsent = this.#isRefused && this.#sentAt === undefined;
        session.call = {
          kind: 'idle',
          ...(isUnsent && { note: this.#note, ...(this.#isInvalid && { isInvalid: true }) }),
        };
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
    let call: EndedCall;
    let end: AppCallEnd;
    try {
      const host = await startServer(session, this.#parts);
      signal.throwIfAborted();
      // Without a definition there was no form: it is there now, for the person to look at.
      const tool = this.#tool;
      if (tool === undefined) return undefined;
      this.#parts.markUsed(session);
      const onSend = (): void => this.#sent(host);
      const onProgress = (progress: Progress): void => this.#steps.report(progress);
      const { caller } = this.#wanted;
      const onQuestion = (): void => void (session.call = { kind: 'waiting', isAsked: true });
      const how = { caller, tool, signal, onNote, onInvalid, onProgress, onSend, onQuestion };
      const askInForm: AskInForm = (proposed, offered) => this.#askInForm(proposed, offered);
      const result = await host.server.callTool(address.tool, this.#args, {
        ...how,
        ...(caller !== 'command' && { askInForm }),
      });
      call = endedWithResult(this.#facts, result);
      end = { kind: 'result', result };
    } catch (error) {
      // The person said no: what was there stays, and there is nothing to remember.
      this.#isInvalid = isPatchbayError(error, 'invalidArguments') && (await this.#hasProblems());
      this.#isRefused = (isCancellation(error) || this.#isInvalid) && this.#sentAt === undefined;
      if (this.#isRefused) return undefined;
      call = endedWithError(this.#facts, error);
      end = { kind: 'cancelled', reason: messageOf(error) };
    } finally {
      this.#steps.dispose();
    }
    call = { ...call, exchange: this.#exchange };
    const definition = this.#tool;
    // A call of which nothing was sent is none to find again: what is wrong is on the page, beside the arguments.
    const kept = this.#sentAt === undefined ? Promise.resolve(undefined) : this.#keep(call, definition);
    this.#endApp?.(end, kept);
    const { occurrence } = address;
    const shown = { definition, occurrence, kept, warnings, differences };
    session.outcome = besideEarlier(toOutcome(call, shown, this.#parts), this.#earlier);
    return end.kind === 'result' ? end.result : undefined;
  }

  async #keep(call: EndedCall, definition: Tool | undefined): Promise<string | undefined> {
    return this.#parts.library.keep({ ...call, digest: definition && (await digestOf(definition)) });
  }

  /** Whether the page says what is wrong with the arguments, at their fields. */
  async #hasProblems(): Promise<boolean> {
    await this.#session.check();
    if (this.#session.problems.length === 0) return false;
    this.#note = invalidArguments;
    return true;
  }

  /** Wants *Call* to be pressed once more, for what the pages of the tool show at that moment. */
  async #askInForm(call: ProposedCall, offered: readonly CallAnswer[]): Promise<CallAnswer | undefined> {
    const session = this.#session;
    session.refresh();
    if (!isSameDefinition(session.tool, call.tool)) this.#note = session.changeNote;
    else if (canonicalJson(session.args) !== canonicalJson(call.args)) this.#note = argumentsChanged;
    else if (!this.#isLeft) return this.#askOnPages(call.isSeen ? 'destructive' : 'changed', offered);
    return undefined;
  }

  #askOnPages(reason: ConfirmReason, offered: readonly CallAnswer[]): Promise<CallAnswer | undefined> {
    const session = this.#session;
    const { clock } = this.#parts;
    const { revision } = session;
    const id = (session.confirmations += 1);
    const shownAt = clock.now();
    const canRemember = offered.includes('tool');
    return new Promise((resolve) => {
      const end = (answer: CallAnswer | undefined): void => {
        changes.dispose();
        session.confirmCall = undefined;
        session.call = { kind: 'waiting' };
        resolve(answer);
      };
      const changes = session.onDidChange(({ message: { type } }) => {
        if (session.revision !== revision) this.#note = session.changeNote;
        if (session.revision !== revision || type === 'arguments' || type === 'broken') end(undefined);
      });
      this.#abort.signal.addEventListener('abort', () => end(undefined), { once: true });
      session.confirmCall = (given, remember) => {
        if (given === id && clock.now() - shownAt >= leastMs) end(remember && canRemember ? 'tool' : 'once');
      };
      session.call = { kind: 'confirm', id, reason, canRemember };
    });
  }

  /** Its tab was closed: the person can no longer see what would be asked. */
  leave(): void {
    this.#isLeft = true;
    if (this.#session.confirmCall !== undefined) this.cancel();
  }

  /** The messages of the server while the call was on its way: those of other calls at the same time are among them. */
  get #exchange(): string | undefined {
    const { traffic } = this.#parts;
    return this.#position === undefined
      ? undefined
      : trafficText(traffic.since(this.#position), this.#session.address.server);
  }

  get #facts() {
    const { server, identity, tool, occurrence } = this.#session.address;
    const sentAt = this.#sentAt;
    const durationMs = sentAt === undefined ? undefined : this.#parts.clock.now() - sentAt;
    const which = occurrence === 0 ? {} : { occurrence };
    return { server, identity, tool, ...which, args: this.#args, at: sentAt ?? this.#askedAt, durationMs };
  }

  /** All checks have passed: the call is sent in this turn, unless this throws. */
  #sent(host: HostServer): void {
    const session = this.#session;
    const tool = (this.#tool = session.tool);
    const { server, identity, occurrence } = session.address;
    const { clock, apps, logger } = this.#parts;
    // While the server was started or the person was asked, another one may have got its label.
    checkIdentity(host, identity);
    this.#position = this.#parts.traffic.position;
    this.#sentAt = clock.now();
    session.call = { kind: 'running' };
    session.isForCommand = false;
    session.ownCall = this.#wanted.caller === 'command' ? undefined : this.#args;
    // What the person has typed while the call waited stays.
    if (
      this.#wanted.isAfterRestart !== true &&
      this.#wanted.args !== undefined &&
      session.args === this.#written &&
      !session.document.isClosed
    )
      session.write(this.#args).catch((error: unknown) => logger.error(() => `Edit: ${messageOf(error)}`));
    if (tool !== undefined) this.#endApp = apps.begin({ server, identity, tool, args: this.#args, occurrence });
    this.#steps.show(({ message, percent }) => {
      session.call = { kind: 'running', progress: { message, ...(percent !== undefined && { percent }) } };
    });
  }
}

/** @returns `undefined` for a definition that is too long */
export async function digestOf(tool: Tool): Promise<string | undefined> {
  return (await snapshotOf('tools', [tool]))?.digest;
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
