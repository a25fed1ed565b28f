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

/** A connection and what it lists: they live and end together. */
export interface LiveServer extends Pick<
  Connection,
  'session' | 'authorizationContext' | 'heartbeat' | 'onDidEnd' | 'dispose'
> {
  readonly catalogue: Catalogue;
  /** How it came about. */
  readonly facts: Pick<SessionInfo, 'handshakeMs' | 'negotiation' | 'transport' | 'origin'>;
  readonly uses: ServerUses;
}

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
 * Connects, and begins to list everything the server has: its lists come one by one.
 * @throws {PatchbayError} what went wrong, with nothing left behind; or the signal's reason
 */
export async function openLiveServer(options: LiveServerOptions): Promise<LiveServer> {
  const { plan, eras, createTransport, clientInfo, gate, clock, random, logger, signal } = options;
  const { timeouts, revision } = options.options;
  const remembered = revision === undefined ? eras.load(plan) : undefined;
  // Events may come before there is a catalogue; listing it then sees what they were about.
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
