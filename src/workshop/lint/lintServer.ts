import type { CheckResult } from '../checks/checkResult.ts';
import type { LintFacts } from './lintFacts.ts';

/**
 * What other hosts would do with a server. Pure: the same facts give the same results, in the order of the rules.
 * `failed`: the host refuses or drops it. `warning`: worth a change. A rule without a finding has `passed`, or had `nothingToCheck`.
 */
export function lintServer(_facts: LintFacts): readonly CheckResult[] {
  return [];
}
