import { raceAbort } from '../../base/abort.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { type DefinitionSnapshot, snapshotOf } from '../definitions/definitionSnapshot.ts';
import type { Mutes } from '../mutes.ts';
import type { ApproveCall, CallAnswer, CallingApp, CallQuestions, ProposedCall } from './ports.ts';
import { type GrantRequest, type GrantScope, isOwnCall, type ToolGrant, ToolGrants } from './toolGrants.ts';

/** A call by another caller than the person that was allowed once. */
export interface AllowedCall {
  readonly server: string;
  readonly tool: string;
  readonly app: CallingApp | undefined;
}

/** What is granted when an allowed call becomes a grant. */
interface RecentCall extends AllowedCall {
  readonly scope: GrantScope;
  readonly granted: GrantRequest;
}

/** Calls that were allowed once and are remembered. */
const maximumRecent = 10;

/** Calls of one server that may wait for an answer at the same time. */
const maximumWaitingCalls = 20;

/**
 * Decides whether a tool call needs an answer of a person. The server's `readOnlyHint` alone never allows a call: it only
 * avoids a second question to a person who has just seen the call, and selects the tools that a grant for read-only tools
 * covers.
 */
export class ToolCallApproval {
  readonly #questions: CallQuestions;
  readonly #grants = new ToolGrants();
  readonly #mutes: Mutes;
  readonly #waiting = new Map<string, number>();
  /** The newest first. */
  #recent: readonly RecentCall[] = [];
  readonly #onDidChange = new Emitter<string>();
  /** Computed once for each definition. */
  readonly #snapshots = new WeakMap<Tool, Promise<DefinitionSnapshot | undefined>>();
  /** Settles when no question about a call by other callers is open. */
  #turn: Promise<unknown> = Promise.resolve();

  /** Fires with the label of a server when a grant or a call of `allowedOnce` was added or removed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly approve: ApproveCall = (call) =>
    call.isSeen && call.unchecked === undefined && claimsReadOnly(call) ? 'seen before the call' : this.#decide(call);

  constructor(questions: CallQuestions, mutes: Mutes) {
    this.#questions = questions;
    this.#mutes = mutes;
  }

  get grants(): readonly ToolGrant[] {
    return this.#grants.all;
  }

  revoke(grant: ToolGrant): void {
    this.#grants.revoke(grant);
    this.#onDidChange.fire(grant.server);
  }

  /** The latest calls by other callers that a person has allowed once, the newest first; one for each caller and tool. */
  get allowedOnce(): readonly AllowedCall[] {
    return this.#recent;
  }

  /** Grants what a call of {@link allowedOnce} was allowed once: its tool, with that definition, to its caller. */
  allowAlways(call: AllowedCall): void {
    const recent = this.#recent.find((each) => each === call);
    if (recent === undefined) return;
    recent.scope.grant('tool', recent.granted);
    this.#recent = this.#recent.filter((each) => each !== recent);
    this.#onDidChange.fire(call.server);
  }

  /** The server has stopped: removes its grants. */
  end(server: string): void {
    const others = this.#recent.filter((call) => call.server !== server);
    const hadRecent = others.length < this.#recent.length;
    this.#recent = others;
    if (this.#grants.end(server) || hadRecent) this.#onDidChange.fire(server);
  }

  async #decide(call: ProposedCall): Promise<string> {
    const scope = this.#grants.scope(call.server, call.identity, call.app?.uri);
    const granted = await this.#describe(call);
    const covered = granted && scope.find(granted);
    if (covered !== undefined) return covered;
    const ask = (): Promise<string> => this.#ask(call, scope, granted);
    if (isOwnCall(call.caller)) return raceAbort(ask(), call.signal);
    const waiting = this.#waiting.get(call.server) ?? 0;
    if (waiting >= maximumWaitingCalls)
      throw declinedError(call, `More than ${maximumWaitingCalls} calls of its tools wait for an answer.`);
    this.#waiting.set(call.server, waiting + 1);
    try {
      return await raceAbort(
        this.#inTurn(call, () => (granted && scope.find(granted)) ?? ask()),
        call.signal,
      );
    } finally {
      this.#waiting.set(call.server, (this.#waiting.get(call.server) ?? 1) - 1);
    }
  }

  async #describe(call: ProposedCall): Promise<GrantRequest | undefined> {
    const { tool, name, caller, unchecked } = call;
    if (tool === undefined) return undefined;
    const snapshot = this.#snapshots.get(tool) ?? snapshotOf('tools', [tool]);
    this.#snapshots.set(tool, snapshot);
    const digest = (await snapshot)?.digest;
    if (digest === undefined) return undefined;
    return { name, digest, claimsReadOnly: claimsReadOnly(call), isUnchecked: unchecked !== undefined, caller };
  }

  /** Shows one question after the other, and skips those that an earlier answer has settled. */
  #inTurn(call: ProposedCall, answer: () => string | Promise<string>): Promise<string> {
    const turn = this.#turn.then(() => {
      call.signal?.throwIfAborted();
      if (this.#mutes.isMuted(call.server, 'calls'))
        throw declinedError(call, 'You declined several such calls in a row. “Unmute Server” ends that.');
      return answer();
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #ask(call: ProposedCall, scope: GrantScope, granted: GrantRequest | undefined): Promise<string> {
    const offered = offeredFor(call, granted);
    const answer = await this.#questions.ask(call, offered);
    // The call was cancelled while the question was open.
    call.signal?.throwIfAborted();
    if (answer === undefined) return this.#refuse(call);
    this.#mutes.recordDecision(call.server, 'calls', true);
    if (granted === undefined) return 'allowed once';
    if (answer === 'once' || !offered.includes(answer)) {
      if (!isOwnCall(call.caller)) this.#remember(call, scope, granted);
      return 'allowed once';
    }
    scope.grant(answer, granted);
    this.#onDidChange.fire(call.server);
    return answer === 'tool' ? 'always for this tool' : 'always for tools called read-only';
  }

  #remember({ server, name: tool, app }: ProposedCall, scope: GrantScope, granted: GrantRequest): void {
    const isSame = (other: RecentCall): boolean =>
      other.server === server && other.tool === tool && other.app?.uri === app?.uri;
    const others = this.#recent.filter((other) => !isSame(other));
    this.#recent = [{ server, tool, app, scope, granted }, ...others].slice(0, maximumRecent);
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

/**
 * The grants that the question offers: none where the person did not call by themselves, as a question that others cause may come
 * when they please. A definition that is too long for a digest is asked about each time.
 */
function offeredFor(call: ProposedCall, granted: GrantRequest | undefined): readonly CallAnswer[] {
  if (granted === undefined || !isOwnCall(call.caller)) return [];
  return granted.claimsReadOnly && call.unchecked === undefined ? ['tool', 'readOnly'] : ['tool'];
}

function claimsReadOnly({ tool }: ProposedCall): boolean {
  return tool?.annotations?.readOnlyHint === true;
}

function declinedError({ server, name }: ProposedCall, why: string): PatchbayError {
  return new PatchbayError('declined', `The tool "${name}" of "${server}" was not called. ${why}`);
}
