import { createSystemClock } from '../base/clock.ts';
import type { LaunchPlan } from '../base/launchPlan.ts';
import type { CheckResult } from '../workshop/checks/checkResult.ts';
import { TrafficLog } from '../client/trace/trafficLog.ts';
import { lintServer } from '../workshop/lint/lintServer.ts';
import { lintFactsOf } from '../workshop/lint/observeTraffic.ts';
import { type CheckOptions, checkServer } from '../workshop/suite/checkServer.ts';
import type { Invocation, Options } from './arguments.ts';
import { exitCodes, UsageError } from './exitCodes.ts';
import type { Suite } from './reports/report.ts';
import { writeReport } from './writeReport.ts';
import { findSuiteFor } from './suite.ts';
import { openServers, type ServerHost } from './serverHost.ts';
import { findTargets, type Surroundings, type Target } from './targets.ts';
import { version } from '../../package.json';

const families = ['lint', 'own', 'suite'] as const;
type Family = (typeof families)[number];

const noSuite = { missing: 'It is not wanted.' };

/** The check that a server starts: without it there is nothing to judge. */
const startCheck = 'own/start';

export async function checkCommand(
  invocation: Invocation,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<number> {
  const { options } = invocation;
  const { output, cwd } = surroundings;
  const wanted = wantedFamilies(options);
  const targets = await findTargets(invocation, surroundings);
  const suite = wanted.includes('suite') ? await findSuiteFor(invocation.options, surroundings, signal) : noSuite;
  const suites: Suite[] = [];
  for (const target of targets) {
    const traffic = new TrafficLog(createSystemClock());
    await using host = openServers([target], output, { tap: traffic.tap });
    const results = await checkTarget(target, host, { wanted, suite, traffic, signal });
    const shown = results.map((result) => withoutSecrets(result, host));
    suites.push({ name: target.label, results: shown, ...(target.place && { place: target.place }) });
  }
  const report = { suites, version, folder: cwd, isStrict: options.flags.has('strict') };
  const code = await writeReport(report, options, output);
  const isUnreachable = suites.some(({ results }) => results.some(isFailedStart));
  return isUnreachable ? exitCodes.unreachable : code;
}

function wantedFamilies({ only }: Options): readonly Family[] {
  const unknown = only.find((name) => !families.some((family) => family === name));
  if (unknown !== undefined)
    throw new UsageError(`There are no checks "${unknown}". There are ${families.join(', ')}.`);
  return only.length === 0 ? families : families.filter((family) => only.includes(family));
}

function isFailedStart({ id, verdict }: CheckResult): boolean {
  return verdict === 'failed' && (id === startCheck || id.startsWith(`${startCheck}@`));
}

interface CheckSettings {
  readonly wanted: readonly Family[];
  readonly suite: CheckOptions['suite'];
  /** What goes over the wire meanwhile: the lint judges it, too. */
  readonly traffic: TrafficLog;
  readonly signal: AbortSignal;
}

async function checkTarget(
  target: Target,
  host: ServerHost,
  { wanted, suite, traffic, signal }: CheckSettings,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  try {
    const plan = await host.planOf(target);
    const { createTransport } = host;
    const open = (each: LaunchPlan) => createTransport(each);
    const checked = { label: target.label, plan, createTransport: open, tap: traffic.tap };
    const checks = wanted.filter((family) => family !== 'lint');
    const logger = host.logger(target.label);
    const options = { clock: createSystemClock(), logger, signal, families: checks, suite };
    if (checks.length > 0) for await (const result of checkServer(checked, options)) results.push(result);
    if (wanted.includes('lint') && !results.some(isFailedStart))
      results.push(...(await lint(target, host, traffic, signal)));
  } catch (error) {
    if (signal.aborted) throw error;
    results.push(failedStart(host.describe(error)));
  }
  return results;
}

/** Judges what the server lists, and what it was seen to do. It runs as in a host. */
async function lint(
  { label }: Target,
  { servers }: ServerHost,
  traffic: TrafficLog,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const server = servers.get(label);
  if (server === undefined) return [];
  await server.start(signal);
  const results = lintServer(lintFactsOf(label, server, traffic));
  await server.stop();
  return results;
}

function failedStart(message: string): CheckResult {
  const subject = { kind: 'server' } as const;
  return { id: startCheck, title: 'The server starts', verdict: 'failed', subject, message, references: [] };
}

function withoutSecrets(result: CheckResult, { redactor }: ServerHost): CheckResult {
  const { message } = result;
  return message === undefined ? result : { ...result, message: redactor.text(message, 20_000) };
}
