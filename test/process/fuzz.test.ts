import { describe, expect, it } from 'vitest';
import { runCases } from '../fuzz/runCases.ts';
import { targets } from '../fuzz/targets.ts';

/** A short run with a fixed seed; `npm run fuzz` uses other seeds. */
const cases: Readonly<Record<string, number>> = {
  stdio: 3,
  http: 5,
  configuration: 300,
  schemas: 50,
  signIn: 300,
  views: 1_000,
  bytes: 2_000,
};

describe.each(targets.map((target) => [target.name, target] as const))('the fuzz target %s', (_name, target) => {
  it('holds for what was found before, and for the first cases of seed 1', async () => {
    const opened = await target.open();
    const ran = await runCases(target.name, opened, { seed: 1, cases: cases[target.name] ?? 100 });
    const left = await opened.close();
    expect(ran.finding).toBeUndefined();
    expect(ran.cases).toBeGreaterThan(0);
    expect(left).toEqual([]);
  });
});
