/** A client capability that the demo server uses. */
export type ClientFeature = 'roots' | 'sampling' | 'elicitation form' | 'elicitation url';

/** The client, as tools use it. */
export interface DemoClient {
  /** Whether the client declared the capability in `initialize`. */
  has(capability: ClientFeature): boolean;
  /** Sends a request. Rejects with the client's JsonRpcError, or with the signal's reason. */
  request(method: string, params: object, signal: AbortSignal): Promise<unknown>;
  notify(method: string, params: object): void;
}
