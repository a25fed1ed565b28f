import type { JsonObject } from '../../base/json.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { CallOptions } from '../server.ts';
import type { SchemaValidator } from '../validation/schemaValidator.ts';

/**
 * Who calls a tool: a person who has the tool and its whole arguments before their eyes; a person who presses a button that
 * repeats a call; whoever runs a command, which may be a keybinding or another extension; another extension by the API; a
 * program that the host is part of.
 */
export type Caller = 'form' | 'again' | 'command' | 'extension' | 'program';

/** Who is behind a server's handle. */
export type HandleOwner = Extract<Caller, 'extension' | 'program'>;

export interface ToolCallOptions extends Omit<CallOptions, 'origin'> {
  /** `extension` unless given: nothing is known of a person then. */
  readonly caller?: Caller;
  /** The definition that was chosen, of those the server lists under the name; the first one unless given. */
  readonly tool?: Tool;
  /** Nothing is left to ask: the call is sent now. */
  readonly onSend?: () => void;
  /** Gets sentences about what could not be checked, for whoever sees the result. */
  readonly onNote?: (note: string) => void;
}

/** A call before anything of it is sent. */
export interface ProposedCall {
  readonly server: string;
  /** Of what was launched: another server under the same label is another one. */
  readonly identity: string;
  readonly name: string;
  /** The definition the call is held against; `undefined` where the server lists none of that name. */
  readonly tool: Tool | undefined;
  /** How many definitions the server lists under the name. It gets the name alone, so that it cannot tell them apart. */
  readonly namesakes: number;
  /** All of them, and those that are sent. */
  readonly args: JsonObject;
  readonly caller: Caller;
  /** A person has just seen this very definition with these arguments, and called it. */
  readonly isSeen: boolean;
  /** Why the arguments were not checked, as the end of a sentence; `undefined` where they fit the tool's schema. */
  readonly unchecked: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Port that says whether a call may be made.
 * @returns how it came to be allowed, in a few words for the record; a promise where that takes a question
 * @throws {PatchbayError} `declined`; {@link CancelledError} for a person's own no; the signal's reason
 */
export type ApproveCall = (call: ProposedCall) => string | Promise<string>;

/** What every call of a tool needs of its host. */
export interface ToolCallPorts {
  readonly validator: SchemaValidator;
  readonly approve: ApproveCall;
}

/** What a person allows: this call, this tool from now on, or every tool that its server calls read-only. */
export type CallAnswer = 'once' | 'tool' | 'readOnly';

/** Port to the person. */
export interface CallQuestions {
  /**
   * @param offered what may be allowed besides this call
   * @returns `undefined` for a no
   */
  ask(call: ProposedCall, offered: readonly CallAnswer[]): Promise<CallAnswer | undefined>;
  /** Nobody is asked about calls of this server by others any more, after several refusals in a row. */
  tellMuted(server: string): void;
}
