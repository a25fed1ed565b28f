import type { Clock } from '../base/clock.ts';
import type { LaunchPlan } from '../base/launchPlan.ts';
import { listLimits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import { defaultTimeouts, type ServerOptions } from '../config/serverDefinition.ts';
import type { Implementation } from '../protocol/mcp/base.ts';
import type { ServerEventHandlers } from '../protocol/revisions/session.ts';
import type { Transport } from '../transport/transport.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
import { verdictOf } from './approach.ts';
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts';
import type { EraMemory } from './eraMemory.ts';
import type { RequestGate } from './requestGate.ts';
import type { SessionInfo } from './server.ts';
import { type ServerUses, serverUses } from './serverUses.ts';

export { createStandingRequests } from './standingRequests.ts';

/** An open connection, the lists of its server, and the requests it can be sent. */
export interface LiveServer extends Pick<
  Connection,
  'session' | 'authorizationContext' | 'heartbeat' | 'onDidEnd' | 'dispose'
> {
  readonly catalogue: Catalogue;
  /** How the connection was made. */
  readonly facts: Pick<SessionInfo, 'handshakeMs' | 'negotiation' | 'transport' | 'origin'>;
  readonly uses: ServerUses;
}

/** What {@link openLiveServer} needs. */
export interface LiveServerOptions extends Pick<ServerEventHandlers, 'resourceUpdated' | 'logged' | 'taskChanged'> {
  readonly plan: LaunchPlan;
  readonly eras: EraMemory;
  readonly createTransport: (plan: LaunchPlan) => Promise<Transport>;
  readonly trace: ConnectionOptions['trace'];
  readonly liveness: NonNullable<ConnectionOptions['liveness']>;
  readonly clientInfo: Implementation;
  readonly gate: RequestGate;
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Connects, and starts to read the lists of the server; they are complete one by one.
 * @throws {PatchbayError} why it failed, after everything was released; or the signal's reason
 */
export async function openLiveServer(options: LiveServerOptions): Promise<LiveServer> {
  const { plan, eras, createTransport, clientInfo, gate, clock, random, logger, signal } = options;
  const { timeouts, revision } = options.options;
  const remembered = revision === undefined ? eras.load(plan) : undefined;
  // Events that arrive before the catalogue exists need no action: the first listing includes their changes.
  const live: { catalogue?: Catalogue } = {};
  const connection = await openConnection({
    plan,
    remembered,
    createTransport,
    setup: {
      clientInfo,
      capabilities: gate.capabilities,
      requests: gate.handlers,
      revision,
      random,
      events: {
        listChanged: (kind) => live.catalogue?.invalidate(kind),
        resourceUpdated: options.resourceUpdated,
        logged: options.logged,
        taskChanged: options.taskChanged,
      },
    },
    timeouts: { ...defaultTimeouts, ...timeouts },
    liveness: options.liveness,
    clock,
    logger,
    trace: options.trace,
    signal,
  });
  const verdict = verdictOf(connection.approach, connection.era);
  if (revision === undefined && connection.isEraCertain) eras.save(plan, verdict);
  const negotiation = revision !== undefined ? 'pinned' : remembered === verdict ? 'remembered' : 'probed';
  const { session, handshakeMs, authorizationContext, heartbeat, onDidEnd, approach } = connection;
  const catalogue = createCatalogue({ session, clock, logger, limits: listLimits(options.options.limits) });
  live.catalogue = catalogue;
  authorizationContext?.onDidChange((change) => catalogue.enterContext(change));
  catalogue.listAll();
  return {
    session,
    authorizationContext,
    heartbeat,
    onDidEnd,
    catalogue,
    facts: {
      handshakeMs,
      negotiation,
      transport: approach.plan.kind,
      origin: approach.plan.kind === 'stdio' ? undefined : approach.plan.url.origin,
    },
    uses: serverUses,
    async dispose() {
      catalogue.dispose();
      await connection.dispose();
    },
  };
}
