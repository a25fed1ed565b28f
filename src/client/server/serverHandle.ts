import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { isForModels } from '../../protocol/mcp/apps.ts';
import type { CompletionArgument, CompletionReference } from '../../protocol/mcp/completion.ts';
import type { LoggingLevel } from '../../protocol/mcp/logging.ts';
import { contentKinds } from '../contents.ts';
import type { CallOptions } from '../useDispatcher.ts';
import type { Server } from './managedServer.ts';

/** One server as other programs see it: the headless counterpart of the extension's `ServerHandle`. */
export type HeadlessServer = Omit<ReturnType<typeof createServerHandle>, 'dispose'>;

/**
 * Creates a handle of `server`; dispose it to remove its listeners.
 * @param caller who uses the handle
 */
export function createServerHandle(server: Server, caller: 'extension' | 'program') {
  const disposables = new DisposableStore();
  const onDidChange = disposables.add(new Emitter<void>());
  for (const event of [server.onDidChangeState, server.onDidChangeContents, server.onDidChangeTasks])
    disposables.add(event(() => onDidChange.fire()));
  return {
    label: server.label,
    get state() {
      return server.state.kind;
    },
    /** The negotiated revision while running. */
    get protocolVersion() {
      return server.session?.protocolVersion;
    },
    /** A message for people about a failure: why the server does not run, or which lists could not be read and why. */
    get error() {
      const { state } = server;
      if ('error' in state) return state.error.message;
      return contentKinds.flatMap((kind) => server.listState(kind).failure ?? []).join('\n') || undefined;
    },
    get tools() {
      // Another extension may give them to a model (SEP-1865, "Visibility").
      return caller === 'extension' ? server.contents.tools.filter(isForModels) : server.contents.tools;
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
    /** Empty if the server does not declare the skills extension. */
    get skills() {
      return server.contents.skills;
    },
    /** Tool calls that the server continues as tasks, also from before a restart, and ended tasks that no call waited for. */
    get tasks() {
      return server.tasks;
    },
    /** State, contents or tasks changed. */
    onDidChange: onDidChange.event,
    onDidUpdateResource: server.onDidUpdateResource,
    /**
     * Resolves when the server runs and each list has been read or has failed; `error` reports failed lists. Rejects with an
     * Error for people if it does not run.
     */
    start: (signal?: AbortSignal) => server.start(signal),
    /** Resolves when the process or connection has ended. */
    stop: () => server.stop(),
    /**
     * Calls a tool; a `bigint` among the arguments is sent as an integer. Rejects with the code `invalidArguments` if JSON cannot
     * hold the arguments, or they do not match the tool's input schema (the headless host sends such all the same, and logs it),
     * `declined` if the call was not allowed, and `invalidResult` if the tool has run but its result does not match its output
     * schema: that error contains the `result`.
     */
    callTool: (name: string, args?: object, { signal, onProgress }: CallOptions = {}) =>
      server.callTool(name, args, { caller, ...(signal && { signal }), ...(onProgress && { onProgress }) }),
    /** Cancels a task, and the call that waits for it. The server must be running. */
    cancelTask: (id: string) => server.cancelTask(id),
    /** Waits for the result of a task; rejects with `invalidResult` like the call. */
    taskResult: (id: string) => server.taskResult(id),
    readResource: (uri: string, signal?: AbortSignal) => server.readResource(uri, asExtension(signal)),
    /** Reads the SKILL.md of a skill and verifies it. The skill need not be listed. */
    readSkill: (uri: string, signal?: AbortSignal) => server.readSkillFile(uri, uri, asExtension(signal)),
    readSkillFile: (skillUri: string, fileUri: string, signal?: AbortSignal) =>
      server.readSkillFile(skillUri, fileUri, asExtension(signal)),
    getPrompt: (name: string, args?: Record<string, string>, signal?: AbortSignal) =>
      server.getPrompt(name, args, asExtension(signal)),
    /** @returns the values that the server offers; none if it does not support completion */
    async complete(reference: CompletionReference, argument: CompletionArgument, context?: Record<string, string>) {
      return [...(await server.complete(reference, argument, context)).values];
    },
    /** Subscribes to one resource: `onDidUpdateResource` fires when it changes. */
    subscribe: (uri: string) => server.subscribe(uri),
    unsubscribe: (uri: string) => server.unsubscribe(uri),
    /** Requests log messages of that level and above. */
    setLogLevel: (level: LoggingLevel) => server.setLogLevel(level),
    /** @returns the round trip in milliseconds */
    ping: (signal?: AbortSignal) => server.ping(signal),
    dispose: () => disposables.dispose(),
  };
}

/** Options for a use by another program, not by a person. */
function asExtension(signal: AbortSignal | undefined): CallOptions {
  return { origin: 'extension', ...(signal && { signal }) };
}
