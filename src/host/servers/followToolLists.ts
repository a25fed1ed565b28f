import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { HostServer, ServerRegistry } from './serverRegistry.ts';

/** A list that keeps changing is looked at once in this time. */
const intervalMs = 1_000;

export type FollowedServers = Pick<ServerRegistry, 'servers' | 'get' | 'onDidChangeAny' | 'onDidChangeServers'>;

/** @param isCurrent false once another list has taken the place of this one: the look ends */
export type LookAtTools = (hostServer: HostServer, tools: readonly Tool[], isCurrent: () => boolean) => Promise<void>;

/**
 * Looks at each list of tools of a running server, after it is shown; at an empty one once the server has stopped.
 * @param forget gets the labels of servers that are gone
 */
export function followToolLists(
  registry: FollowedServers,
  clock: Clock,
  look: LookAtTools,
  forget: (label: string) => void,
): Disposable {
  const store = new DisposableStore();
  const looked = new Map<string, readonly Tool[]>();
  let isDisposed = false;

  async function lookAt(label: string): Promise<void> {
    const hostServer = registry.get(label);
    const tools = toolsOf(hostServer);
    if (hostServer === undefined || looked.get(label) === tools) return;
    looked.set(label, tools);
    await look(hostServer, tools, () => !isDisposed && looked.get(label) === tools);
  }

  const looks = store.add(
    new Coalescer<string>(clock, intervalMs, (labels) => labels.forEach((label) => void lookAt(label))),
  );
  const request = ({ label, server }: HostServer): void => {
    if (looked.get(label) !== toolsOf({ server }) && (looked.has(label) || server.state.kind === 'running'))
      looks.request(label);
  };
  store.add(registry.onDidChangeAny(request));
  const forgetRemoved = (): void => {
    for (const label of looked.keys()) {
      if (registry.get(label) !== undefined) continue;
      looked.delete(label);
      forget(label);
    }
  };
  store.add(registry.onDidChangeServers(forgetRemoved));
  registry.servers.forEach(request);
  store.add({ dispose: () => (isDisposed = true) });
  return store;
}

const noTools: readonly Tool[] = [];

/** Of a server that does not run there is only what was kept: not its schemas. */
function toolsOf(hostServer: Pick<HostServer, 'server'> | undefined): readonly Tool[] {
  return hostServer?.server.state.kind === 'running' ? hostServer.server.contents.tools : noTools;
}
