import type { UnknownRecord } from '../../../base/json.ts';
import type { Peer, RequestOptions } from '../../peer.ts';
import type { ProtocolSession, SessionSetup } from '../session.ts';
import type { Discovered } from './discovered.ts';
import { createEnvelope, createHints } from './envelope.ts';

/** Speaks 2026-07-28: every request stands for itself, and the server sends none. */
export function createStatelessSession(peer: Peer, setup: SessionSetup, discovered: Discovered): ProtocolSession {
  const envelope = createEnvelope(setup, discovered.revision);
  peer.refuseRequests();

  function request(method: string, params?: UnknownRecord, options?: RequestOptions): Promise<unknown> {
    const meta = { ...(params?.['_meta'] as UnknownRecord | undefined), ...envelope };
    return peer.request(
      method,
      { ...params, _meta: meta },
      { ...options, hints: createHints(discovered.revision, method) },
    );
  }

  return {
    ...discovered,
    request,
    subscribe: () => Promise.resolve(),
    unsubscribe: () => Promise.resolve(),
    setLogLevel: () => Promise.resolve(),
    notifyRootsChanged: () => Promise.resolve(),
    admitTool: () => undefined,
    ping: async (signal) => void (await request('server/discover', undefined, signal && { signal })),
  };
}
