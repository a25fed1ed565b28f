/** What a client may declare, as far as this server uses it. */
export type ClientFeature = 'roots' | 'sampling' | 'elicitation form' | 'elicitation url';

/** The other side, as far as tools ask it for something. */
export interface DemoClient {
  /** Whether the client declared the capability in the handshake. */
  has(capability: ClientFeature): boolean;
  /** Rejects with the client's JsonRpcError, or with the signal's reason. */
  request(method: string, params: object, signal: AbortSignal): Promise<unknown>;
  notify(method: string, params: object): void;
}
