import type { Clock } from '../../base/clock.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { listLimits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { defaultTimeouts, type ServerOptions } from '../../config/serverDefinition.ts';
import type { Implementation } from '../../protocol/mcp/base.ts';
import type { ServerEventHandlers } from '../../protocol/session/session.ts';
import type { Transport } from '../../transport/transport.ts';
import { type Catalogue, createCatalogue } from '../lists/catalogue.ts';
import { rememberedStrategyOf } from '../connection/connectionStrategy.ts';
import { type Connection, type ConnectionOptions, openConnection } from '../connection/connection.ts';
import type { StrategyMemory } from '../connection/strategyMemory.ts';
import type { ClientFeatures } from '../serverRequests/serverRequestHandlers.ts';
import type { SessionInfo } from './server.ts';
import { type ClientRequests, clientRequests } from './clientRequests.ts';

export { createSubscriptions as createStandingRequests } from './subscriptions.ts';

/** An open connection, the lists of its server, and the requests it can be sent. */
export interface RunningServer extends Pick<
  Connection,
  'session' | 'authorizationContext' | 'heartbeat' | 'onDidEnd' | 'dispose'
> {
  readonly catalogue: Catalogue;
  /** How the connection was made. */
  readonly connectionInfo: Pick<SessionInfo, 'handshakeMs' | 'negotiation' | 'transport' | 'origin'>;
  readonly requests: ClientRequests;
}

/** What {@link openRunningServer} needs. */
export interface RunningServerOptions extends Pick<ServerEventHandlers, 'resourceUpdated' | 'logged' | 'taskChanged'> {
  readonly plan: LaunchPlan;
  readonly strategies: StrategyMemory;
  readonly createTransport: (plan: LaunchPlan) => Promise<Transport>;
  readonly trace: ConnectionOptions['trace'];
  readonly liveness: NonNullable<ConnectionOptions['liveness']>;
  readonly clientInfo: Implementation;
  readonly clientFeatures: ClientFeatures;
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
export async function openRunningServer(options: RunningServerOptions): Promise<RunningServer> {
  const { plan, strategies, createTransport, clientInfo, clientFeatures, clock, random, logger, signal } = options;
  const { timeouts, revision } = options.options;
  const remembered = revision === undefined ? strategies.load(plan) : undefined;
  // Events that arrive before the catalogue exists need no action: the first listing includes their changes.
  const live: { catalogue?: Catalogue } = {};
  const connection = await openConnection({
    plan,
    remembered,
    createTransport,
    setup: {
      clientInfo,
      capabilities: clientFeatures.capabilities,
      requests: clientFeatures.handlers,
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
  const verdict = rememberedStrategyOf(connection.strategy, connection.era);
  if (revision === undefined && connection.isEraCertain) strategies.save(plan, verdict);
  const negotiation = revision !== undefined ? 'pinned' : remembered === verdict ? 'remembered' : 'probed';
  const { session, handshakeMs, authorizationContext, heartbeat, onDidEnd, strategy } = connection;
  const catalogue = createCatalogue({ session, clock, logger, limits: listLimits(options.options.limits) });
  live.catalogue = catalogue;
  authorizationContext?.onDidChange((change) => catalogue.authorizationChanged(change));
  catalogue.listAll();
  return {
    session,
    authorizationContext,
    heartbeat,
    onDidEnd,
    catalogue,
    connectionInfo: {
      handshakeMs,
      negotiation,
      transport: strategy.plan.kind,
      origin: strategy.plan.kind === 'stdio' ? undefined : strategy.plan.url.origin,
    },
    requests: clientRequests,
    async dispose() {
      catalogue.dispose();
      await connection.dispose();
    },
  };
}
