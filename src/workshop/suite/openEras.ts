import { type CancelSignal, linkAbort } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { isClientError } from '../../client/connection/connectionStrategy.ts';
import type { OwnEra } from '../own/ownChecks.ts';
import { type OpenedEra, openEra } from '../own/runOwnChecks.ts';
import { describeOutcome } from '../own/serverFacts.ts';
import type { CheckTarget, ProbePorts } from '../own/wireProbe.ts';
import { suiteRevisions } from './suiteData.ts';

interface Opened {
  readonly eras: readonly OpenedEra[];
  /** Why there is none: a full sentence. */
  readonly failure: string;
  readonly cause?: unknown;
}

interface Eras extends Opened {
  /** With which they were opened. */
  readonly plan: LaunchPlan;
}

/** Milliseconds that a server gets to answer `server/discover` once it has answered `initialize`, and the other way round. */
const secondEraMs = 3_000;

/** Opens each era that the server speaks. Rejects only with the signal's reason. */
export async function openEras(target: CheckTarget, options: ProbePorts): Promise<Eras> {
  const { plan } = target;
  const found = await openBoth(target, options);
  if (found.eras.length > 0) return { ...found, plan };
  // Some servers hold a port or a file that a second process cannot have.
  if (plan.kind === 'stdio') return { ...(await openAlone(target, options)), plan };
  if (plan.kind === 'sse' || !isClientError(found.cause)) return { ...found, plan };
  const older: LaunchPlan = { ...plan, kind: 'sse' };
  const overSse = await openAlone({ ...target, plan: older }, options);
  return overSse.eras.length > 0 ? { ...overSse, plan: older } : { ...found, plan };
}

/** Both at once: each takes a start of the server. A server without an answer to one has a while for it after the other. */
async function openBoth(target: CheckTarget, options: ProbePorts): Promise<Opened> {
  const { clock, signal } = options;
  const waiting = linkAbort(signal);
  const [handshakeRevision, statelessRevision] = suiteRevisions;
  const giveUp = (): void => waiting.abort(new Error('The server does not answer.'));
  const open = async (era: OwnEra, revision: string): Promise<OpenedEra | undefined> => {
    const opened = await openEra(target, era, revision, options, waiting.signal);
    clock.after(secondEraMs, giveUp, { isBackground: true });
    return opened;
  };
  const [first, second] = await Promise.allSettled([
    open('handshake', handshakeRevision),
    open('stateless', statelessRevision),
  ]);
  waiting.dispose();
  const older = first.status === 'fulfilled' ? first.value : undefined;
  const newer = second.status === 'fulfilled' ? second.value : undefined;
  const found = await keepOpened([older, newer], signal);
  return first.status === 'rejected' ? { ...found, ...failedWith(first.reason) } : found;
}

/** One process or session at a time. */
async function openAlone(target: CheckTarget, ports: ProbePorts): Promise<Opened> {
  const [revision] = suiteRevisions;
  try {
    return await keepOpened([await openEra(target, 'handshake', revision, ports, ports.signal)], ports.signal);
  } catch (error) {
    ports.signal.throwIfAborted();
    return { eras: [], ...failedWith(error) };
  }
}

function failedWith(cause: unknown) {
  return { failure: messageOf(cause), cause };
}

/** Closes those whose first request was not answered with a result. */
async function keepOpened(all: readonly (OpenedEra | undefined)[], signal: CancelSignal): Promise<Opened> {
  const opened = all.filter((era) => era !== undefined);
  const eras = signal.aborted ? [] : opened.filter(({ facts }) => facts.opening.kind === 'result');
  await Promise.all(opened.filter((era) => !eras.includes(era)).map(({ probe }) => probe.close()));
  signal.throwIfAborted();
  const refused = opened.find((era) => !eras.includes(era))?.facts.opening;
  if (refused === undefined) return { eras, failure: '' };
  return { eras, failure: describeOutcome(refused), ...(refused.kind === 'failed' && { cause: refused.cause }) };
}
