import type { Disposable } from '../../../src/base/disposable.ts';
import { type ContentKind, type Contents, emptyContents, type ListState } from '../../../src/client/contents.ts';
import type { Server } from '../../../src/client/server/managedServer.ts';
import type { ServerState } from '../../../src/client/server/server.ts';
import type { ServerTask } from '../../../src/client/tasks/serverTask.ts';
import type { ConfiguredServer } from '../../../src/config/configuredServer.ts';
import type { HostServer, ServerRegistry } from '../../../src/host/servers/serverRegistry.ts';

type LiveMember =
  | 'state'
  | 'isRemembered'
  | 'rememberedAt'
  | 'isResponsive'
  | 'problems'
  | 'ignoredLines'
  | 'tasks'
  | 'identity'
  | 'session';
type Flag =
  | 'toolFaults'
  | 'isStale'
  | 'isDebugged'
  | 'isRecorded'
  | 'isDebuggable'
  | 'isAsking'
  | 'isMuted'
  | 'awaitsAnswer'
  | 'isDisabled'
  | 'lookAlike'
  | 'missingSignIn'
  | 'authorization';

export interface Sample extends Partial<Pick<Server, LiveMember>>, Partial<Pick<HostServer, Flag>> {
  readonly contents?: Partial<Contents>;
  readonly lastSeen?: Partial<Contents>;
  readonly lists?: Partial<Record<ContentKind, Partial<ListState>>>;
  readonly configured?: Partial<ConfiguredServer>;
}

export const running: ServerState = { kind: 'running' };

export const session: NonNullable<HostServer['server']['session']> = {
  protocolVersion: '2025-11-25',
  negotiation: 'probed',
  transport: 'stdio',
  server: { name: 'demo', version: '1.0' },
  capabilities: { logging: {} },
  instructions: undefined,
  handshakeMs: 42.4,
};

/** The parts of a server that views read. Uses such as calls are missing: views must not make any. */
export function sampleServer(label: string, sample: Sample = {}): HostServer {
  const { contents, lastSeen, lists, configured, ...own } = sample;
  const server = {
    label,
    identity: label,
    state: { kind: 'stopped' },
    isResponsive: true,
    isRemembered: false,
    problems: [],
    ignoredLines: 0,
    tasks: [],
    ...own,
    contents: { ...emptyContents, ...contents },
    lastSeen: { ...emptyContents, ...lastSeen },
    listState: (kind: ContentKind) => ({ isLoading: false, failure: undefined, ...lists?.[kind] }),
  };
  const asConfigured: ConfiguredServer = {
    label,
    definition: { command: 'node', args: ['server.js'] },
    options: {},
    source: { kind: 'vscode', uri: 'file:///w/.vscode/mcp.json', folder: undefined, title: '.vscode/mcp.json' },
    range: undefined,
    shadows: [],
    ...configured,
  };
  const flags = {
    toolFaults: new Map(),
    isStale: false,
    isDebugged: false,
    isRecorded: false,
    isDebuggable: true,
    isAsking: false,
    isMuted: false,
    awaitsAnswer: false,
    isDisabled: false,
    ...own,
  };
  const forbidden = (): Promise<void> => Promise.reject(new Error('Presentation must not start servers.'));
  return {
    ...flags,
    label,
    configured: asConfigured,
    server,
    start: forbidden,
    restart: forbidden,
  } as unknown as HostServer;
}

export function sampleTask(task: Partial<ServerTask> = {}): ServerTask {
  const working = { id: 't1', tool: 'add', since: 0, state: 'working', message: undefined } as const;
  return { ...working, hasResult: false, isAwaited: false, ...task };
}

/** Its events never fire. A test puts others in their place with `Object.assign`. */
export function sampleRegistry(...servers: readonly HostServer[]): ServerRegistry {
  const never = (): Disposable => ({ dispose: () => {} });
  const events = { onDidChangeServers: never, onDidChangeAny: never, onDidChangeState: never };
  const get = (label: string): HostServer | undefined => servers.find((server) => server.label === label);
  return { servers, get, ...events } as unknown as ServerRegistry;
}
