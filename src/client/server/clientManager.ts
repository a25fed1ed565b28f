import type { AsyncDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { ManagedServer, type ManagedServerOptions } from './managedServer.ts';
import type { ServerPorts } from './serverPorts.ts';

/** Holds one {@link ManagedServer} for each configured label. Disposing it resolves when the last one has ended. */
export class ClientManager implements AsyncDisposable {
  readonly #ports: ServerPorts;
  readonly #createLogger: (label: string) => Logger;
  readonly #stopping = new Set<Promise<void>>();
  #servers = new Map<string, ManagedServer>();

  constructor(ports: ServerPorts, createLogger: (label: string) => Logger) {
    this.#ports = ports;
    this.#createLogger = createLogger;
  }

  get servers(): readonly ManagedServer[] {
    return [...this.#servers.values()];
  }

  get(label: string): ManagedServer | undefined {
    return this.#servers.get(label);
  }

  /**
   * Replaces the list of servers, in that order. A label that stays keeps its object and its process; the server of a
   * removed label is stopped.
   */
  configure(servers: readonly Omit<ManagedServerOptions, 'logger' | 'ports'>[]): void {
    const before = this.#servers;
    this.#servers = new Map(servers.map((server) => [server.label, before.get(server.label) ?? this.#create(server)]));
    for (const [label, server] of before) if (!this.#servers.has(label)) this.#release(server);
  }

  async dispose(): Promise<void> {
    for (const server of this.#servers.values()) this.#release(server);
    this.#servers = new Map();
    await Promise.all(this.#stopping);
  }

  #create(server: Omit<ManagedServerOptions, 'logger' | 'ports'>): ManagedServer {
    return new ManagedServer({ ...server, ports: this.#ports, logger: this.#createLogger(server.label) });
  }

  #release(server: ManagedServer): void {
    const stopped = server.dispose().finally(() => this.#stopping.delete(stopped));
    this.#stopping.add(stopped);
  }
}
