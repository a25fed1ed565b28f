import { type CancelSignal, linkAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { isThisComputer } from '../../base/hostKind.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { Logger } from '../../base/logger.ts';
import type { CheckResult } from '../checks/checkResult.ts';
import { lintServer } from '../lint/lintServer.ts';
import { failed, ownChecks, type OwnEra, ownResult } from '../own/ownChecks.ts';
import { type OpenedEra, openEra, runOwnChecks } from '../own/runOwnChecks.ts';
import { announcesChanges, describeOutcome, lintFactsOf, namesIn } from '../own/serverFacts.ts';
import type { CheckTarget } from '../own/wireProbe.ts';
import { startBridge } from './bridge.ts';
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

/** Milliseconds that a server gets to answer `server/discover` once it has answered `initialize`, and the other way round. */
const secondEraMs = 3_000;

/**
 * Runs Patchbay's own checks and those of the official suite, in each era that the server speaks, and the lint of what it lists in the
 * newest, and yields each result as soon as it is known. Calls no tool that the server lists, but those of the suite's own server. A server that does not start is one
 * failed result, `own/start`. Ids end with `@2026-07-28` in that era: `own/ids`, `own/ids@2026-07-28`,
 * `suite/tools-list/tools-list@2026-07-28`. A scenario that is left out is one result, `suite/<scenario>`.
 * Leaving the loop, and the signal, end the processes that were started.
 */
export async function* checkServer(target: CheckTarget, options: CheckOptions): AsyncGenerator<CheckResult, void> {
  const { clock, families = checkFamilies } = options;
  const from = clock.now();
  const { eras, failure } = await openEras(target, options);
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
    if (families.includes('lint') && newest !== undefined) yield* lintServer(lintFactsOf(target.label, newest.facts));
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

async function openEras(target: CheckTarget, options: CheckOptions): Promise<Eras> {
  const found = await openBoth(target, options);
  // Some servers hold a port or a file that a second process cannot have.
  return found.eras.length > 0 || target.plan.kind !== 'stdio' ? found : openAlone(target, options, found.failure);
}

/** Both at once: each takes a start of the server. A server without an answer to one has a while for it after the other. */
async function openBoth(target: CheckTarget, options: CheckOptions): Promise<Eras> {
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
  return first.status === 'rejected' ? { ...found, failure: messageOf(first.reason) } : found;
}

/** One start after the other. @param failure that of both at once */
async function openAlone(target: CheckTarget, options: CheckOptions, failure: string): Promise<Eras> {
  const [handshakeRevision] = suiteRevisions;
  try {
    return await keepOpened(
      [await openEra(target, 'handshake', handshakeRevision, options, options.signal)],
      options.signal,
    );
  } catch (error) {
    options.signal.throwIfAborted();
    return { eras: [], failure: messageOf(error) || failure };
  }
}

/** Closes those whose first request was not answered with a result. */
async function keepOpened(all: readonly (OpenedEra | undefined)[], signal: CancelSignal): Promise<Eras> {
  const opened = all.filter((era) => era !== undefined);
  const eras = signal.aborted ? [] : opened.filter(({ facts }) => facts.opening.kind === 'result');
  await Promise.all(opened.filter((era) => !eras.includes(era)).map(({ probe }) => probe.close()));
  signal.throwIfAborted();
  const refused = opened.find((era) => !eras.includes(era));
  return { eras, failure: refused === undefined ? '' : describeOutcome(refused.facts.opening) };
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
      templates: namesIn(facts, 'templates'),
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
  const opened = direct === undefined ? await startBridge(target, signal) : await guard(direct);
  try {
    for (const { known } of eras) yield* runSuite({ program: suite, ...opened, era: known, reach, signal });
  } finally {
    await opened.dispose();
  }
}

async function guard(direct: URL) {
  const { base, dispose } = await startToolGuard(direct);
  return { url: direct.href, guardedUrl: `${base}/mcp`, dispose };
}

/** @returns the address that another program can use as it is, without a secret; `undefined`: it needs the bridge */
function directUrl(plan: LaunchPlan): URL | undefined {
  if (plan.kind !== 'http' || plan.socketPath !== undefined) return undefined;
  const { url, headers } = plan;
  const hasSecret = url.search !== '' || url.username !== '' || url.password !== '';
  return hasSecret || Object.keys(headers).length > 0 || (plan.secrets ?? []).length > 0 ? undefined : url;
}
