// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The maximum at the end, as a multiple of the use after the first tenth. */
const growth = 1.2;

/** Runs the soak in a separate process, and prints its use of resources over time, and whether it stayed constant. */
export async function runSoak() {
  const started = performance.now();
  const worker = fork(fileURLToPath(new URL('soak.mjs', import.meta.url)), {
    execArgv: ['--expose-gc', '--max-old-space-size=512'],
  });
  /** @type {any} */
  const [measured] = await Promise.race([once(worker, 'message'), once(worker, 'exit')]);
  if (typeof measured !== 'object' || measured === null) throw new Error(`The soak ended early: ${measured}.`);
  const { outcomes, samples, warnings } = measured;
  console.log(outcomes);
  for (const sample of samples) console.log(sample);
  for (const warning of warnings) console.log(warning);
  const [first] = samples;
  const last = samples.at(-1);
  const grown = Object.keys(first).filter((name) => last[name] > first[name] * growth);
  const isExact = outcomes.calls === outcomes.answered + outcomes.refused && outcomes.wrong === 0;
  const isGood = isExact && grown.length === 0 && warnings.length === 0;
  const minutes = (performance.now() - started) / 60_000;
  console.log(`${isGood ? 'held' : `MISSED: ${grown.join(', ')}`}, in ${minutes.toFixed(1)} minutes`);
  if (!isGood) process.exitCode = 1;
  return { outcomes, samples, warnings, isGood };
}

/** Runs the soak of the traffic in a separate process, which prints what it finds. @param {readonly string[]} args minutes */
export async function runTrafficSoak(args) {
  const worker = fork(fileURLToPath(new URL('soakTraffic.mjs', import.meta.url)), args, {
    execArgv: ['--expose-gc', '--max-old-space-size=512'],
  });
  const [code] = await once(worker, 'exit');
  if (code !== 0) process.exitCode = 1;
  return { isGood: code === 0 };
}
