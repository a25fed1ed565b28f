import { type CancellationToken, type Event as EditorEvent, Uri } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import { createServerHandle, type HeadlessServer } from '../client/server/serverHandle.ts';
import type { VerifiedSkillFile } from '../client/skills/readSkillFile.ts';
import type { CompletionArgument, PromptReference, ResourceTemplateReference } from '../protocol/mcp/completion.ts';
import type { Progress } from '../protocol/progress.ts';
import type { GetPromptResult } from '../protocol/mcp/prompts.ts';
import type { ReadResourceResult } from '../protocol/mcp/resources.ts';
import type { CallToolResult } from '../protocol/mcp/tools.ts';
import { abortOn } from './platform/cancellation.ts';
import type { HostServer, ServerRegistry } from './servers/serverRegistry.ts';

/** What `activate()` returns, for other extensions. Versioned by `apiVersion`; trust and consent hold as for a person. */
export interface PatchbayApi {
  readonly apiVersion: 1;
  readonly servers: readonly ServerHandle[];
  readonly onDidChangeServers: EditorEvent<void>;
  getServer(label: string): ServerHandle | undefined;
}

type SharedMembers =
  | 'label'
  | 'state'
  | 'protocolVersion'
  | 'error'
  | 'tools'
  | 'resources'
  | 'resourceTemplates'
  | 'prompts'
  | 'skills'
  | 'tasks'
  | 'cancelTask'
  | 'taskResult'
  | 'stop';

export interface ServerHandle extends Pick<HeadlessServer, SharedMembers> {
  /** The file that defines it; absent for the user setting and the demo server. */
  readonly origin: Uri | undefined;
  readonly onDidChange: EditorEvent<void>;
  /**
   * Resolves when running and listed; rejects with a clear Error where it does not run. A list that fails, or does not come
   * within the limit of its request, is in `error`.
   */
  start(token?: CancellationToken): Promise<void>;
  /**
   * Asks the person first. Rejects with an error whose `code` is `declined` for a no, `invalidArguments` where they do not
   * fit the tool's input schema, and `invalidResult` where the tool has run, but its result breaks its own output schema:
   * such an error has the `result`.
   */
  callTool(name: string, args?: object, options?: CallToolOptions): Promise<CallToolResult>;
  readResource(uri: string, token?: CancellationToken): Promise<ReadResourceResult>;
  /** Reads the SKILL.md of a skill, listed or not, and holds it against the skill's entry. */
  readSkill(uri: string, token?: CancellationToken): Promise<VerifiedSkillFile>;
  readSkillFile(skillUri: string, fileUri: string, token?: CancellationToken): Promise<VerifiedSkillFile>;
  getPrompt(name: string, args?: Record<string, string>, token?: CancellationToken): Promise<GetPromptResult>;
  complete(
    reference: PromptReference | ResourceTemplateReference,
    argument: CompletionArgument,
    context?: Record<string, string>,
  ): Promise<string[]>;
}

/** How a tool is called through the API: a token that cancels the call, and a listener for its progress. */
export interface CallToolOptions {
  readonly token?: CancellationToken;
  readonly onProgress?: (progress: Progress) => void;
}

/** Shows the registry as the public API. Handles keep their identity for as long as their server is configured. */
export function createApi(registry: ServerRegistry): PatchbayApi & Disposable {
  const disposables = new DisposableStore();
  const handles = new Map<HostServer['server'], ServerHandle & Disposable>();

  function handleOf(host: HostServer): ServerHandle {
    const known = handles.get(host.server);
    if (known !== undefined) return known;
    const handle = createHandle(registry, host);
    handles.set(host.server, handle);
    return handle;
  }

  disposables.add(
    registry.onDidChangeServers(() => {
      const current = new Set(registry.servers.map(({ server }) => server));
      for (const [server, handle] of handles) {
        if (current.has(server)) continue;
        handles.delete(server);
        handle.dispose();
      }
    }),
  );
  return {
    apiVersion: 1,
    get servers() {
      return registry.servers.map(handleOf);
    },
    onDidChangeServers: editorEvent(registry.onDidChangeServers),
    getServer(label) {
      const host = registry.get(label);
      return host && handleOf(host);
    },
    dispose() {
      disposables.dispose();
      for (const handle of handles.values()) handle.dispose();
      handles.clear();
    },
  };
}

function createHandle(registry: ServerRegistry, host: HostServer): ServerHandle & Disposable {
  const handle = createServerHandle(host.server, 'extension');
  const current = (): HostServer => registry.get(host.label) ?? host;
  const own: Omit<ServerHandle, SharedMembers | 'complete'> = {
    onDidChange: editorEvent(handle.onDidChange),
    get origin() {
      return originOf(current());
    },
    start: (token) => withToken(token, async (signal) => current().start('extension', signal)),
    callTool: (name, args, { token, onProgress } = {}) =>
      withToken(token, (signal) =>
        handle.callTool(name, args, { ...(signal && { signal }), ...(onProgress && { onProgress }) }),
      ),
    readResource: (uri, token) => withToken(token, (signal) => handle.readResource(uri, signal)),
    readSkill: (uri, token) => withToken(token, (signal) => handle.readSkill(uri, signal)),
    readSkillFile: (skill, file, token) => withToken(token, (signal) => handle.readSkillFile(skill, file, signal)),
    getPrompt: (name, args, token) => withToken(token, (signal) => handle.getPrompt(name, args, signal)),
  };
  // Getters stay live: copying the members one by one would freeze them.
  return Object.create(handle, Object.getOwnPropertyDescriptors(own)) as ServerHandle & Disposable;
}

function originOf(host: HostServer): Uri | undefined {
  const { uri } = host.configured.source;
  return uri === undefined ? undefined : Uri.parse(uri);
}

/** With the two further parameters that an event has in VS Code's API. */
function editorEvent<T>(event: Event<T>): EditorEvent<T> {
  return (listener, thisArgs, disposables) => {
    const subscription = event((value) => void listener.call(thisArgs, value));
    disposables?.push(subscription);
    return subscription;
  };
}

async function withToken<T>(
  token: CancellationToken | undefined,
  run: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (token === undefined) return run(undefined);
  const abort = abortOn(token);
  try {
    return await run(abort.signal);
  } finally {
    abort.dispose();
  }
}
