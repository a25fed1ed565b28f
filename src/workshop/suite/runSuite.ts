import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CancelSignal, linkAbort } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { readableText } from '../../base/visibleText.ts';
import { readOrdinaryFile } from '../../transport/stdio/ordinaryFile.ts';
import { type CheckReference, type CheckResult, isFound, type Verdict } from '../checks/checkResult.ts';
import { idInEra } from '../own/ownChecks.ts';
import { runProgram } from './runProgram.ts';
import {
  findCheck,
  type Omission,
  type Reach,
  type Scenario,
  scenarios,
  type ServerEra,
  type SuiteCheck,
  suitePackage,
  whyOmitted,
} from './suiteData.ts';

/** The official suite on this machine. */
export interface SuiteProgram {
  /** Path of a Node of at least version 22. */
  readonly node: string;
  /** Path of the suite's `dist/index.js`. */
  readonly script: string;
}

export interface SuiteRun {
  readonly program: SuiteProgram;
  readonly url: string;
  /** For scenarios with tools of the suite's own server, whose questions must find their way; `url` by default. */
  readonly separateUrl?: string;
  /** For scenarios that call whichever tool they find: none of the server's. */
  readonly guardedUrl?: string;
  readonly era: ServerEra;
  readonly reach: Reach;
  readonly signal: CancelSignal;
}

/** Scenarios at once. */
const parallel = 2;
const scenarioMs = 10_000;
const maximumResultBytes = 4 * 1024 * 1024;

/** Runs what is applicable of the suite, and yields the results of each scenario when it ends. */
export async function* runSuite(run: SuiteRun): AsyncGenerator<CheckResult, void> {
  const applicable = scenarios.filter(({ revisions }) => revisions.includes(run.era.revision));
  const wanted: Scenario[] = [];
  for (const scenario of applicable) {
    const omission = whyOmitted(scenario, run.era, run.reach);
    if (omission === undefined) wanted.push(scenario);
    else yield omitted(scenario, omission, run.era.revision);
  }
  const stop = linkAbort(run.signal);
  const running = new Map<string, Promise<{ readonly name: string; readonly results: readonly CheckResult[] }>>();
  const startNext = (): void => {
    const scenario = wanted.shift();
    if (scenario === undefined) return;
    const { name } = scenario;
    const work = runScenario(scenario, { ...run, signal: stop.signal }).then((results) => ({ name, results }));
    // It is awaited below, unless the loop was left.
    work.catch(() => {});
    running.set(name, work);
  };
  try {
    for (let count = 0; count < parallel; count += 1) startNext();
    while (running.size > 0) {
      const { name, results } = await Promise.race(running.values());
      running.delete(name);
      startNext();
      yield* results;
    }
  } finally {
    stop.abort(new Error('The run has ended'));
    stop.dispose();
    await Promise.allSettled(running.values());
  }
}

/** One result for a scenario that does not run. */
function omitted(scenario: Scenario, omission: Omission, revision: string): CheckResult {
  const { verdict, message } = omission;
  const missing = 'missing' in omission ? ` (needs ${omission.missing?.join(', ')})` : '';
  return {
    id: idInEra(`suite/${scenario.name}`, revision),
    title: `${scenario.name}${missing}`,
    verdict,
    subject: { kind: 'server' },
    message,
    references: [referenceOf(scenario.url)],
  };
}

async function runScenario(scenario: Scenario, run: SuiteRun): Promise<readonly CheckResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-suite-'));
  try {
    const failure = await execute(scenario, folder, run);
    run.signal.throwIfAborted();
    const found = await readChecks(folder);
    if (found !== undefined) return judgeChecks(scenario, found, run);
    const message = `The scenario gave no result. ${failure ?? ''}`.trim();
    return [omitted(scenario, { verdict: 'notRun', message }, run.era.revision)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The address has a secret: every user of the machine may read the arguments of a process, and only its own user the environment. */
const addressVariable = 'PATCHBAY_SUITE_URL';
const addressHook = `data:text/javascript,${encodeURIComponent(
  `process.argv.push('--url', process.env.${addressVariable}); delete process.env.${addressVariable};`,
)}`;

/** @returns what the program said where it failed: it does so for each check that fails, too */
async function execute(scenario: Scenario, folder: string, run: SuiteRun): Promise<string | undefined> {
  const { program, era, signal } = run;
  const args = [
    '--import',
    addressHook,
    program.script,
    'server',
    '--scenario',
    scenario.name,
    '--spec-version',
    era.revision,
    '-o',
    folder,
    '--timeout',
    String(scenarioMs),
  ];
  const { platform, env: own } = process;
  // Nothing else of this process, such as tokens, is passed on.
  const env = {
    PATH: own['PATH'],
    SystemRoot: own['SystemRoot'],
    NO_COLOR: '1',
    [addressVariable]: addressFor(scenario, run),
  };
  const start = { file: program.node, args, cwd: folder, env, platform, signal, timeoutMs: scenarioMs + 5_000 };
  try {
    await runProgram(start);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function addressFor({ needs, isGuarded }: Scenario, { url, separateUrl = url, guardedUrl = url }: SuiteRun): string {
  if (isGuarded === true) return guardedUrl;
  return needs === undefined ? url : separateUrl;
}

interface ReportedCheck {
  readonly id: string;
  readonly description: string;
  readonly status: string;
  readonly errorMessage: string | undefined;
  readonly isUntestable: boolean;
  readonly urls: readonly string[];
}

/** @returns `undefined` without a result that can be read */
async function readChecks(folder: string): Promise<readonly ReportedCheck[] | undefined> {
  const [name] = await readdir(folder);
  if (name === undefined) return undefined;
  const text = await readOrdinaryFile(join(folder, name, 'checks.json'), maximumResultBytes).catch(() => '');
  const value = parseJson(text);
  return Array.isArray(value) ? value.flatMap((entry: unknown) => readCheck(entry) ?? []) : undefined;
}

function readCheck(value: unknown): ReportedCheck | undefined {
  if (!isRecord(value)) return undefined;
  const { id, description = '', status, errorMessage, details, specReferences } = value;
  if (typeof id !== 'string' || typeof status !== 'string') return undefined;
  const references: readonly unknown[] = Array.isArray(specReferences) ? specReferences : [];
  return {
    id: id.slice(0, limits.remembered.name),
    description: shown(description),
    status,
    errorMessage: typeof errorMessage === 'string' ? shown(errorMessage) : undefined,
    isUntestable: isRecord(details) && details['untestable'] === true,
    urls: references.flatMap((entry) => (isRecord(entry) && isWebAddress(entry['url']) ? [entry['url']] : [])),
  };
}

function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('https://') && URL.canParse(value);
}

function shown(text: unknown): string {
  return typeof text === 'string' ? readableText(truncateWithEllipsis(text, limits.shown.tooltip)) : '';
}

/** A check that was reported several times has its worst verdict. */
function judgeChecks(scenario: Scenario, reported: readonly ReportedCheck[], run: SuiteRun): readonly CheckResult[] {
  const results = new Map<string, CheckResult>();
  for (const check of reported) {
    const result = judgeCheck(scenario, check, run);
    const other = results.get(check.id);
    if (other === undefined || rank(result.verdict) > rank(other.verdict)) results.set(check.id, result);
  }
  if (results.size > 0) return [...results.values()];
  return [omitted(scenario, { verdict: 'nothingToCheck', message: 'The scenario checked nothing.' }, run.era.revision)];
}

const worst: readonly Verdict[] = ['notRun', 'nothingToCheck', 'passed', 'warning', 'failed'];

function rank(verdict: Verdict): number {
  return worst.indexOf(verdict);
}

function judgeCheck(scenario: Scenario, check: ReportedCheck, { era, reach }: SuiteRun): CheckResult {
  const known = findCheck(scenario.name, check.id);
  const omission = known && whyOmitted(known, era, reach);
  const { verdict, message } = omission ?? judgeStatus(check, known);
  const url = known?.url ?? check.urls[0] ?? scenario.url;
  const title = known?.title ?? check.description;
  return {
    id: idInEra(`suite/${scenario.name}/${check.id}`, era.revision),
    // The suite says what should be.
    title: isFound(verdict) && known?.isFault !== true ? `Not so: ${title}` : title,
    verdict,
    subject: { kind: 'server' },
    ...(message !== undefined && { message }),
    references: [referenceOf(url)],
  };
}

function judgeStatus(
  { status, errorMessage, isUntestable }: ReportedCheck,
  known: SuiteCheck | undefined,
): { readonly verdict: Verdict; readonly message: string | undefined } {
  if (isUntestable) return { verdict: 'nothingToCheck', message: errorMessage };
  if (known?.without !== undefined && status !== 'SUCCESS')
    return { verdict: 'nothingToCheck', message: known.without };
  switch (status) {
    case 'SUCCESS':
      return { verdict: 'passed', message: undefined };
    case 'FAILURE':
      return isAdvice(errorMessage, known)
        ? { verdict: 'warning', message: `${errorMessage}. The schema makes it optional; models need it.` }
        : { verdict: 'failed', message: errorMessage };
    case 'WARNING':
      return { verdict: 'warning', message: errorMessage };
    default:
      return { verdict: 'nothingToCheck', message: errorMessage ?? 'The suite had nothing to check.' };
  }
}

function isAdvice(errorMessage: string | undefined, known: SuiteCheck | undefined): boolean {
  const { advice } = known ?? {};
  if (advice === undefined || errorMessage === undefined) return false;
  return errorMessage.split('; ').every((part) => part.endsWith(advice));
}

export function referenceOf(url: string): CheckReference {
  return { title: `${suitePackage.name} ${suitePackage.version}`, url, date: '2026-11-25' };
}
