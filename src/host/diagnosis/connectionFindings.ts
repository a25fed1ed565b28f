import type { Clock } from '../../base/clock.ts';
import { isPatchbayError } from '../../base/errors.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { createNullLogger } from '../../base/logger.ts';
import { openConnection } from '../../client/connection/connection.ts';
import { defaultTimeouts, type ServerOptions } from '../../config/serverDefinition.ts';
import type { Implementation } from '../../protocol/mcp/base.ts';
import type { Transport, TransportLog } from '../../transport/transport.ts';
import { describeError, type Remedy } from '../platform/describeError.ts';
import type { Finding, FindingRemedy } from './diagnosis.ts';

export interface ConnectionProbe {
  readonly plan: LaunchPlan;
  readonly options: ServerOptions;
  readonly createTransport: (plan: LaunchPlan) => Promise<Transport>;
  readonly clientInfo: Implementation;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Lines that are kept of each kind. */
const maximumLines = 20;
const maximumLineLength = 300;

/**
 * Connects to the server once, in a process or session of its own, and disconnects after the handshake. Sends no requests
 * and declares no capabilities.
 * @throws the reason of the signal
 */
export async function diagnoseConnection(probe: ConnectionProbe, signal: AbortSignal): Promise<readonly Finding[]> {
  const { plan, options, createTransport, clientInfo, clock, random } = probe;
  const output: TransportLog[] = [];
  const startedAt = clock.now();
  let firstMessageMs: number | undefined;
  const createObservedTransport = async (wanted: LaunchPlan): Promise<Transport> => {
    const transport = await createTransport(wanted);
    transport.onLog((entry) => output.length < maximumLines * 3 && output.push(entry));
    transport.onMessage(() => {
      firstMessageMs ??= clock.now() - startedAt;
    });
    return transport;
  };
  try {
    const connection = await openConnection({
      plan,
      remembered: undefined,
      createTransport: createObservedTransport,
      setup: {
        clientInfo,
        capabilities: {},
        requests: {},
        revision: options.revision,
        random,
        events: { listChanged: () => {}, resourceUpdated: () => {}, logged: () => {}, taskChanged: () => {} },
      },
      timeouts: { ...defaultTimeouts, ...options.timeouts },
      clock,
      logger: createNullLogger(),
      trace: undefined,
      signal,
    });
    const { session, handshakeMs, strategy } = connection;
    await connection.dispose();
    const { name, version } = session.server;
    const offered = Object.keys(session.capabilities).join(', ') || 'nothing';
    return [
      ...outputFindings(plan, output, firstMessageMs),
      {
        title: 'Revision',
        outcome: 'fine',
        seen: [
          `${session.revision} over ${strategy.plan.kind}, agreed on in ${handshakeMs} ms`,
          `The server calls itself ${name} ${version} and offers ${offered}`,
        ],
      },
    ];
  } catch (error) {
    signal.throwIfAborted();
    return [...outputFindings(plan, output, firstMessageMs), failureFinding(plan, error)];
  }
}

function failureFinding(plan: LaunchPlan, error: unknown): Finding {
  const { message, remedies } = describeError(error);
  const isSpawn = isPatchbayError(error, 'spawnFailed', 'crashed');
  const title = isPatchbayError(error, 'needsSignIn')
    ? 'Sign-in'
    : isSpawn
      ? 'Process'
      : plan.kind === 'stdio'
        ? 'Handshake'
        : 'Answer';
  return { title, outcome: 'problem', seen: [message], remedies: remedies.flatMap(toRemedy) };
}

function toRemedy(remedy: Remedy): readonly FindingRemedy[] {
  switch (remedy) {
    case 'openConfiguration':
    case 'showLog':
    case 'signIn':
    case 'setIssuer':
      return [remedy];
    case 'manageTrust':
      return ['manageWorkspaceTrust'];
    default:
      return [];
  }
}

/** The output of the server before and besides its first message. */
function outputFindings(
  plan: LaunchPlan,
  output: readonly TransportLog[],
  firstMessageMs: number | undefined,
): readonly Finding[] {
  const linesOf = (source: TransportLog['source']): readonly string[] =>
    output
      .flatMap((entry) => (entry.source === source ? [entry.text.slice(0, maximumLineLength)] : []))
      .slice(0, maximumLines);
  const [noise, stderr, notes] = [linesOf('noise'), linesOf('stderr'), linesOf('note')];
  const first = firstMessageMs === undefined ? [] : [`The first message came after ${firstMessageMs} ms`];
  if (plan.kind !== 'stdio') return first.length === 0 ? [] : [{ title: 'First bytes', outcome: 'fine', seen: first }];
  const written = [
    ...first,
    ...noise.map((line) => `stdout: ${line}`),
    ...stderr.map((line) => `stderr: ${line}`),
    ...notes,
  ];
  const seen = written.length === 0 ? ['The process wrote nothing'] : written;
  if (noise.length === 0)
    return [{ title: 'First bytes', outcome: firstMessageMs === undefined ? 'notice' : 'fine', seen }];
  return [
    {
      title: 'First bytes',
      outcome: 'notice',
      seen,
      meaning:
        'The server writes to stdout what is no message. Patchbay passes it over, other clients may not: logs belong on stderr.',
    },
  ];
}
