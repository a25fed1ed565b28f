import type { CancelSignal } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isThisComputer } from '../../base/hostKind.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { Logger } from '../../base/logger.ts';
import type { CheckResult } from '../checks/checkResult.ts';
import { TrafficLog } from '../../client/trace/trafficLog.ts';
import { lintServer } from '../lint/lintServer.ts';
import { withObserved } from '../lint/observeTraffic.ts';
import { failed, ownChecks, ownResult } from '../own/ownChecks.ts';
import { type OpenedEra, runOwnChecks } from '../own/runOwnChecks.ts';
import { announcesChanges, namesIn, toLintFacts } from '../own/serverFacts.ts';
import type { CheckTarget } from '../own/wireProbe.ts';
import { type Bridge, startBridge } from './bridge.ts';
import { openEras } from './openEras.ts';
import { referenceOf, runSuite, type SuiteProgram } from './runSuite.ts';
import { type ServerEra, suiteRevisions } from './suiteData.ts';
import { startToolGuard } from './toolGuard.ts';

export interface CheckOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: CancelSignal;
  /** Which families to run; by default all. */
  readonly families?: readonly CheckFamily[];
  /** Why the suite is missing: a full sentence, with which its result is `notRun`. */
  readonly suite: SuiteProgram | { readonly missing: string };
}

export const checkFamilies = ['lint', 'own', 'suite'] as const;

export type CheckFamily = (typeof checkFamilies)[number];

/**
 * Runs Patchbay's own checks and those of the official suite, in each era that the server speaks, and the lint of what it lists in the
 * newest, and yields each result as soon as it is known. Calls no tool that the server lists, but those of the suite's own server.
 * A server that does not start is one failed result, `own/start`. Ids end with `@2026-07-28` in that era: `own/ids`,
 * `own/ids@2026-07-28`, `suite/tools-list/tools-list@2026-07-28`. A scenario that is left out is one result, `suite/<scenario>`.
 * Leaving the loop, and the signal, end the processes that were started.
 */
export async function* checkServer(given: CheckTarget, options: CheckOptions): AsyncGenerator<CheckResult, void> {
  const { clock, families = checkFamilies } = options;
  const from = clock.now();
  const traffic = new TrafficLog(clock);
  const { eras, failure, plan } = await openEras({ ...given, tap: traffic.tap }, options);
  const target = { ...given, plan, tap: traffic.tap };
  try {
    if (eras.length === 0) {
      const [start] = ownChecks;
      if (start !== undefined) yield ownResult(start, suiteRevisions[0], failed(failure), clock.now() - from);
      return;
    }
    const known = eras.map((era) => ({ known: knownOf(era), isSignedIn: era.probe.isSignedIn }));
    for (const era of eras) {
      if (families.includes('own')) yield* runOwnChecks(target, era, options);
      else await era.probe.close();
    }
    const newest = eras.at(-1);
    if (families.includes('lint') && newest !== undefined) {
      const facts = toLintFacts(target.label, newest.facts);
      yield* lintServer(withObserved(facts, traffic, plan.kind === 'stdio'));
    }
    if (families.includes('suite')) yield* runSuites(target, known, options);
  } finally {
    await Promise.all(eras.map(({ probe }) => probe.close()));
  }
}

interface KnownEra {
  readonly known: ServerEra;
  readonly isSignedIn: boolean;
}

function knownOf({ era, facts }: OpenedEra): ServerEra {
  return {
    revision: era === 'stateless' ? suiteRevisions[1] : suiteRevisions[0],
    capabilities: new Set([...Object.keys(facts.capabilities), ...(announcesChanges(facts) ? ['listChanged'] : [])]),
    lists: {
      tools: namesIn(facts, 'tools'),
      prompts: namesIn(facts, 'prompts'),
      resources: namesIn(facts, 'resources'),
      templates: namesIn(facts, 'resourceTemplates'),
    },
  };
}

async function* runSuites(
  target: CheckTarget,
  eras: readonly KnownEra[],
  { suite, signal }: CheckOptions,
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
  const reach = { isBridged: direct === undefined, isLocal: direct !== undefined && isThisComputer(direct.hostname) };
  const opened = direct === undefined ? await startBridge(target, signal, firstResources(eras)) : await guard(direct);
  try {
    for (const { known } of eras) {
      await opened.prepare?.(known.revision);
      yield* runSuite({ program: suite, ...opened, era: known, reach, signal });
    }
  } finally {
    await opened.dispose();
  }
}

/** The scenario about caching reads the first one. */
function firstResources(eras: readonly KnownEra[]): readonly string[] {
  return eras.flatMap(({ known }) => known.lists.resources.slice(0, 1));
}

async function guard(direct: URL): Promise<Partial<Bridge> & Pick<Bridge, 'url' | 'dispose'> & { guardedUrl: string }> {
  const server = await startToolGuard(direct);
  return { url: direct.href, guardedUrl: `${server.base}/mcp`, dispose: () => server.dispose() };
}

/** @returns the address that another program can use as it is, without a secret; `undefined`: it needs the bridge */
function directUrl(plan: LaunchPlan): URL | undefined {
  if (plan.kind !== 'http' || plan.socketPath !== undefined) return undefined;
  const { url, headers } = plan;
  const hasSecret = url.search !== '' || url.username !== '' || url.password !== '';
  return hasSecret || Object.keys(headers).length > 0 || (plan.secrets ?? []).length > 0 ? undefined : url;
}
