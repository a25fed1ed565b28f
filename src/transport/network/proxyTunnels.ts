import { Agent, type ClientRequest } from 'node:http';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord } from '../../base/json.ts';
import { passesProxy, type ProxyEvent } from './proxyWatch.ts';

/**
 * The tunnels to `https:` servers through the proxies that VS Code adds.
 *
 * VS Code gives each request an agent of its own, and the tunnel ends with the request (microsoft/vscode#228872). But it does
 * not replace an agent that it has made before. So the first of them with a tunnel is told to keep its connections, and later
 * requests get it. For each new connection that agent still asks VS Code for the proxy, its credentials and the certificates,
 * and as with every agent of Node, a connection serves only the host, port and TLS options that it was opened for.
 *
 * Connections for `http:` requests cannot be kept: VS Code's agent asks the proxy to close them (`Proxy-Connection: close`), and
 * tells it their whole URL only when it opens a connection.
 */
export class ProxyTunnels implements Disposable {
  readonly #idleMs: number;
  #agent: Agent | undefined;
  /** Agents of requests from before the last {@link reset} still follow the settings of that time. */
  #generation = 0;

  /** @param idleMs idle tunnels are closed after these milliseconds */
  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  /** The agent for the next `https:` request to another machine; `undefined` until a request has passed a proxy. */
  get agent(): Agent | undefined {
    return this.#agent;
  }

  /** Keeps the agent that VS Code has given to an `https:` request, if the request passes a proxy. */
  keepAgentOf(request: ClientRequest): void {
    if (this.#agent !== undefined) return;
    const generation = this.#generation;
    request.on('proxy', (event: ProxyEvent) => {
      if (this.#agent === undefined && generation === this.#generation && passesProxy(event)) this.#keep(request);
    });
  }

  /** Closes the tunnels, those in use after their request: the next request takes the proxy that VS Code names then. */
  reset(): void {
    this.#generation += 1;
    const agent = this.#agent;
    if (agent === undefined) return;
    this.#agent = undefined;
    Object.assign(agent, { keepAlive: false });
    for (const idle of Object.values(agent.freeSockets)) idle?.forEach((socket) => socket.destroy());
  }

  dispose(): void {
    const agent = this.#agent;
    this.reset();
    agent?.destroy();
  }

  /** Where VS Code's agents have another form one day, each request has its own tunnel again. */
  #keep(request: ClientRequest): void {
    const agent = 'agent' in request ? request.agent : undefined;
    if (!(agent instanceof Agent) || !('options' in agent) || !isRecord(agent.options)) return;
    // As the options of the constructor would.
    Object.assign(agent, { keepAlive: true });
    Object.assign(agent.options, { timeout: this.#idleMs });
    this.#agent = agent;
  }
}
