import type { Clock } from '../../base/clock.ts';
import type { LintFacts } from '../../workshop/lint/lintFacts.ts';
import { type LintReport, lintSteps } from '../../workshop/lint/lintServer.ts';

/** Milliseconds of work before the event loop has its turn. */
const sliceMs = 8;

/** Lints in slices, so that the editor goes on. @returns `undefined` if `isCurrent` said no */
export async function lintInSlices(
  facts: LintFacts,
  clock: Clock,
  isCurrent: () => boolean = () => true,
): Promise<LintReport | undefined> {
  const steps = lintSteps(facts);
  let startedAt = clock.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (clock.now() - startedAt < sliceMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    if (!isCurrent()) return undefined;
    startedAt = clock.now();
  }
}
