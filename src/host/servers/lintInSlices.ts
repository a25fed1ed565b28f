import type { Clock } from '../../base/clock.ts';
import { createSlices } from '../../base/slices.ts';
import type { LintFacts } from '../../workshop/lint/lintFacts.ts';
import { type LintReport, lintSteps } from '../../workshop/lint/lintServer.ts';

/** Lints in slices, so that the editor goes on. @returns `undefined` if `isCurrent` said no */
export async function lintInSlices(
  facts: LintFacts,
  clock: Clock,
  isCurrent: () => boolean = () => true,
): Promise<LintReport | undefined> {
  const steps = lintSteps(facts);
  const nextSlice = createSlices(clock, () => new Promise((resolve) => void setImmediate(resolve)));
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const pause = nextSlice();
    if (pause === undefined) continue;
    await pause;
    if (!isCurrent()) return undefined;
  }
}
