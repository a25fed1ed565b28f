import { type CancelSignal, linkAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { isThisComputer } from '../../base/hostKind.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { Logger } from '../../base/logger.ts';
import type { CheckResult } from '../checks/checkResult.ts';
import { failed, ownChecks, ownResult } from '../own/ownChecks.ts';
import { type OpenedEra, openEra, runOwnChecks } from '../own/runOwnChecks.ts';
import { namesIn } from '../own/serverFacts.ts';
import type { CheckTarget } from '../own/wireProbe.ts';
import { startBridge } from './bridge.ts';
import { referenceOf, runSuite, type SuiteProgram } from './runSuite.ts';
import { type ServerEra, suiteRevisions } from './suiteData.ts';

export interface CheckOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: CancelSignal;
  /** Which families to run; by default both. */
  readonly families?: readonly CheckFamily[];
  /** Why the suite is missing: a full sentence, with which its result is `notRun`. */
  readonly suite: SuiteProgram | { readonly missing: string };
}

export type CheckFamily = 'own' | 'suite';

/** Milliseconds that a server gets to answer `server/discover` once it has answered `initialize`. */
const discoverMs = 3_000;

/**
 * Runs Patchbay's own checks and those of the official suite, in each era that the server speaks, and yields each result as soon
 * as it is known. Calls no tool that the server lists, but those of the suite's own server. A server that does not start is one
 * failed result, `own/start`. Ids end with `@2026-07-28` in that era: `own/ids`, `own/ids@2026-07-28`,
 * `suite/tools-list/tools-list@2026-07-28`. A scenario that is left out is one result, `suite/<scenario>`.
 * Leaving the loop, and the signal, end the processes that were started.
 */
export async function* checkServer(target: CheckTarget, options: CheckOptions): AsyncGenerator<CheckResult, void> {
  const { clock, families = ['own', 'suite'] } = options;
  const from = clock.now();
  const { eras, failure } = await openEras(target, options);
  try {
    if (eras.length === 0) {
      const [start] = ownChecks;
      if (start !== undefined) yield ownResult(start, suiteRevisions[0], failed(failure), clock.now() - from);
      return;
    }
    const known = eras.map((era) => ({ era, known: knownOf(era), isSignedIn: era.probe.isSignedIn }));
    for (const era of eras) {
      if (families.includes('own')) yield* runOwnChecks(target, era, options);
      else await era.probe.close();
    }
    if (families.includes('suite')) yield* runSuites(target, known, options);
  } finally {
    await Promise.all(eras.map(({ probe }) => probe.close()));
  }
}

interface Eras {
  readonly eras: readonly OpenedEra[];
  /** Why there is none: a full sentence. */
  readonly failure: string;
}

/** Both at once: each takes a start of the server. */
async function openEras(target: CheckTarget, options: CheckOptions): Promise<Eras> {
  const { clock, signal } = options;
  const waiting = linkAbort(signal);
  const [handshakeRevision, statelessRevision] = suiteRevisions;
  const stateless = openEra(target, 'stateless', statelessRevision, { ...options, signal: waiting.signal });
  const handshake = openEra(target, 'handshake', handshakeRevision, options).finally(() =>
    clock.after(discoverMs, () => waiting.abort(new Error('The server does not answer server/discover.')), {
      isBackground: true,
    }),
  );
  const [first, second] = await Promise.allSettled([handshake, stateless]);
  waiting.dispose();
  const newer = second.status === 'fulfilled' ? second.value : undefined;
  const older = first.status === 'fulfilled' ? first.value : undefined;
  if (signal.aborted) {
    await Promise.all([older?.probe.close(), newer?.probe.close()]);
    throw signal.reason;
  }
  // A server of 2026-07-28 alone refuses the handshake.
  const isRefused = newer !== undefined && older !== undefined && older.facts.opening.kind !== 'result';
  if (isRefused) await older.probe.close();
  const eras = [isRefused ? undefined : older, newer].filter((era) => era !== undefined);
  return { eras, failure: first.status === 'rejected' ? messageOf(first.reason) : '' };
}

interface KnownEra {
  readonly era: OpenedEra;
  readonly known: ServerEra;
  readonly isSignedIn: boolean;
}

function knownOf({ era, facts }: OpenedEra): ServerEra {
  return {
    revision: era === 'stateless' ? suiteRevisions[1] : suiteRevisions[0],
    capabilities: new Set(Object.keys(facts.capabilities)),
    lists: {
      tools: namesIn(facts, 'tools'),
      prompts: namesIn(facts, 'prompts'),
      resources: namesIn(facts, 'resources'),
      templates: namesIn(facts, 'templates'),
    },
  };
}

async function* runSuites(
  target: CheckTarget,
  eras: readonly KnownEra[],
  { suite, clock, signal }: CheckOptions,
): AsyncGenerator<CheckResult, void> {
  if ('missing' in suite) {
    yield {
      id: 'suite',
      title: 'The official suite',
      verdict: 'notRun',
      subject: { kind: 'server' },
      message: suite.missing,
      references: [referenceOf('https://github.com/modelcontextprotocol/conformance')],
    };
    return;
  }
  const direct = eras.some(({ isSignedIn }) => isSignedIn) ? undefined : directUrl(target.plan);
  const bridge = direct === undefined ? await startBridge(target, { clock, signal }) : undefined;
  const url = bridge?.url ?? direct?.href ?? '';
  const reach = { isBridged: bridge !== undefined, isLocal: direct !== undefined && isThisComputer(direct.hostname) };
  try {
    for (const { known, era } of eras) {
      if (era.facts.opening.kind !== 'result') continue;
      yield* runSuite({ program: suite, url, era: known, reach, signal });
    }
  } finally {
    await bridge?.dispose();
  }
}

/** @returns the address that another program can use as it is, without a secret; `undefined`: it needs the bridge */
function directUrl(plan: LaunchPlan): URL | undefined {
  if (plan.kind !== 'http' || plan.socketPath !== undefined) return undefined;
  const { url, headers } = plan;
  const hasSecret = url.search !== '' || url.username !== '' || url.password !== '';
  return hasSecret || Object.keys(headers).length > 0 || (plan.secrets ?? []).length > 0 ? undefined : url;
}
