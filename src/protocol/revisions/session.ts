import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuthorizationContext } from '../httpAuthorizer.ts';
import type { Implementation } from '../mcp/base.ts';
import type { ElicitContext, ElicitRequest, ElicitResult } from '../mcp/elicitation.ts';
import type { ClientCapabilities, ServerCapabilities } from '../mcp/lifecycle.ts';
import type { LoggingLevel, LoggingMessage } from '../mcp/logging.ts';
import type { ListRootsResult } from '../mcp/roots.ts';
import type { SamplingRequest, SamplingResult } from '../mcp/sampling.ts';
import type { Tool } from '../mcp/tools.ts';
import type { UnknownRecord } from '../../base/json.ts';
import type { RequestHandlerContext, RequestOptions } from '../peer.ts';
import type { TaskChannel } from './taskChannel.ts';

/** The lists a server can say have changed. */
export const listKinds = ['tools', 'resources', 'prompts'] as const;

export type ListKind = (typeof listKinds)[number];

/** What a server may ask of us, whichever way its revision asks. Only what is present is offered as a capability. */
export interface ServerRequestHandlers {
  readonly listRoots?: (context: RequestHandlerContext) => Promise<ListRootsResult>;
  readonly createMessage?: (request: SamplingRequest, context: RequestHandlerContext) => Promise<SamplingResult>;
  readonly elicit?: (request: ElicitRequest, context: ElicitContext) => Promise<ElicitResult>;
}

/** What a server may tell us unasked. */
export interface ServerEventHandlers {
  readonly listChanged: (kind: ListKind) => void;
  readonly resourceUpdated: (uri: string) => void;
  readonly logged: (message: LoggingMessage) => void;
  /** A hint to look at a task now: nobody may wait for it (2025-11-25, "Task Status Notification"). */
  readonly taskChanged: (taskId: string) => void;
}

/** Who we are and what we answer: input to opening a session. */
export interface SessionSetup {
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  readonly requests: ServerRequestHandlers;
  readonly events: ServerEventHandlers;
  /** Pins one revision instead of negotiating. */
  readonly revision: string | undefined;
  /** Over HTTP a tool's schema may ask for headers, and a lost answer may be asked for again. */
  readonly isHttp: boolean;
  /** Told of the revision both sides agreed on, before anything else is sent in it. */
  readonly negotiated: (revision: string) => void;
  /** Requests go out with another token than before, or with none; absent where there is no sign-in. */
  readonly onDidChangeAuthorization?: Event<void> | undefined;
  /** In whose name requests go out; absent where there is no sign-in. */
  readonly authorizationContext?: AuthorizationContext | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** Milliseconds for opening. */
  readonly connectMs: number;
  /** Milliseconds for one call altogether, with everything the server asks for meanwhile. */
  readonly maximumMs: number;
  readonly signal: AbortSignal;
}

/** An open conversation in one revision. All that differs between revisions on the wire stays behind this. */
export interface ProtocolSession {
  readonly revision: string;
  readonly server: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  /** `undefined` for a server without tasks. */
  readonly tasks: TaskChannel | undefined;
  /** @returns the raw result, unchecked */
  request(method: string, params?: UnknownRecord, options?: RequestOptions): Promise<unknown>;
  /** Ends with the account that is signed in: for another one it has to be asked for again. */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  setLogLevel(level: LoggingLevel): Promise<void>;
  /** Says that the roots are not what they were. Does nothing where the revision has no word for it. */
  notifyRootsChanged(): Promise<void>;
  /** Resolves when the server has answered a question without content; 2026-07-28 has none, and is asked to discover. */
  ping(options?: RequestOptions): Promise<void>;
  /**
   * Looks at a tool as it is listed, for what the revision asks of its calls.
   * @returns why it cannot be called here and has to be left out, as a sentence; `undefined` for a tool that can
   */
  admitTool(tool: Tool): string | undefined;
  /** True while the server can be relied on to say when this list changes. */
  hearsOf(kind: ListKind): boolean;
  /** What was read of a resource is of no use: it is not to be answered from a cache. */
  forgetRead?(uri: string): void;
  /** Opens a new session in place of one the server has forgotten, and renews what it was told. */
  renew?(): Promise<void>;
}
