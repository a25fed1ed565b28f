import { raceAbort } from '../../base/abort.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { getOrMake } from '../../base/memoize.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { type DefinitionSnapshot, snapshotOf } from '../definitions/definitionSnapshot.ts';
import type { Mutes } from '../mutes.ts';
import {
  type ApproveCall,
  type CallAnswer,
  type CallingApp,
  type CallQuestions,
  isOwnCall,
  type ProposedCall,
} from './ports.ts';
import type { ToolGrant, ToolGrants } from './toolGrants.ts';

/** A call by another caller than the person that was allowed once. */
export interface AllowedCall {
  readonly server: string;
  readonly tool: string;
  readonly app: CallingApp | undefined;
}

interface RecentCall extends AllowedCall {
  readonly granted: ToolGrant;
}

/** Calls that were allowed once and are remembered. */
const maximumRecent = 10;

/** Calls of one app, or by others of one server, that may wait for an answer at the same time. */
const maximumWaitingCalls = 20;

/**
 * Decides whether a person is asked about a tool call. A person who has filled in the form and pressed *Call* has said yes. What a server
 * says of its tool can add a question, and removes none.
 */
export class ToolCallApproval {
  readonly #questions: CallQuestions;
  readonly #grants: ToolGrants;
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
    call.isSeen && !call.isDestructive ? 'called by the person' : this.#decide(call);

  constructor(questions: CallQuestions, mutes: Mutes, grants: ToolGrants) {
    this.#questions = questions;
    this.#mutes = mutes;
    this.#grants = grants;
    grants.onDidChange((server) => this.#onDidChange.fire(server));
  }

  /** Looks at the grants that are stored. */
  load(): Promise<void> {
    return this.#grants.load();
  }

  get grants(): readonly ToolGrant[] {
    return this.#grants.all;
  }

  /** @throws what the store throws: it has ended in this window, and is still stored */
  revoke(grant: ToolGrant): Promise<void> {
    return this.#grants.revoke(grant);
  }

  /** See {@link ToolGrants.rename}. */
  rename(server: Pick<ToolGrant, 'server' | 'identity'>, name: string): Promise<void> {
    return this.#grants.rename(server, name);
  }

  /** The latest calls by other callers that a person has allowed once, the newest first; one for each caller and tool. */
  get allowedOnce(): readonly AllowedCall[] {
    return this.#recent;
  }

  /** Grants what a call of {@link allowedOnce} was allowed once: its tool, with that definition, to its caller. @throws what the store throws */
  async allowAlways(call: AllowedCall): Promise<void> {
    const recent = this.#recent.find((each) => each === call);
    if (recent === undefined) return;
    await this.#grants.add(recent.granted);
    this.#forget((each) => each === recent, call.server);
  }

  /** The server has stopped, and with it ends what was allowed once. */
  end(server: string): void {
    this.#forget((call) => call.server === server, server);
  }

  #forget(isOver: (call: RecentCall) => boolean, server: string): void {
    const left = this.#recent.filter((call) => !isOver(call));
    if (left.length === this.#recent.length) return;
    this.#recent = left;
    this.#onDidChange.fire(server);
  }

  async #decide(call: ProposedCall): Promise<string> {
    const granted = await this.#describe(call);
    const covered = await this.#findGrant(call, granted);
    if (covered !== undefined) return covered;
    const ask = (): Promise<string> => this.#ask(call, granted);
    if (isOwnCall(call.caller)) return raceAbort(ask(), call.signal);
    const waiter = call.app ?? call.server;
    const waiting = this.#waiting.get(waiter) ?? 0;
    if (waiting >= maximumWaitingCalls)
      throw declinedError(call, `More than ${maximumWaitingCalls} calls of its tools wait for an answer.`);
    this.#waiting.set(waiter, waiting + 1);
    try {
      return await raceAbort(
        this.#inTurn(call, async () => (await this.#findGrant(call, granted)) ?? ask()),
        call.signal,
      );
    } finally {
      const others = (this.#waiting.get(waiter) ?? 1) - 1;
      if (others > 0) this.#waiting.set(waiter, others);
      else this.#waiting.delete(waiter);
    }
  }

  /** @returns which grant covers the call, in a few words for the audit log; `undefined` if none does */
  async #findGrant(call: ProposedCall, subject: ToolGrant | undefined): Promise<string | undefined> {
    const found = subject && (await this.#grants.find(subject));
    const isReached = isOwnCall(call.caller) || found?.reach === 'everyone';
    const isCovered = found !== undefined && isReached && (found.coversUnchecked || call.unchecked === undefined);
    return isCovered ? 'always for this tool' : undefined;
  }

  /** @returns the grant that the call could have; `undefined` where it could be bound to no definition */
  async #describe(call: ProposedCall): Promise<ToolGrant | undefined> {
    const { server, identity, tool, name, caller, unchecked, app, sameNameCount } = call;
    if (tool === undefined || sameNameCount > 1) return undefined;
    const snapshot = await getOrMake(this.#snapshots, tool, () => snapshotOf('tools', [tool]));
    if (snapshot === undefined) return undefined;
    const { digest } = snapshot;
    const reach = isOwnCall(caller) ? 'own' : 'everyone';
    return { server, identity, tool: name, digest, reach, app: app?.uri, coversUnchecked: unchecked !== undefined };
  }

  /** Shows one question after the other in one place, and skips those that an earlier answer has settled. */
  #inTurn(call: ProposedCall, answer: () => Promise<string>): Promise<string> {
    const place = call.app ?? this;
    const turn = (this.#turns.get(place) ?? Promise.resolve()).then(() => {
      call.signal?.throwIfAborted();
      if (this.#mutes.isMuted(call.server, 'calls'))
        throw declinedError(
          call,
          'You declined several such calls in a row. Choose “Unmute MCP Server” to be asked again.',
        );
      return answer();
    });
    this.#turns.set(
      place,
      turn.catch(() => {}),
    );
    return turn;
  }

  async #ask(call: ProposedCall, granted: ToolGrant | undefined): Promise<string> {
    const offered = granted === undefined ? [] : offeredFor(call);
    const answer = await this.#questions.ask(call, offered);
    // The call was cancelled while the question was open.
    call.signal?.throwIfAborted();
    if (answer === undefined) return this.#refuse(call);
    this.#mutes.recordDecision(call.server, 'calls', true);
    if (granted === undefined) return 'allowed once';
    if (answer === 'once' || !offered.includes(answer)) {
      if (!isOwnCall(call.caller)) this.#remember(call, granted);
      return 'allowed once';
    }
    try {
      await this.#grants.add(granted);
    } catch {
      return 'allowed once, as what should hold longer could not be stored';
    }
    call.signal?.throwIfAborted();
    // What the person may do by themselves leaves what others were allowed once.
    if (!isOwnCall(call.caller)) this.#forget((other) => isSameCaller(other, call), call.server);
    return 'always for this tool';
  }

  #remember(call: ProposedCall, granted: ToolGrant): void {
    const { server, name: tool, app } = call;
    const others = this.#recent.filter((other) => !isSameCaller(other, call));
    this.#recent = [{ server, tool, app, granted }, ...others].slice(0, maximumRecent);
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
 * The grants that the question offers: its tool to a person who sees it, and to an app; none for calls of other extensions and commands,
 * whose questions may come when they please and do not say who calls.
 */
function offeredFor({ caller, app, isSeen }: ProposedCall): readonly CallAnswer[] {
  return (isOwnCall(caller) ? isSeen : app !== undefined) ? ['tool'] : [];
}

function declinedError({ server, name }: ProposedCall, why: string): PatchbayError {
  return new PatchbayError('declined', `The tool "${name}" of "${server}" was not called. ${why}`);
}
