import type { Event } from '../base/event.ts';
import type { LaunchPlan } from '../base/launchPlan.ts';
import type { Implementation } from '../protocol/mcp/base.ts';
import type { Completion, CompletionArgument, CompletionReference } from '../protocol/mcp/completion.ts';
import type { ServerCapabilities } from '../protocol/mcp/lifecycle.ts';
import type { LoggingLevel, LoggingMessage } from '../protocol/mcp/logging.ts';
import type { Progress } from '../protocol/mcp/progress.ts';
import type { GetPromptResult, Prompt } from '../protocol/mcp/prompts.ts';
import type { ReadResourceResult, Resource, ResourceTemplate } from '../protocol/mcp/resources.ts';
import type { Skill } from '../protocol/mcp/skills.ts';
import type { CallToolResult, Tool } from '../protocol/mcp/tools.ts';
import type { ListKind } from '../protocol/revisions/session.ts';
import type { DefinedKind } from './listedDefinitions.ts';
import type { ServerState } from './serverState.ts';
import type { VerifiedSkillFile } from './skills/readSkillFile.ts';
import type { ServerTask } from './tasks/serverTask.ts';
import type { ToolCallOptions } from './toolCalls/ports.ts';
import type { UseOrigin } from './useGuard.ts';

/** What one server offers. While it is stopped this is what was seen last time, names and descriptions only. */
export interface Contents {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
  readonly prompts: readonly Prompt[];
  readonly skills: readonly Skill[];
}

export const emptyContents: Contents = { tools: [], resources: [], resourceTemplates: [], prompts: [], skills: [] };

export type ContentKind = keyof Contents;

export const contentKinds = Object.keys(emptyContents) as readonly ContentKind[];

/** How far one list of a running server has been read. */
export interface ListState {
  /** It is being read for the first time, or again after it failed. */
  readonly isLoading: boolean;
  /** Why it, or the rest of it, could not be read the last time. */
  readonly failure: string | undefined;
}

/** What lets a server have lists: a capability, or an extension. */
export type ListOwner = ListKind | 'skills';

/** How the revision came about: set by the user, known from an earlier start, or asked of the server. */
export type Negotiation = 'pinned' | 'remembered' | 'probed';

/** Facts of the live connection. */
export interface SessionInfo {
  readonly protocolVersion: string;
  readonly negotiation: Negotiation;
  readonly transport: LaunchPlan['kind'];
  /** Of a remote server's address, as `URL.origin` has it. */
  readonly origin?: string | undefined;
  readonly server: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  /** Duration of the handshake in milliseconds. */
  readonly handshakeMs: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Who wants it; `background` unless given, which never leads to a question. */
  readonly origin?: UseOrigin;
}

/**
 * One configured server, whichever revision and transport it speaks. The same object lives through any number of starts.
 * Calls reject with a PatchbayError, a JsonRpcError from the server, or the signal's reason.
 */
export interface Server {
  readonly label: string;
  /** Of what was launched last, see {@link TaskMemory.identify}: another server under the label is another one. */
  readonly identity: string;
  readonly state: ServerState;
  readonly session: SessionInfo | undefined;
  /** `false` while the running server leaves a ping without an answer. */
  readonly isAnswering: boolean;
  /** Somebody waits for a tool, a resource or a prompt. */
  readonly isInUse: boolean;
  readonly contents: Contents;
  /** True while `contents` is remembered rather than listed by the running server. */
  readonly isRemembered: boolean;
  /** When remembered `contents` were listed: milliseconds since the epoch; `undefined` where nothing is remembered. */
  readonly rememberedAt: number | undefined;
  /** What was seen last time, for lists that the running server has not given yet: names and descriptions only. */
  readonly lastSeen: Contents;
  /** A server that does not run reads nothing. */
  listState(kind: ContentKind): ListState;
  /** Reads one list again, as after a failure. Does nothing while the server does not run. */
  listAgain(kind: ContentKind): void;
  /** What could not be listed or used, one sentence each; the failures of lists among them. */
  readonly problems: readonly string[];
  readonly onDidChangeState: Event<ServerState>;
  readonly onDidChangeAnswering: Event<void>;
  readonly onDidChangeContents: Event<ContentKind>;
  readonly onDidUpdateResource: Event<{ readonly uri: string }>;
  /** Requests go out for another account, or with other scopes: whatever was read before may be something else now. */
  readonly onDidForgetReads: Event<void>;
  readonly onDidLog: Event<LoggingMessage>;
  /** Tool calls the server goes on with by itself, and those of them that are over and that nobody waited for. */
  readonly tasks: readonly ServerTask[];
  /** A task is new, has changed or is gone. */
  readonly onDidChangeTasks: Event<ServerTask>;

  /**
   * Resolves when running and listed: each list has been read, or has failed within the limits of its requests, which
   * {@link listState} tells. Several calls share one start; aborting one of them stops only its waiting.
   * @param until the only list that is waited for
   */
  start(signal?: AbortSignal, until?: ContentKind): Promise<void>;
  /** Resolves when nothing of the server is left; never rejects. */
  stop(): Promise<void>;
  restart(signal?: AbortSignal): Promise<void>;
  /**
   * Has asked whatever a use would ask, so that a person is not asked after filling in a form. The use itself is checked
   * again.
   * @throws {PatchbayError} `declined`; cancellation
   */
  admit(kind: DefinedKind, key: string, options?: CallOptions): Promise<void>;
  /**
   * Checks the arguments, asks where that is due, calls, checks the result, records: see {@link ToolCalls}.
   * @throws {PatchbayError} `invalidArguments`, `declined`; {@link InvalidResultError}, which has the result
   */
  callTool(name: string, args?: object, options?: ToolCallOptions): Promise<CallToolResult>;
  /**
   * Ends a task, and the call that waits for it.
   * @throws {PatchbayError} `notRunning`, `capabilityMissing`
   */
  cancelTask(id: string): Promise<void>;
  /**
   * Waits for the result of a task, and checks it as that of its call.
   * @param onNote gets sentences about what could not be checked
   * @throws {InvalidResultError} which has the result
   */
  taskResult(id: string, onNote?: (note: string) => void): Promise<CallToolResult>;
  /** Takes a task off the list; one that is still open is left to itself. */
  forgetTask(id: string): void;
  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult>;
  /**
   * Reads a file of a skill, SKILL.md or another, and holds it against the skill's entry. Listed or not, a skill is
   * identified by the URI of its SKILL.md.
   */
  readSkillFile(skillUri: string, fileUri: string, options?: CallOptions): Promise<VerifiedSkillFile>;
  getPrompt(name: string, args?: Readonly<Record<string, string>>, options?: CallOptions): Promise<GetPromptResult>;
  /** @param context arguments already settled (since 2025-06-18); empty where the server has no completion. */
  complete(
    reference: CompletionReference,
    argument: CompletionArgument,
    context?: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<Completion>;
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  setLogLevel(level: LoggingLevel): Promise<void>;
  /** Forgets what a stopped server offered last, as nobody is signed in to it any more. */
  forgetContents(): void;
  /**
   * To be called when somebody looks at a list: lists it again in the background if it has grown old by what its server
   * says, and nothing would tell of changes (2026-07-28, "Caching").
   */
  refreshStale(owner: ListOwner): void;
  /** @returns the round trip in milliseconds */
  ping(signal?: AbortSignal): Promise<number>;
}
