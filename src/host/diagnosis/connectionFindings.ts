import type { Clock } from '../../base/clock.ts';
import { isPatchbayError } from '../../base/errors.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { createNullLogger } from '../../base/logger.ts';
import { openConnection } from '../../client/connection/connection.ts';
import { defaultTimeouts, type ServerOptions } from '../../config/serverDefinition.ts';
import type { Implementation } from '../../protocol/mcp/base.ts';
import type { Transport, TransportLog } from '../../transport/transport.ts';
import { describeError } from '../platform/describeError.ts';
import type { Finding } from './diagnosis.ts';

export interface ConnectionPorts {
  readonly createTransport: (plan: LaunchPlan) => Promise<Transport>;
  readonly clientInfo: Implementation;
  readonly clock: Clock;
  readonly random: () => number;
}

const maximumLines = 20;
const maximumLineLength = 300;

/**
 * Connects to the server once, in a process or session of its own, and disconnects after the handshake. Sends no requests
 * and declares no capabilities.
 * @throws the reason of the signal
 */
export async function diagnoseConnection(
  plan: LaunchPlan,
  options: ServerOptions,
  { createTransport, clientInfo, clock, random }: ConnectionPorts,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const output: TransportLog[] = [];
  const startedAt = clock.now();
  let firstMessageMs: number | undefined;
  const createObservedTransport = async (wanted: LaunchPlan): Promise<Transport> => {
    const transport = await createTransport(wanted);
    transport.onLog((entry) => {
      // Many lines of one source leave room for those of the others.
      if (output.filter(({ source }) => source === entry.source).length < maximumLines) output.push(entry);
    });
    transport.onMessage(() => (firstMessageMs ??= clock.now() - startedAt));
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
      tap: undefined,
      signal,
    });
    const { session, handshakeMs, strategy } = connection;
    await connection.dispose();
    const { name, version } = session.server;
    const offered = Object.keys(session.capabilities).join(', ') || 'nothing';
    const seen = [
      `${session.revision} over ${strategy.plan.kind}, agreed on in ${handshakeMs} ms`,
      `The server calls itself ${name} ${version} and offers ${offered}`,
    ];
    return [...outputFindings(plan, output, firstMessageMs), { title: 'Revision', outcome: 'fine', seen }];
  } catch (error) {
    signal.throwIfAborted();
    return [...outputFindings(plan, output, firstMessageMs), failureFinding(plan, error)];
  }
}

function failureFinding(plan: LaunchPlan, error: unknown): Finding {
  const { message, remedies } = describeError(error);
  const answer = plan.kind === 'stdio' ? 'Handshake' : 'Answer';
  const place = isPatchbayError(error, 'spawnFailed', 'crashed') ? 'Process' : answer;
  const title = isPatchbayError(error, 'needsSignIn') ? 'Sign-in' : place;
  return { title, outcome: 'problem', seen: [message], remedies };
}

/** The output of the server before and besides its first message. */
function outputFindings(
  plan: LaunchPlan,
  output: readonly TransportLog[],
  firstMessageMs: number | undefined,
): readonly Finding[] {
  const title = 'First bytes';
  const linesOf = (source: TransportLog['source'], prefix = ''): readonly string[] => {
    const texts = output.filter((entry) => entry.source === source).map(({ text }) => text);
    return texts.slice(0, maximumLines).map((text) => prefix + text.slice(0, maximumLineLength));
  };
  const first = firstMessageMs === undefined ? [] : [`The first message came after ${firstMessageMs} ms`];
  if (plan.kind !== 'stdio') return first.length === 0 ? [] : [{ title, outcome: 'fine', seen: first }];
  const noise = linesOf('noise', 'stdout: ');
  const written = [...first, ...noise, ...linesOf('stderr', 'stderr: '), ...linesOf('note')];
  const seen = written.length === 0 ? ['The process wrote nothing'] : written;
  if (noise.length === 0) return [{ title, outcome: first.length === 0 ? 'notice' : 'fine', seen }];
  const meaning =
    'The server writes text to stdout that is not a protocol message. Patchbay ignores it, but other clients may not. Write logs to stderr.';
  return [{ title, outcome: 'notice', seen, meaning }];
}
