// Runs one target until it has expired, in a separate process:
//   node fuzzWorker.mjs TARGET SEED MINUTES
// Reports each case over IPC before it runs, so that a case that hangs or ends the process is known.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type Finding, type FromWorker, runCases } from './runCases.ts';
import { findTarget } from './targets.ts';

const casesInRound = 100;
const longestBlockMs = 1_000;
/** As a multiple of the memory after the first round: memory of fast-check and the compiler is not a leak. */
const memoryLimits = { factor: 1.2, spareBytes: 8_000_000 };

const [name = '', seed = '0', minutes = '1'] = process.argv.slice(2);

function tell(message: FromWorker): void {
  process.send?.(message);
}

const uncaught: string[] = [];
process.on('uncaughtException', (error) => uncaught.push(`uncaught: ${error.stack}`));
process.on('unhandledRejection', (reason) => uncaught.push(`unhandled: ${String(reason)}`));

/** Fails a case that blocks the event loop, or causes an uncaught error. */
async function watchCase(input: unknown, run: () => Promise<void>): Promise<void> {
  tell({ kind: 'case', input });
  const blockMs = await measureBlock(run);
  // A busy machine blocks too, but not the same case twice.
  if (blockMs > longestBlockMs && (await measureBlock(run)) > longestBlockMs)
    throw new Error(`The event loop was blocked for ${Math.round(blockMs)} ms.`);
  const [first] = uncaught.splice(0);
  if (first !== undefined) throw new Error(first);
}

/** @returns milliseconds; a process that waits for a processor on a busy machine does not count as blocked */
async function measureBlock(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  await run();
  // A delay by a block is visible in the next turn of the event loop.
  await pause(1);
  delay.disable();
  const { user, system } = process.cpuUsage(before);
  return Math.min(delay.max / 1e6, (user + system) / 1e3);
}

async function memory(): Promise<number> {
  await pause(100);
  for (let round = 0; round < 4; round += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function main(): Promise<void> {
  const target = await findTarget(name).open();
  const endsAt = performance.now() + Number(minutes) * 60_000;
  const isOver = (): boolean => performance.now() > endsAt;
  let finding: Finding | undefined;
  let cases = 0;
  let firstMemory: number | undefined;
  for (let round = 0; finding === undefined && !isOver(); round += 1) {
    const options = { seed: Number(seed) + round, cases: casesInRound, isOver, around: watchCase };
    const ran = await runCases(name, target, options);
    finding = ran.finding;
    cases += ran.cases;
    firstMemory ??= await memory();
  }
  const left = await target.close();
  const lastMemory = await memory();
  const allowed = (firstMemory ?? lastMemory) * memoryLimits.factor + memoryLimits.spareBytes;
  const problems = [
    ...left.map((what) => `left behind: ${what}`),
    ...(lastMemory > allowed ? [`memory grew from ${firstMemory} to ${lastMemory} bytes`] : []),
  ];
  tell({ kind: 'end', cases, finding, problems, memory: [firstMemory ?? lastMemory, lastMemory] });
  process.disconnect();
}

await main();
