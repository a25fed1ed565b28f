import type { JsonObject } from '../../base/json.ts';
import type { RequestId } from '../../protocol/jsonRpc.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { CallOptions } from '../useDispatcher.ts';
import type { SchemaValidator } from '../validation/schemaValidator.ts';
import type { InvalidResultError } from './sendToolCall.ts';

/**
 * Who calls a tool. `form`: a person who sees the tool and all arguments; `again`: a person who repeats a call; `command`:
 * a command, which a keybinding or another extension may run; `test`: a saved call that the person runs as a test; `extension`: another
 * extension through the API; `app`: an app of the server; `program`: the program that uses the headless host.
 */
export type Caller = 'form' | 'again' | 'test' | 'command' | 'extension' | 'app' | 'program';

/** True if the person calls the tool in Patchbay's own user interface. */
export function isOwnCall(caller: Caller): boolean {
  return caller === 'form' || caller === 'again' || caller === 'test';
}

export interface CallingApp {
  /** Its address, which what is allowed belongs to. */
  readonly uri: string;
  readonly title: string;
  /** Asks the person about a call of it, where the app cannot place the question. */
  readonly ask: AskAboutApp;
}

/** A question about what an app has asked for. Texts of servers in it are unchecked. */
export interface AboutApp {
  readonly message: string;
  readonly detail: readonly string[];
  /** What it is about, whole. */
  readonly body?: string;
  /** Answers it with a no. */
  readonly safe: string;
  readonly actions: readonly string[];
}

/**
 * @param signal takes the question back
 * @returns the chosen action; `undefined` for a no, and when the app has ended
 */
export type AskAboutApp = (question: AboutApp, signal?: AbortSignal) => Promise<string | undefined>;

export interface ResultFindings {
  /** Gets sentences about what could not be checked, to show with the result. */
  readonly onNote?: (note: string) => void;
  /** Gets what is wrong with a result that breaks the tool's output schema. Without it, the call rejects with that. */
  readonly onInvalid?: (error: InvalidResultError) => void;
}

export interface ToolCallOptions extends Omit<CallOptions, 'origin'>, ResultFindings {
  /** `extension` by default: no person is known to have asked for the call. */
  readonly caller?: Caller;
  readonly app?: CallingApp;
  /** Asks in the form that a person has called from. */
  readonly askInForm?: AskInForm;
  /** The chosen definition, if the server lists several under the name; by default the first one. */
  readonly tool?: Tool;
  /** Called when all checks have passed, before the call is sent in the same turn. If it throws, nothing is sent. */
  readonly onSend?: () => void;
  /** Called with the id of each request of the call, just before it is sent: most calls have one. */
  readonly onRequest?: (id: RequestId) => void;
}

/** A call before anything is sent. */
export interface ProposedCall {
  readonly server: string;
  /** Identifies what was launched: it changes when the label leads to another server. */
  readonly identity: string;
  readonly name: string;
  /** The definition that the arguments are checked against; `undefined` if the server lists none of that name. */
  readonly tool: Tool | undefined;
  /** How many definitions the server lists under the name. A call contains only the name, so it cannot choose one. */
  readonly sameNameCount: number;
  readonly args: JsonObject;
  readonly caller: Caller;
  readonly app?: CallingApp | undefined;
  /** A person has just seen this definition with these arguments, and called it. */
  readonly isSeen: boolean;
  /** The server says of a tool of this name that it may delete or change data. */
  readonly isDestructive: boolean;
  readonly askInForm?: AskInForm | undefined;
  /** Why the arguments were not checked, as the end of a sentence; `undefined` if they match the tool's schema. */
  readonly unchecked: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Port that approves tool calls.
 * @returns how the call was approved, in a few words for the audit log; a promise if a question is shown
 * @throws {PatchbayError} `declined`; {@link CancelledError} when the person who made the call declines; the signal's reason
 */
export type ApproveCall = (call: ProposedCall) => string | Promise<string>;

export interface ToolCallPorts {
  readonly validator: SchemaValidator;
  readonly approve: ApproveCall;
}

/** What a person allows: this call, or this tool from now on. */
export type CallAnswer = 'once' | 'tool';

/**
 * Asks for another press where the person has called it, with the tool and the arguments in sight.
 * @returns `undefined` if the person declines, or the form no longer shows this call
 */
export type AskInForm = (call: ProposedCall, offered: readonly CallAnswer[]) => Promise<CallAnswer | undefined>;

export interface CallQuestions {
  /**
   * @param offered grants that the person may choose instead of allowing this call only
   * @returns `undefined` if the person declines
   */
  ask(call: ProposedCall, offered: readonly CallAnswer[]): Promise<CallAnswer | undefined>;
}
