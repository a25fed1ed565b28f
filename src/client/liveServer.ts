import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { defaultTimeouts, type ServerOptions } from '../config/serverDefinition.ts';
import type { Implementation } from '../protocol/mcp/base.ts';
import type { ServerEventHandlers } from '../protocol/revisions/session.ts';
import type { Transport } from '../transport/transport.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
import { type Connection, openConnection } from './connection.ts';
import type { RequestGate } from './requestGate.ts';

/** A connection and what it lists: they live and end together. */
export interface LiveServer extends Omit<Connection, 'endedBy'> {
  readonly catalogue: Catalogue;
}

export interface LiveServerOptions extends Pick<ServerEventHandlers, 'resourceUpdated' | 'logged'> {
  readonly transport: Transport;
  readonly clientInfo: Implementation;
  readonly gate: RequestGate;
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Connects, then lists everything the server has.
 * @throws {PatchbayError} what went wrong, with nothing left behind; or the signal's reason
 */
export async function openLiveServer(options: LiveServerOptions): Promise<LiveServer> {
  const { transport, clientInfo, gate, clock, logger, signal } = options;
  const { timeouts, revision } = options.options;
  // Events may come before there is a catalogue; listing it then sees what they were about.
  const live: { catalogue?: Catalogue } = {};
  const connection = await openConnection({
    transport,
    setup: {
      clientInfo,
      capabilities: gate.capabilities,
      requests: gate.handlers,
      revision,
      isHttp: false,
      negotiated: () => {},
      clock,
      random: options.random,
      logger,
      events: {
        listChanged: (kind) => live.catalogue?.invalidate(kind),
        resourceUpdated: options.resourceUpdated,
        logged: options.logged,
      },
    },
    timeouts: { ...defaultTimeouts, ...timeouts },
    clock,
    logger,
    signal,
  });
  live.catalogue = createCatalogue(connection.session, clock);
  return list(connection, live.catalogue, signal);
}

async function list(connection: Connection, catalogue: Catalogue, signal: AbortSignal): Promise<LiveServer> {
  const dispose = async (): Promise<void> => {
    catalogue.dispose();
    await connection.dispose();
  };
  try {
    await catalogue.listAll(signal);
    if (connection.endedBy !== undefined) throw connection.endedBy;
    const { session, handshakeMs, onDidEnd } = connection;
    return { session, handshakeMs, onDidEnd, catalogue, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
