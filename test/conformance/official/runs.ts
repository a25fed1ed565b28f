import type { ListedScenario } from './suite.ts';

/** A scenario alone, at one revision. */
export interface ScenarioRun {
  readonly scenario: string;
  /** The column of the table. */
  readonly revision: string;
  /** The suite's own options. */
  readonly options: readonly string[];
}

/** The revisions whose frozen list of required scenarios is run as a whole, and at which extensions are forced. */
export const requiredRevisions = ['2025-11-25', '2026-07-28'] as const;

/** Every scenario at every revision it applies to; scenarios of extensions are on no timeline and have to be forced. */
export function runsOf(scenarios: readonly ListedScenario[]): readonly ScenarioRun[] {
  return scenarios.flatMap(({ scenario, tags }) =>
    tags.includes('extension')
      ? requiredRevisions.map((revision) => runAt(scenario, revision, ['--force']))
      : tags.map((revision) => runAt(scenario, revision, [])),
  );
}

function runAt(scenario: string, revision: string, options: readonly string[]): ScenarioRun {
  return { scenario, revision, options: ['--scenario', scenario, '--spec-version', revision, ...options] };
}

/**
 * 0.1.16 runs each scenario at the one revision it knows it for. Left out is the scenario whose mock serves metadata
 * with an issuer that is not where it was fetched from, which RFC 8414, section 3.3, tells clients to refuse; later
 * releases corrected it.
 */
export function oldRunsOf(scenarios: readonly ListedScenario[]): readonly ScenarioRun[] {
  return scenarios
    .filter(({ scenario }) => scenario !== 'auth/2025-03-26-oauth-metadata-backcompat')
    .map(({ scenario }) => ({ scenario, revision: '0.1.16', options: ['--scenario', scenario] }));
}
