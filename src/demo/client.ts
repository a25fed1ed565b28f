/** The other side, as far as tools ask it for something. */
export interface DemoClient {
  /** Whether the client declared the capability in the handshake. */
  has(capability: 'roots' | 'sampling'): boolean;
  /** Rejects with the client's JsonRpcError, or with the signal's reason. */
  request(method: string, params: object, signal: AbortSignal): Promise<unknown>;
}
