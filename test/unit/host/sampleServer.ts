import type { Disposable } from '../../../src/base/disposable.ts';
import { type ContentKind, type Contents, emptyContents, type ListState } from '../../../src/client/contents.ts';
import type { ServerState } from '../../../src/client/server/server.ts';
import type { ServerTask } from '../../../src/client/tasks/serverTask.ts';
import type { ConfiguredServer } from '../../../src/config/configuredServer.ts';
import type { HostServer, ServerRegistry } from '../../../src/host/servers/serverRegistry.ts';

export interface Sample {
  readonly state?: ServerState;
  readonly contents?: Partial<Contents>;
  readonly isRemembered?: boolean;
  readonly lastSeen?: Partial<Contents>;
  readonly lists?: Partial<Record<ContentKind, Partial<ListState>>>;
  readonly rememberedAt?: number;
  readonly isResponsive?: boolean;
  readonly isStale?: boolean;
  readonly isTraced?: boolean;
  readonly isAsking?: boolean;
  readonly isMuted?: boolean;
  readonly lookAlike?: string;
  readonly missingSignIn?: HostServer['missingSignIn'];
  readonly authorization?: HostServer['authorization'];
  readonly problems?: readonly string[];
  readonly tasks?: readonly ServerTask[];
  readonly configured?: Partial<ConfiguredServer>;
  readonly identity?: string;
  readonly session?: HostServer['server']['session'];
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
  const server = {
    label,
    identity: sample.identity ?? label,
    state: sample.state ?? { kind: 'stopped' },
    session: sample.session,
    contents: { ...emptyContents, ...sample.contents },
    isResponsive: sample.isResponsive ?? true,
    isRemembered: sample.isRemembered ?? false,
    rememberedAt: sample.rememberedAt,
    lastSeen: { ...emptyContents, ...sample.lastSeen },
    listState: (kind: ContentKind) => ({ isLoading: false, failure: undefined, ...sample.lists?.[kind] }),
    problems: sample.problems ?? [],
    tasks: sample.tasks ?? [],
  };
  const configured: ConfiguredServer = {
    label,
    definition: { command: 'node', args: ['server.js'] },
    options: {},
    source: { kind: 'vscode', uri: 'file:///w/.vscode/mcp.json', folder: undefined, title: '.vscode/mcp.json' },
    range: undefined,
    shadows: [],
    ...sample.configured,
  };
  const { isStale = false, isTraced = false, isAsking = false, isMuted = false } = sample;
  const { missingSignIn, authorization, lookAlike } = sample;
  const flags = { isStale, isTraced, isAsking, isMuted, missingSignIn, authorization, lookAlike };
  const forbidden = (): Promise<void> => Promise.reject(new Error('Presentation must not start servers.'));
  const actions = { start: forbidden, restart: forbidden };
  return { label, configured, server, ...flags, ...actions } as unknown as HostServer;
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
