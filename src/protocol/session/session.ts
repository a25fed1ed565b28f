import type { CancelSignal } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuthorizationContext } from '../httpAuthorizer.ts';
import type { Implementation } from '../mcp/base.ts';
import type { Elicit } from '../mcp/elicitation.ts';
import type { ClientCapabilities, ServerCapabilities } from '../mcp/lifecycle.ts';
import type { LoggingLevel, LoggingMessage } from '../mcp/logging.ts';
import type { ListRootsResult } from '../mcp/roots.ts';
import type { SamplingRequest, SamplingResult } from '../mcp/sampling.ts';
import type { Tool } from '../mcp/tools.ts';
import type { UnknownRecord } from '../../base/json.ts';
import type { RequestHandlerContext } from '../incomingRequests.ts';
import type { RequestOptions } from '../pendingRequests.ts';
import type { TaskChannel } from './taskChannel.ts';

/** The lists with a `list_changed` notification. */
export const listKinds = ['tools', 'resources', 'prompts'] as const;

export type ListKind = (typeof listKinds)[number];

/** @returns the list of a `list_changed` notification; `undefined` for another method */
export function changedList(method: string): ListKind | undefined {
  return listKinds.find((kind) => method === `notifications/${kind}/list_changed`);
}

/** Handlers of a server's requests, the same for all revisions. Only capabilities with a handler are declared. */
export interface ServerRequestHandlers {
  readonly listRoots?: (context: RequestHandlerContext) => Promise<ListRootsResult>;
  readonly createMessage?: (request: SamplingRequest, context: RequestHandlerContext) => Promise<SamplingResult>;
  readonly elicit?: Elicit;
}

export interface ServerEventHandlers {
  readonly listChanged: (kind: ListKind) => void;
  readonly resourceUpdated: (uri: string) => void;
  readonly logged: (message: LoggingMessage) => void;
  /** Not sent by all servers (2025-11-25, Basic / Utilities / Tasks, "Task Status Notification"). */
  readonly taskChanged: (taskId: string) => void;
}

/** Everything that is needed to open a session: identity, capabilities, handlers, limits. */
export interface SessionSetup {
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  readonly requests: ServerRequestHandlers;
  readonly events: ServerEventHandlers;
  /** The configured revision; `undefined`: negotiate. */
  readonly revision: string | undefined;
  /** Over HTTP, tool schemas can require headers, and a request can be repeated after a lost response. */
  readonly isHttp: boolean;
  /** Called with the negotiated revision, before the first message in it. */
  readonly negotiated: (revision: string) => void;
  /** Fires when requests have a new token, or none; absent without authorization. */
  readonly onDidChangeAuthorization?: Event<void> | undefined;
  /** The account of the requests; absent without authorization. */
  readonly authorizationContext?: AuthorizationContext | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly connectMs: number;
  /** Maximum milliseconds for one call, including the server's requests for input. */
  readonly maximumMs: number;
  readonly signal: CancelSignal;
}

/** An open session in one revision. It hides the differences between revisions on the wire. */
export interface ProtocolSession {
  readonly revision: string;
  readonly server: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  readonly tasks: TaskChannel | undefined;
  /** @returns the raw result, unchecked */
  request(method: string, params?: UnknownRecord, options?: RequestOptions): Promise<unknown>;
  /** Subscribes to updates of a resource. After a change of account, subscribe again. */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  setLogLevel(level: LoggingLevel): Promise<void>;
  /** Sends `notifications/roots/list_changed`; no-op in 2026-07-28. */
  notifyRootsChanged(): Promise<void>;
  /** Sends `ping`, or `server/discover` in 2026-07-28; resolves with the response. */
  ping(options?: RequestOptions): Promise<void>;
  /** Remembers what calls of a listed tool need. @returns why it is left out; `undefined` for a valid tool */
  validateTool(tool: Tool): string | undefined;
  /** True while the server notifies about changes of this list. */
  receivesListChanges(kind: ListKind): boolean;
  invalidateResource?(uri: string): void;
  /** Opens a new session after the server lost the old one, and restores log level and subscriptions. */
  renew?(): Promise<void>;
}
