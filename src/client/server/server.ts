import type { PatchbayError } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { Implementation } from '../../protocol/mcp/base.ts';
import type { Completion, CompletionArgument, CompletionReference } from '../../protocol/mcp/completion.ts';
import type { ServerCapabilities } from '../../protocol/mcp/lifecycle.ts';
import type { LoggingLevel, LoggingMessage } from '../../protocol/mcp/logging.ts';
import type { GetPromptResult } from '../../protocol/mcp/prompts.ts';
import type { ReadResourceResult } from '../../protocol/mcp/resources.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { ContentKind, Contents, DefinedKind, ListOwner, ListState } from '../contents.ts';
import type { VerifiedSkillFile } from '../skills/readSkillFile.ts';
import type { ServerTask } from '../tasks/serverTask.ts';
import type { ResultFindings, ToolCallOptions } from '../toolCalls/ports.ts';
import type { CallOptions } from '../useDispatcher.ts';

/** How the revision was chosen: set by the user, remembered from an earlier start, or negotiated with the server. */
export type Negotiation = 'pinned' | 'remembered' | 'probed';

export interface SessionInfo {
  readonly protocolVersion: string;
  readonly negotiation: Negotiation;
  readonly transport: LaunchPlan['kind'];
  /** `URL.origin` of a remote server's address; a program, and a server behind a socket, has none. */
  readonly origin?: string | undefined;
  readonly server: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  /** Duration of the handshake in milliseconds. */
  readonly handshakeMs: number;
}

/**
 * One configured server, for every revision and transport. The same object serves any number of starts.
 * Calls reject with a PatchbayError, a JsonRpcError from the server, or the signal's reason.
 */
export interface Server {
  readonly label: string;
  /**
   * Who the server is: what runs, or else what was launched last from its definition, see `ServerIdentities`. What is kept of
   * a server belongs to its identity; another definition under the same label has another one.
   */
  readonly identity: string;
  readonly state: ServerState;
  readonly session: SessionInfo | undefined;
  /** `false` while the running server does not answer a ping. */
  readonly isResponsive: boolean;
  /** A call of a tool, a resource or a prompt is open. */
  readonly isInUse: boolean;
  readonly contents: Contents;
  /** True while `contents` is from memory and not listed by the running server. */
  readonly isRemembered: boolean;
  /** When the remembered `contents` were listed, in milliseconds since the epoch; `undefined` if nothing is remembered. */
  readonly rememberedAt: number | undefined;
  /** What the server offered last time, for lists that are not read yet: names and descriptions only. */
  readonly lastSeen: Contents;
  /** Neither loading nor failed while the server does not run. */
  listState(kind: ContentKind): ListState;
  /** Reads one list again, as after a failure. Does nothing while the server does not run. */
  reloadList(kind: ContentKind): void;
  /** What could not be listed or used, one sentence each, with the failures of lists. */
  readonly problems: readonly string[];
  readonly onDidChangeState: Event<ServerState>;
  readonly onDidChangeResponsiveness: Event<void>;
  readonly onDidChangeContents: Event<ContentKind>;
  readonly onDidUpdateResource: Event<{ readonly uri: string }>;
  /** The account or its scopes changed: resources that were read before may have other contents now. */
  readonly onDidInvalidateReads: Event<void>;
  readonly onDidLog: Event<LoggingMessage>;
  /** Tool calls that the server continues as tasks, and ended tasks that no call waited for. */
  readonly tasks: readonly ServerTask[];
  /** A task was added, changed or removed. */
  readonly onDidChangeTasks: Event<ServerTask>;

  /**
   * Resolves when the server runs and each list has been read or has failed, see {@link listState}. Several calls share
   * one start; aborting one of them ends only its own wait.
   * @param until waits for this list only
   */
  start(signal?: AbortSignal, until?: ContentKind): Promise<void>;
  /** Resolves when the process or connection has ended; never rejects. */
  stop(): Promise<void>;
  /** Stops and starts; resolves and rejects like {@link start}. */
  restart(signal?: AbortSignal): Promise<void>;
  /**
   * Asks now what a use would ask, so that a person is not asked after filling in a form. The use itself is checked again.
   * @throws {PatchbayError} `declined`; cancellation
   */
  preflight(kind: DefinedKind, key: string, options?: CallOptions): Promise<void>;
  /**
   * Validates the arguments, asks for approval if needed, calls, validates the result, records: see {@link ToolCalls}.
   * @throws {PatchbayError} `invalidArguments`, `declined`; {@link InvalidResultError} without `onInvalid`
   */
  callTool(name: string, args?: object, options?: ToolCallOptions): Promise<CallToolResult>;
  /**
   * Cancels a task, and the call that waits for it.
   * @throws {PatchbayError} `notRunning`, `capabilityMissing`
   */
  cancelTask(id: string): Promise<void>;
  /**
   * Waits for the result of a task, and validates it like the result of its call.
   * @throws {InvalidResultError} without `onInvalid`
   */
  taskResult(id: string, findings?: ResultFindings): Promise<CallToolResult>;
  /** Removes a task from the list; an open task is no longer polled, but not cancelled. */
  forgetTask(id: string): void;
  /** Requests `resources/read`. */
  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult>;
  /**
   * Reads a file of a skill and verifies it against the skill's entry.
   * @param skillUri of its SKILL.md; the skill need not be listed
   * @throws {PatchbayError} `notVerified`, `capabilityMissing`
   */
  readSkillFile(skillUri: string, fileUri: string, options?: CallOptions): Promise<VerifiedSkillFile>;
  /** Requests `prompts/get`. */
  getPrompt(name: string, args?: Readonly<Record<string, string>>, options?: CallOptions): Promise<GetPromptResult>;
  /**
   * Requests values for an argument.
   * @param context arguments that already have a value (since 2025-06-18)
   * @returns no values if the server does not support completion
   */
  complete(
    reference: CompletionReference,
    argument: CompletionArgument,
    context?: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<Completion>;
  /** Subscribes to changes of a resource, also after restarts. @throws {PatchbayError} `capabilityMissing` */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  /** Sets the minimum level of log messages, also after restarts. @throws {PatchbayError} `capabilityMissing` */
  setLogLevel(level: LoggingLevel): Promise<void>;
  /** Forgets what a stopped server offered last. Called when the person signs out of it. */
  forgetContents(): void;
  /**
   * Call when a list is shown: lists it again in the background if it is older than the server's `ttlMs` and the server
   * sends no notifications of changes (2026-07-28, Server Features / Utilities / Caching).
   */
  refreshStale(owner: ListOwner): void;
  /** Pings the server. @returns the round trip in milliseconds */
  ping(signal?: AbortSignal): Promise<number>;
}

/** The state of a server. Every switch over `kind` is exhaustive. */
export type ServerState =
  | { readonly kind: 'stopped' }
  /** `isRetry`: an automatic restart after a crash. */
  | { readonly kind: 'starting'; readonly isRetry?: true }
  | { readonly kind: 'running' }
  /** Crashed; restarts at `retryAt` (milliseconds since the epoch). */
  | { readonly kind: 'waiting'; readonly retryAt: number; readonly error: PatchbayError }
  /** Does not restart by itself. The codes `needsTrust` and `needsSignIn` are shown as separate states. */
  | { readonly kind: 'failed'; readonly error: PatchbayError };
