import { raceAbort } from '../../base/abort.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { getOrMake } from '../../base/memoize.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { type DefinitionSnapshot, snapshotOf } from '../definitions/definitionSnapshot.ts';
import type { Mutes } from '../mutes.ts';
import type { ApproveCall, CallAnswer, Caller, CallingApp, CallQuestions, ProposedCall } from './ports.ts';

/** A call by another caller than the person that was allowed once. */
export interface AllowedCall {
  readonly server: string;
  readonly tool: string;
  readonly app: CallingApp | undefined;
}

export interface ToolGrant {
  readonly server: string;
  /** The tool; `undefined` for all tools that the server marks as read-only. */
  readonly tool: string | undefined;
  /** Whose calls it covers: those the person makes here, or those of every caller. It follows the caller that was asked about. */
  readonly reach: 'own' | 'everyone';
  /** The address of the app whose calls it covers, and no others. */
  readonly app?: string;
}

interface RecentCall extends AllowedCall {
  readonly run: RunGrants;
  readonly granted: GrantRequest;
}

/** Calls that were allowed once and are remembered. */
const maximumRecent = 10;

/** Calls of one app, or by others of one server, that may wait for an answer at the same time. */
const maximumWaitingCalls = 20;

/**
 * Decides whether a tool call needs an answer of a person. The server's `readOnlyHint` alone never allows a call: it only
 * avoids a second question to a person who has just seen the call, and selects the tools that a grant for read-only tools
 * covers.
 */
export class ToolCallApproval {
  readonly #questions: CallQuestions;
  readonly #runs = new Map<string, RunGrants>();
  readonly #mutes: Mutes;
  /** By the app that calls, or the server. */
  readonly #waiting = new Map<CallingApp | string, number>();
  /** The newest first. */
  #recent: readonly RecentCall[] = [];
  readonly #onDidChange = new Emitter<string>();
  /** Computed once for each definition. */
  readonly #snapshots = new WeakMap<Tool, Promise<DefinitionSnapshot | undefined>>();
  /**
   * Each settles when no question is open there: above one document of an app, or in a dialog about a call by other callers. An app
   * waits for no other, as each has its questions in its own tab.
   */
  readonly #turns = new WeakMap<object, Promise<unknown>>();

  /** Fires with the label of a server when a grant or a call of `allowedOnce` was added or removed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly approve: ApproveCall = (call) =>
    call.isSeen && call.unchecked === undefined && claimsReadOnly(call) ? 'seen before the call' : this.#decide(call);

  constructor(questions: CallQuestions, mutes: Mutes) {
    this.#questions = questions;
    this.#mutes = mutes;
  }

  get grants(): readonly ToolGrant[] {
    return [...this.#runs].flatMap(([server, run]) => run.list.map((grant) => ({ server, ...grant })));
  }

  revoke({ server, tool, app }: ToolGrant): void {
    this.#runs.get(server)?.revoke(tool, app);
    this.#onDidChange.fire(server);
  }

  /** The latest calls by other callers that a person has allowed once, the newest first; one for each caller and tool. */
  get allowedOnce(): readonly AllowedCall[] {
    return this.#recent;
  }

  /** Grants what a call of {@link allowedOnce} was allowed once: its tool, with that definition, to its caller. */
  allowAlways(call: AllowedCall): void {
    const recent = this.#recent.find((each) => each === call);
    if (recent === undefined) return;
    recent.run.grant('tool', recent.granted);
    this.#recent = this.#recent.filter((each) => each !== recent);
    this.#onDidChange.fire(call.server);
  }

  end(server: string): void {
    const others = this.#recent.filter((call) => call.server !== server);
    const isChanged = others.length < this.#recent.length || (this.#runs.get(server)?.list ?? []).length > 0;
    this.#recent = others;
    this.#runs.delete(server);
    if (isChanged) this.#onDidChange.fire(server);
  }

  async #decide(call: ProposedCall): Promise<string> {
    let run = this.#runs.get(call.server);
    // Another server under the same label starts without grants.
    if (run?.identity !== call.identity) run = new RunGrants(call.identity);
    this.#runs.set(call.server, run);
    return this.#decideIn(run, call);
  }

  async #decideIn(run: RunGrants, call: ProposedCall): Promise<string> {
    const granted = await this.#describe(call);
    const covered = granted && run.find(granted);
    if (covered !== undefined) return covered;
    const ask = (): Promise<string> => this.#ask(call, run, granted);
    if (isOwnCall(call.caller)) return raceAbort(ask(), call.signal);
    const waiter = call.app ?? call.server;
    const waiting = this.#waiting.get(waiter) ?? 0;
    if (waiting >= maximumWaitingCalls)
      throw declinedError(call, `More than ${maximumWaitingCalls} calls of its tools wait for an answer.`);
    this.#waiting.set(waiter, waiting + 1);
    try {
      return await raceAbort(
        this.#inTurn(call, () => (granted && run.find(granted)) ?? ask()),
        call.signal,
      );
    } finally {
      const others = (this.#waiting.get(waiter) ?? 1) - 1;
      if (others > 0) this.#waiting.set(waiter, others);
      else this.#waiting.delete(waiter);
    }
  }

  async #describe(call: ProposedCall): Promise<GrantRequest | undefined> {
    const { tool, name, caller, unchecked, app } = call;
    if (tool === undefined) return undefined;
    const snapshot = await getOrMake(this.#snapshots, tool, () => snapshotOf('tools', [tool]));
    const digest = snapshot?.digest;
    if (digest === undefined) return undefined;
    const isUnchecked = unchecked !== undefined;
    return { name, digest, claimsReadOnly: claimsReadOnly(call), isUnchecked, caller, app: app?.uri };
  }

  /** Shows one question after the other in one place, and skips those that an earlier answer has settled. */
  #inTurn(call: ProposedCall, answer: () => string | Promise<string>): Promise<string> {
    const place = call.app ?? this;
    const turn = (this.#turns.get(place) ?? Promise.resolve()).then(() => {
      call.signal?.throwIfAborted();
      if (this.#mutes.isMuted(call.server, 'calls'))
        throw declinedError(call, 'You declined several such calls in a row. “Unmute Server” ends that.');
      return answer();
    });
    this.#turns.set(
      place,
      turn.catch(() => {}),
    );
    return turn;
  }

  async #ask(call: ProposedCall, run: RunGrants, granted: GrantRequest | undefined): Promise<string> {
    const offered = offeredFor(call, granted);
    const answer = await this.#questions.ask(call, offered);
    // The call was cancelled while the question was open.
    call.signal?.throwIfAborted();
    if (answer === undefined) return this.#refuse(call);
    this.#mutes.recordDecision(call.server, 'calls', true);
    if (granted === undefined) return 'allowed once';
    if (answer === 'once' || !offered.includes(answer)) {
      if (!isOwnCall(call.caller)) this.#remember(call, run, granted);
      return 'allowed once';
    }
    run.grant(answer, granted);
    // What the person may do by themselves leaves what others were allowed once.
    if (!isOwnCall(call.caller)) this.#recent = this.#recent.filter((other) => !isSameCaller(other, call));
    this.#onDidChange.fire(call.server);
    return answer === 'tool' ? 'always for this tool' : 'always for tools called read-only';
  }

  #remember(call: ProposedCall, run: RunGrants, granted: GrantRequest): void {
    const { server, name: tool, app } = call;
    const others = this.#recent.filter((other) => !isSameCaller(other, call));
    this.#recent = [{ server, tool, app, run, granted }, ...others].slice(0, maximumRecent);
    this.#onDidChange.fire(server);
  }

  #refuse(call: ProposedCall): never {
    const { server, caller } = call;
    if (isOwnCall(caller)) throw new CancelledError('The call was declined');
    this.#mutes.recordDecision(server, 'calls', false);
    if (caller === 'command') throw new CancelledError('The call was declined');
    throw declinedError(call, 'The call was declined.');
  }
}

/** True for a call by the same app, or by none, of the same tool. */
function isSameCaller(other: AllowedCall, { server, name, app }: ProposedCall): boolean {
  return other.server === server && other.tool === name && other.app?.uri === app?.uri;
}

/**
 * The grants that the question offers: none for calls of other extensions and commands, whose questions may come when they please and
 * do not say who calls; its tool to an app. A definition that is too long for a digest is asked about each time.
 */
function offeredFor(call: ProposedCall, granted: GrantRequest | undefined): readonly CallAnswer[] {
  if (granted === undefined) return [];
  if (!isOwnCall(call.caller)) return call.app === undefined ? [] : ['tool'];
  return granted.claimsReadOnly && call.unchecked === undefined ? ['tool', 'readOnly'] : ['tool'];
}

function claimsReadOnly({ tool }: ProposedCall): boolean {
  return tool?.annotations?.readOnlyHint === true;
}

function declinedError({ server, name }: ProposedCall, why: string): PatchbayError {
  return new PatchbayError('declined', `The tool "${name}" of "${server}" was not called. ${why}`);
}

/** What grants are compared with. `digest` is that of the tool's definition. */
interface GrantRequest {
  readonly name: string;
  readonly digest: string;
  readonly claimsReadOnly: boolean;
  readonly isUnchecked: boolean;
  readonly caller: Caller;
  readonly app: string | undefined;
}

/** A grant for one tool. `coversUnchecked`: it was given for arguments that could not be checked. */
type GrantedTool = Pick<GrantRequest, 'name' | 'digest' | 'app'> &
  Pick<ToolGrant, 'reach'> & { readonly coversUnchecked: boolean };

/** The grants of one run of a server. What is allowed to an app counts for that app only, and nothing else counts for it. */
class RunGrants {
  readonly identity: string;
  #tools: readonly GrantedTool[] = [];
  /**
   * With the grant for read-only tools: the digest of each when it was first covered. It is only offered to the person who calls,
   * and covers no other caller.
   */
  #readOnly: Map<string, string> | undefined;

  constructor(identity: string) {
    this.identity = identity;
  }

  get list(): readonly Omit<ToolGrant, 'server'>[] {
    const readOnly = this.#readOnly === undefined ? [] : [{ tool: undefined, reach: 'own' } as const];
    const tools = this.#tools.map(({ name: tool, reach, app }) => ({ tool, reach, ...(app !== undefined && { app }) }));
    return [...readOnly, ...tools];
  }

  /** @returns which grant covers the call, in a few words for the audit log; `undefined` if none does */
  find(call: GrantRequest): string | undefined {
    const { name, digest, isUnchecked } = call;
    const isOwn = isOwnCall(call.caller);
    const granted = this.#of(call);
    const isReached = isOwn || granted?.reach === 'everyone';
    if (granted?.digest === digest && isReached && (granted.coversUnchecked || !isUnchecked))
      return 'always for this tool';
    if (this.#readOnly === undefined || !isOwn || !call.claimsReadOnly || isUnchecked) return undefined;
    // A changed definition may be a different tool, even if the server still marks it as read-only.
    if ((this.#readOnly.get(name) ?? digest) !== digest) return undefined;
    this.#readOnly.set(name, digest);
    return 'always for tools called read-only';
  }

  grant(kind: 'tool' | 'readOnly', call: GrantRequest): void {
    const { name, digest, app, isUnchecked: coversUnchecked } = call;
    if (kind === 'readOnly') {
      this.#readOnly ??= new Map();
      this.#readOnly.set(name, digest);
      return;
    }
    const known = this.#of(call);
    const isEveryone = !isOwnCall(call.caller) || (known?.digest === digest && known.reach === 'everyone');
    const granted = { name, digest, app, reach: isEveryone ? 'everyone' : 'own', coversUnchecked } as const;
    this.#tools = [...this.#tools.filter((other) => other !== known), granted];
  }

  revoke(tool: string | undefined, app: string | undefined): void {
    if (tool === undefined) this.#readOnly = undefined;
    else this.#tools = this.#tools.filter((granted) => granted.name !== tool || granted.app !== app);
  }

  #of({ name, app }: GrantRequest): GrantedTool | undefined {
    return this.#tools.find((granted) => granted.name === name && granted.app === app);
  }
}

/** True if the person calls the tool in Patchbay's own user interface. */
function isOwnCall(caller: Caller): boolean {
  return caller === 'form' || caller === 'again';
}
