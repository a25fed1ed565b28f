import type { CheckResult, Verdict } from './checkResult.ts';

/** From the most to the least important: the order in which results are listed and counted. */
const verdictOrder: readonly Verdict[] = ['failed', 'warning', 'note', 'notRun', 'nothingToCheck', 'passed'];

export const verdictWords: Readonly<Record<Verdict, string>> = {
  failed: 'failed',
  warning: 'warning',
  note: 'note',
  notRun: 'not run',
  nothingToCheck: 'nothing to check',
  passed: 'passed',
};

export interface CheckSummary {
  readonly counts: Readonly<Record<Verdict, number>>;
  /** At least one result counts as a failure. */
  readonly hasFailed: boolean;
  /** `1 failed, 2 warnings, 12 passed`; `no checks` */
  readonly text: string;
}

/** @param isStrict warnings count as failures */
export function isFailure({ verdict }: Pick<CheckResult, 'verdict'>, isStrict = false): boolean {
  return verdict === 'failed' || (isStrict && verdict === 'warning');
}

/** Counts results by verdict. What counts as a failure is decided here, for the editor and the command line. */
export function summarise(results: readonly CheckResult[], isStrict = false): CheckSummary {
  const counts = { failed: 0, warning: 0, note: 0, notRun: 0, nothingToCheck: 0, passed: 0 };
  for (const { verdict } of results) counts[verdict] += 1;
  const parts = verdictOrder.flatMap((verdict) => {
    const count = counts[verdict];
    const plural = (verdict === 'warning' || verdict === 'note') && count > 1 ? 's' : '';
    return count === 0 ? [] : [`${count} ${verdictWords[verdict]}${plural}`];
  });
  return {
    counts,
    hasFailed: results.some((result) => isFailure(result, isStrict)),
    text: parts.length === 0 ? 'no checks' : parts.join(', '),
  };
}

/** In the order of {@link verdictOrder}; results of one verdict stay in theirs. */
export function byVerdict(results: readonly CheckResult[]): readonly CheckResult[] {
  return verdictOrder.flatMap((verdict) => results.filter((result) => result.verdict === verdict));
}
