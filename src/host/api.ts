import { type CancellationToken, type Event as EditorEvent, Uri } from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import { createServerHandle } from '../client/server/serverHandle.ts';
import type { Progress } from '../protocol/progress.ts';
import { withToken } from './platform/cancellation.ts';
import type { HostServer, ServerRegistry } from './servers/serverRegistry.ts';

/** What `activate()` returns, for other extensions. Versioned by `apiVersion`; trust and consent hold as for a person. */
export interface PatchbayApi {
  readonly apiVersion: 1;
  readonly servers: readonly ServerHandle[];
  readonly onDidChangeServers: EditorEvent<void>;
  getServer(label: string): ServerHandle | undefined;
}

export type ServerHandle = ReturnType<typeof createHandle>;

/** How a tool is called through the API: a token that cancels the call, and a listener for its progress. */
export interface CallToolOptions {
  readonly token?: CancellationToken;
  readonly onProgress?: (progress: Progress) => void;
}

/** Shows the registry as the public API. Handles keep their identity for as long as their server is configured. */
export function createApi(registry: ServerRegistry): PatchbayApi & Disposable {
  const handles = new Map<HostServer['server'], ServerHandle & Disposable>();

  function handleOf(host: HostServer): ServerHandle {
    const known = handles.get(host.server);
    if (known !== undefined) return known;
    const handle = createHandle(registry, host);
    handles.set(host.server, handle);
    return handle;
  }

  const subscription = registry.onDidChangeServers(() => {
    const current = new Set(registry.servers.map(({ server }) => server));
    for (const [server, handle] of handles) {
      if (current.has(server)) continue;
      handles.delete(server);
      handle.dispose();
    }
  });
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
      subscription.dispose();
      for (const handle of handles.values()) handle.dispose();
      handles.clear();
    },
  };
}

function createHandle(registry: ServerRegistry, host: HostServer) {
  const handle = createServerHandle(host.server, 'extension');
  const current = (): HostServer => registry.get(host.label) ?? host;
  const own = {
    onDidChange: editorEvent(handle.onDidChange),
    /** The file that defines it; absent for the user setting and the demo server. */
    get origin() {
      const { uri } = current().configured.source;
      return uri === undefined ? undefined : Uri.parse(uri);
    },
    /**
     * Resolves when running and listed; rejects with a clear Error where it does not run. A list that fails, or does not come
     * within the limit of its request, is in `error`.
     */
    start: (token?: CancellationToken) => withMaybe(token, async (signal) => current().start('extension', signal)),
    /**
     * Asks the person first. Rejects with an error whose `code` is `declined` for a no, `invalidArguments` where they do not
     * fit the tool's input schema, and `invalidResult` where the tool has run, but its result breaks its own output schema:
     * such an error has the `result`.
     */
    callTool: (name: string, args?: object, { token, onProgress }: CallToolOptions = {}) =>
      withMaybe(token, (signal) =>
        handle.callTool(name, args, { ...(signal && { signal }), ...(onProgress && { onProgress }) }),
      ),
    readResource: (uri: string, token?: CancellationToken) =>
      withMaybe(token, (signal) => handle.readResource(uri, signal)),
    /** Reads the SKILL.md of a skill, listed or not, and holds it against the skill's entry. */
    readSkill: (uri: string, token?: CancellationToken) => withMaybe(token, (signal) => handle.readSkill(uri, signal)),
    readSkillFile: (skillUri: string, fileUri: string, token?: CancellationToken) =>
      withMaybe(token, (signal) => handle.readSkillFile(skillUri, fileUri, signal)),
    getPrompt: (name: string, args?: Record<string, string>, token?: CancellationToken) =>
      withMaybe(token, (signal) => handle.getPrompt(name, args, signal)),
  };
  // Getters stay live: copying the members one by one would freeze them.
  type Handle = typeof own & Omit<typeof handle, keyof typeof own>;
  return Object.create(handle, Object.getOwnPropertyDescriptors(own)) as Handle;
}

/** With the two further parameters that an event has in VS Code's API. */
function editorEvent<T>(event: Event<T>): EditorEvent<T> {
  return (listener, thisArgs, disposables) => {
    const subscription = event((value) => void listener.call(thisArgs, value));
    disposables?.push(subscription);
    return subscription;
  };
}

function withMaybe<T>(
  token: CancellationToken | undefined,
  run: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  return token === undefined ? run(undefined) : withToken(token, run);
}
