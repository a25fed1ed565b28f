import { afterAll, describe, expect, it } from 'vitest';
import { findNode } from '../tools/vscodeHost/installServer.mjs';
import { findRelease, newestVersion } from '../tools/vscodeHost/versions.mjs';
import { failuresOf, endOfOutput } from './official/scenarioFailures.ts';
import { oldRunsOf, requiredRevisions, runsOf, type ScenarioRun } from './official/runs.ts';
import { createSuite, type Suite } from './official/suite.ts';
import { createTable } from './official/table.ts';

const node = await findNode(findRelease(newestVersion).node, console.log);
const suite = createSuite('@modelcontextprotocol/conformance', node);
const oldSuite = createSuite('conformance-legacy', node);
const runs = runsOf(await suite.listScenarios());
const oldRuns = oldRunsOf(await oldSuite.listScenarios());
const table = createTable();

afterAll(() => console.log(`\n${table.toString()}`));

function passesEach(tested: Suite, all: readonly ScenarioRun[]): void {
  for (const run of all) table.set(run, 'not run');
  it.for(all)('passes $scenario at $revision', async (run) => {
    table.set(run, 'failed');
    const { exitCode, checks, output } = await tested.run(`${run.scenario}-${run.revision}`, run.options);
    const failures = failuresOf(checks.get(run.scenario));
    if (exitCode !== 0) failures.push(`It ended with ${exitCode}.`, ...endOfOutput(output));
    expect(failures).toEqual([]);
    table.set(run, 'passed');
  });
}

// Two at a time, as vitest.config.mjs says: each is a process of its own with ports of its own.
describe.concurrent('the official suite, each scenario alone', () => {
  passesEach(suite, runs);
});

describe.concurrent('the official suite as it was in 0.1.16', () => {
  passesEach(oldSuite, oldRuns);
});

describe('the official suite', () => {
  it('has as many scenarios as were looked at', () => {
    expect([runs.length, oldRuns.length]).toEqual([79, 25]);
  });

  it.for(requiredRevisions)('finds all that is required in %s', { timeout: 240_000 }, async (revision) => {
    const { exitCode, checks } = await suite.run(`required-${revision}`, [
      '--requirements',
      revision,
      // All at the same time, on the available cores.
      '--timeout',
      '180000',
    ]);
    const failures = [...checks].flatMap(([scenario, found]) =>
      failuresOf(found).map((failure) => `${scenario}: ${failure}`),
    );
    expect(failures).toEqual([]);
    expect(checks.size).toBeGreaterThan(0);
    expect(exitCode).toBe(0);
  });
});
