import type { AsyncDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { createManagedServer, type ManagedServer, type ManagedServerOptions } from './managedServer.ts';
import type { ServerPorts } from './serverPorts.ts';

/** What differs between servers: see {@link ManagedServerOptions}. */
export type ServerSpecification = Pick<ManagedServerOptions, 'label' | 'definition' | 'options' | 'plan'>;

/** Holds one {@link ManagedServer} for each configured label. */
export interface ClientManager extends AsyncDisposable {
  readonly servers: readonly ManagedServer[];
  get(label: string): ManagedServer | undefined;
  /**
   * Replaces the list of servers by `specifications`, in that order. A label that stays keeps its object and its process;
   * the server of a removed label is stopped.
   */
  configure(specifications: readonly ServerSpecification[]): void;
}

/**
 * Creates a manager without servers. Disposing it stops all of them, and resolves when the last one has ended.
 * @param createLogger creates the logger of one server
 */
export function createClientManager(ports: ServerPorts, createLogger: (label: string) => Logger): ClientManager {
  let servers = new Map<string, ManagedServer>();
  const stopping = new Set<Promise<void>>();

  function release(server: ManagedServer): void {
    const stopped = server.dispose().finally(() => stopping.delete(stopped));
    stopping.add(stopped);
  }

  return {
    get servers() {
      return [...servers.values()];
    },
    get: (label) => servers.get(label),
    configure(specifications) {
      const before = servers;
      servers = new Map(
        specifications.map((specification) => {
          const { label } = specification;
          return [
            label,
            before.get(label) ?? createManagedServer({ ...specification, ports, logger: createLogger(label) }),
          ];
        }),
      );
      for (const [label, server] of before) if (!servers.has(label)) release(server);
    },
    async dispose() {
      for (const server of servers.values()) release(server);
      servers = new Map();
      await Promise.all(stopping);
    },
  };
}
