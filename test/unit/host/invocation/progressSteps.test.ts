import { describe, expect, it } from 'vitest';
import { createProgressSteps } from '../../../../src/host/invocation/callProgress.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

describe('progressSteps', () => {
  it('turns progress into increments, a few a second, the last always shown', async () => {
    const clock = createManualClock();
    const written: { readonly increment?: number }[] = [];
    const steps = createProgressSteps(clock);
    steps.report({ progress: 1, total: 10, message: 'one' });
    steps.show((step) => written.push(step));
    for (let progress = 2; progress <= 9; progress += 1) steps.report({ progress, total: 10 });
    expect(written).toEqual([{ message: 'one', increment: 10, percent: 10 }]);
    await clock.advance(100);
    expect(written.at(-1)).toEqual({ message: '90 %', increment: 80, percent: 90 });
    await clock.advance(1_000);
    expect(written).toHaveLength(2);
  });

  it('never goes back and copes with numbers that make no sense', async () => {
    const clock = createManualClock();
    const written: { readonly increment?: number }[] = [];
    const steps = createProgressSteps(clock);
    steps.show((step) => written.push(step));
    for (const progress of [
      { progress: 5, total: 10 },
      { progress: 2, total: 10 },
      { progress: 90, total: 10 },
      { progress: 1, total: 0 },
      { progress: 3 },
    ]) {
      steps.report(progress);
      await clock.advance(100);
    }
    expect(written.map(({ increment }) => increment)).toEqual([50, 0, 50, undefined, undefined]);
  });
});
