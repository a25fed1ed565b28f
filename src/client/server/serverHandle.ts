import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { isForModels } from '../../protocol/mcp/apps.ts';
import type { CompletionArgument, CompletionReference } from '../../protocol/mcp/completion.ts';
import type { LoggingLevel } from '../../protocol/mcp/logging.ts';
import type { GetPromptResult, Prompt } from '../../protocol/mcp/prompts.ts';
import type { ReadResourceResult, Resource, ResourceTemplate } from '../../protocol/mcp/resources.ts';
import type { Skill } from '../../protocol/mcp/skills.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';
import { contentKinds } from '../contents.ts';
import type { VerifiedSkillFile } from '../skills/readSkillFile.ts';
import type { ServerTask } from '../tasks/serverTask.ts';
import type { CallOptions } from '../useDispatcher.ts';
import type { Server, ServerState } from './server.ts';

/** One server as other programs see it: the headless counterpart of the extension's `ServerHandle`. */
export interface HeadlessServer {
  /** The key in the configuration. */
  readonly label: string;
  readonly state: ServerState['kind'];
  /** The negotiated revision while running. */
  readonly protocolVersion: string | undefined;
  /** A message for people about a failure: why the server does not run, or which lists could not be read and why. */
  readonly error: string | undefined;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
  readonly prompts: readonly Prompt[];
  /** Empty if the server does not declare the skills extension. */
  readonly skills: readonly Skill[];
  /** Tool calls that the server continues as tasks, also from before a restart, and ended tasks that no call waited for. */
  readonly tasks: readonly ServerTask[];
  /** State, contents or tasks changed. */
  readonly onDidChange: Event<void>;
  /**
   * Resolves when the server runs and each list has been read or has failed; `error` reports failed lists. Rejects with an
   * Error for people if it does not run.
   */
  start(signal?: AbortSignal): Promise<void>;
  /** Resolves when the process or connection has ended. */
  stop(): Promise<void>;
  /**
   * Calls a tool. Rejects with the code `invalidArguments` if the arguments do not match the tool's input schema (the
   * headless host sends them all the same, and logs it), `declined` if the call was not allowed, and `invalidResult` if the
   * tool has run but its result does not match its output schema: that error contains the `result`.
   */
  callTool(name: string, args?: object, options?: CallOptions): Promise<CallToolResult>;
  /** Cancels a task, and the call that waits for it. The server must be running. */
  cancelTask(id: string): Promise<void>;
  /** Waits for the result of a task; rejects with `invalidResult` like the call. */
  taskResult(id: string): Promise<CallToolResult>;
  readResource(uri: string, signal?: AbortSignal): Promise<ReadResourceResult>;
  /** Reads the SKILL.md of a skill and verifies it. The skill need not be listed. */
  readSkill(uri: string, signal?: AbortSignal): Promise<VerifiedSkillFile>;
  /** Reads a file of a skill and verifies it. */
  readSkillFile(skillUri: string, fileUri: string, signal?: AbortSignal): Promise<VerifiedSkillFile>;
  getPrompt(name: string, args?: Record<string, string>, signal?: AbortSignal): Promise<GetPromptResult>;
  /** @returns the values that the server offers; none if it does not support completion */
  complete(
    reference: CompletionReference,
    argument: CompletionArgument,
    context?: Record<string, string>,
  ): Promise<string[]>;
  /** Subscribes to one resource: `onDidUpdateResource` fires when it changes. */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  readonly onDidUpdateResource: Event<{ readonly uri: string }>;
  /** Requests log messages of that level and above. */
  setLogLevel(level: LoggingLevel): Promise<void>;
  /** @returns the round trip in milliseconds */
  ping(signal?: AbortSignal): Promise<number>;
}

/**
 * Creates a handle of `server`; dispose it to remove its listeners.
 * @param caller who uses the handle
 */
export function createServerHandle(server: Server, caller: 'extension' | 'program'): HeadlessServer & Disposable {
  const disposables = new DisposableStore();
  const onDidChange = disposables.add(new Emitter<void>());
  disposables.add(server.onDidChangeState(() => onDidChange.fire()));
  disposables.add(server.onDidChangeContents(() => onDidChange.fire()));
  disposables.add(server.onDidChangeTasks(() => onDidChange.fire()));
  return {
    label: server.label,
    get state() {
      return server.state.kind;
    },
    get protocolVersion() {
      return server.session?.protocolVersion;
    },
    get error() {
      const { state } = server;
      if (state.kind === 'failed' || state.kind === 'waiting') return state.error.message;
      const failures = contentKinds.flatMap((kind) => server.listState(kind).failure ?? []);
      return failures.length === 0 ? undefined : failures.join('\n');
    },
    get tools() {
      const { tools } = server.contents;
      // Another extension may give them to a model (SEP-1865, "Visibility").
      return caller === 'extension' ? tools.filter(isForModels) : tools;
    },
    get resources() {
      return server.contents.resources;
    },
    get resourceTemplates() {
      return server.contents.resourceTemplates;
    },
    get prompts() {
      return server.contents.prompts;
    },
    get skills() {
      return server.contents.skills;
    },
    get tasks() {
      return server.tasks;
    },
    onDidChange: onDidChange.event,
    onDidUpdateResource: server.onDidUpdateResource,
    start: (signal) => server.start(signal),
    stop: () => server.stop(),
    callTool: (name, args, { signal, onProgress } = {}) =>
      server.callTool(name, args, { caller, ...(signal && { signal }), ...(onProgress && { onProgress }) }),
    cancelTask: (id) => server.cancelTask(id),
    taskResult: (id) => server.taskResult(id),
    readResource: (uri, signal) => server.readResource(uri, asExtension(signal)),
    readSkill: (uri, signal) => server.readSkillFile(uri, uri, asExtension(signal)),
    readSkillFile: (skillUri, fileUri, signal) => server.readSkillFile(skillUri, fileUri, asExtension(signal)),
    getPrompt: (name, args, signal) => server.getPrompt(name, args, asExtension(signal)),
    complete: async (reference, argument, context) => [...(await server.complete(reference, argument, context)).values],
    subscribe: (uri) => server.subscribe(uri),
    unsubscribe: (uri) => server.unsubscribe(uri),
    setLogLevel: (level) => server.setLogLevel(level),
    ping: (signal) => server.ping(signal),
    dispose: () => disposables.dispose(),
  };
}

/** Options for a use by another program, not by a person. */
function asExtension(signal: AbortSignal | undefined): CallOptions {
  const origin = 'extension';
  return signal === undefined ? { origin } : { origin, signal };
}
