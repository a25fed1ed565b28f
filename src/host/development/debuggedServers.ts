import type { ConfiguredServer } from '../../config/configuredServer.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ServerPorts } from '../../client/server/server.ts';
import type { StdioLaunchPlan } from '../../base/launchPlan.ts';
import type { Transport } from '../../transport/transport.ts';

type CreateTransport = ServerPorts['createTransport'];

/** Makes the transport of a server that runs under a debugger. */
export type CreateDebugged = (
  plan: StdioLaunchPlan,
  create: (plan: StdioLaunchPlan) => Promise<Transport>,
) => Promise<Transport>;

/** Which servers the person debugs, by label. Loaded at once, and small: each start asks it. */
export class DebuggedServers {
  readonly #labels = new Set<string>();
  readonly #onDidChange = new Emitter<string>();
  readonly #create: () => Promise<CreateDebugged>;
  #rule: ((server: ConfiguredServer) => boolean) | undefined;

  /** Fires with the label. */
  readonly onDidChange: Event<string> = this.#onDidChange.event;

  /** @param create loaded with the first server that is debugged */
  constructor(create: () => Promise<CreateDebugged>) {
    this.#create = create;
  }

  /** Whether *Debug MCP Server* is offered; of none before {@link offerFor}. */
  isDebuggable(server: ConfiguredServer): boolean {
    return this.#rule?.(server) ?? false;
  }

  /** Begins to offer the command. @param labels whose rows are drawn again */
  offerFor(rule: (server: ConfiguredServer) => boolean, labels: readonly string[]): void {
    this.#rule = rule;
    for (const label of labels) this.#onDidChange.fire(label);
  }

  isDebugged(label: string): boolean {
    return this.#labels.has(label);
  }

  /** From its next start on, and over each restart, a server runs under its debugger, or no longer. */
  switch(label: string, isOn: boolean): void {
    if (this.#labels.has(label) === isOn) return;
    if (isOn) this.#labels.add(label);
    else this.#labels.delete(label);
    this.#onDidChange.fire(label);
  }

  /** Starts the servers that are debugged with their debugger. Their plan stays what it is: who they are and what is allowed depends on it. */
  follow(create: CreateTransport): CreateTransport {
    return async (plan, limits) => {
      if (plan.kind !== 'stdio' || !this.#labels.has(plan.label ?? '')) return create(plan, limits);
      return (await this.#create())(plan, (varied) => create(varied, limits));
    };
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }
}
