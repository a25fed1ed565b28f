import { isPatchbayError } from '../base/errors.ts';
import type { ManagedServer } from '../client/server/managedServer.ts';
import { exitCodes } from './exitCodes.ts';
import type { Output } from './output.ts';
import type { ServerHost } from './serverHost.ts';
import type { Target } from './targets.ts';

/** Starts a server, or says why it does not start. @returns the running server, or the exit code */
export async function startServer(
  host: ServerHost,
  { label }: Target,
  { note }: Output,
  signal: AbortSignal,
): Promise<ManagedServer | number> {
  const server = host.servers.get(label);
  if (server === undefined) return exitCodes.internal;
  try {
    await server.start(signal);
    return server;
  } catch (error) {
    if (signal.aborted) throw error;
    note(host.describe(error));
    return isPatchbayError(error, 'configuration') ? exitCodes.usage : exitCodes.unreachable;
  }
}
