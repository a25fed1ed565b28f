// Fuzzes: npm run fuzz -- [TARGET …] [--minutes N] [--seed S]
import { type ChildProcess, fork } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Finding, type FromWorker, saveFinding } from './runCases.ts';
import { recordSessions } from './recordSessions.ts';
import { findTarget, targets } from './targets.ts';

const heapMegabytes = 512;
/** A case that takes longer counts as hanging. */
const longestCaseMs = 20_000;

interface Ended {
  readonly cases: number;
  readonly finding: Finding | undefined;
  readonly problems: readonly string[];
  readonly memory: readonly [number, number] | undefined;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } },
  });
  if (positionals[0] === 'record') return await recordSessions();
  const minutes = Number(values.minutes);
  const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
  const chosen = positionals.length === 0 ? targets : positionals.map(findTarget);
  console.log(`Seed ${seed}, ${minutes} minutes for each of: ${chosen.map(({ name }) => name).join(', ')}.`);
  let isGood = true;
  for (const { name } of chosen) {
    const ended = await runWorker(name, seed, minutes);
    report(name, ended);
    isGood &&= ended.finding === undefined && ended.problems.length === 0;
  }
  return isGood ? 0 : 1;
}

function runWorker(name: string, seed: number, minutes: number): Promise<Ended> {
  const worker = fork(resolve('dist/test/fuzzWorker.mjs'), [name, String(seed), String(minutes)], {
    execArgv: [`--max-old-space-size=${heapMegabytes}`, '--expose-gc', '--enable-source-maps'],
  });
  return new Promise((settle) => {
    const watched = watchCases(worker);
    let ended: Ended | undefined;
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'end') ended = message;
    });
    worker.on('exit', (code, signal) => {
      watched.stop();
      settle(ended ?? crashed(watched.lastCase(), watched.isHanging() ? 'a case does not end' : `${signal ?? code}`));
    });
  });
}

function crashed(found: unknown, how: string): Ended {
  return { cases: 0, finding: { found, problem: `The process ended: ${how}.` }, problems: [], memory: undefined };
}

/** Ends a worker whose case does not end. */
function watchCases(worker: ChildProcess): { lastCase(): unknown; isHanging(): boolean; stop(): void } {
  let last: unknown;
  let isHanging = false;
  const alarm = setTimeout(() => {
    isHanging = true;
    worker.kill('SIGKILL');
  }, longestCaseMs);
  worker.on('message', (message: FromWorker) => {
    alarm.refresh();
    if (message.kind === 'case') last = message.input;
  });
  return { lastCase: () => last, isHanging: () => isHanging, stop: () => clearTimeout(alarm) };
}

function report(name: string, { cases, finding, problems, memory }: Ended): void {
  const megabytes = memory?.map((bytes) => `${Math.round(bytes / 1e5) / 10} MB`).join(' → ');
  console.log(`\n${name}: ${cases} cases, memory ${megabytes ?? 'unknown'}`);
  for (const problem of problems) console.log(`  ${problem}`);
  if (finding === undefined) return;
  console.log(`  found: ${finding.problem}`);
  console.log(`  smallest case: ${JSON.stringify(finding.found)}`);
  console.log(`  kept in ${saveFinding(name, finding.found)}`);
}

process.exitCode = await main();
