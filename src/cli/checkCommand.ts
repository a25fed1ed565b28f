import { createSystemClock } from '../base/clock.ts';
import { isPatchbayError } from '../base/errors.ts';
import type { LaunchPlan } from '../base/launchPlan.ts';
import type { CheckResult } from '../workshop/checks/checkResult.ts';
import { withoutSecrets } from '../workshop/checks/withoutSecrets.ts';
import { checkFamilies, type CheckFamily, type CheckOptions, checkServer } from '../workshop/suite/checkServer.ts';
import type { Invocation, Options } from './arguments.ts';
import { exitCodes, UsageError } from './exitCodes.ts';
import type { Suite } from './reports/report.ts';
import { writeReport } from './writeReport.ts';
import { findSuiteFor } from './suite.ts';
import { openServers, type ServerHost } from './serverHost.ts';
import { findTargets, type Surroundings, type Target } from './targets.ts';
import { version } from '../../package.json';

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
  const problems = new Set<Checked['problem']>();
  for (const target of targets) {
    await using host = openServers([target], output);
    const { results, problem } = await checkTarget(target, host, { wanted, suite, signal });
    problems.add(problem);
    const shown = results.map((result) => withoutSecrets(result, host.redactor));
    suites.push({ name: target.label, results: shown, ...(target.place && { place: target.place }) });
  }
  const report = { suites, version, folder: cwd, isStrict: options.flags.has('strict') };
  const code = await writeReport(report, options, output);
  if (problems.has('start')) return exitCodes.unreachable;
  return problems.has('configuration') ? exitCodes.usage : code;
}

function wantedFamilies({ only }: Options): readonly CheckFamily[] {
  const unknown = only.find((name) => !checkFamilies.some((family) => family === name));
  if (unknown !== undefined)
    throw new UsageError(`There are no checks "${unknown}". There are ${checkFamilies.join(', ')}.`);
  return only.length === 0 ? checkFamilies : checkFamilies.filter((family) => only.includes(family));
}

function isFailedStart({ id, verdict }: CheckResult): boolean {
  return verdict === 'failed' && (id === startCheck || id.startsWith(`${startCheck}@`));
}

interface Checked {
  readonly results: readonly CheckResult[];
  /** Why the server could not be checked: its definition lacks something, or it does not start. */
  readonly problem: 'configuration' | 'start' | undefined;
}

async function checkTarget(
  target: Target,
  host: ServerHost,
  { wanted, suite, signal }: { wanted: readonly CheckFamily[]; suite: CheckOptions['suite']; signal: AbortSignal },
): Promise<Checked> {
  const results: CheckResult[] = [];
  try {
    const plan = await host.planOf(target);
    const { createTransport } = host;
    const checked = { label: target.label, plan, createTransport: (each: LaunchPlan) => createTransport(each) };
    const logger = host.logger(target.label);
    const options = { clock: createSystemClock(), logger, signal, families: wanted, suite };
    for await (const result of checkServer(checked, options)) results.push(result);
  } catch (error) {
    if (signal.aborted) throw error;
    const problem = isPatchbayError(error, 'configuration') ? 'configuration' : 'start';
    return { results: [...results, failedStart(host.describe(error))], problem };
  }
  return { results, problem: results.some(isFailedStart) ? 'start' : undefined };
}

function failedStart(message: string): CheckResult {
  const subject = { kind: 'server' } as const;
  return { id: startCheck, title: 'The server does not start', verdict: 'failed', subject, message, references: [] };
}
