import { describe, expect, it } from 'vitest';
import { shutDown } from '../../../../src/transport/stdio/processTree.ts';
import { createManualClock, settle, type ManualClock } from '../../../fixtures/manualClock.ts';

type Step = 'closeInput' | 'SIGTERM' | 'SIGKILL';

/** Processes that end at a given step, or never; a killed one needs `dyingMs` to end. */
function createScene(endsAt: Record<number, Step | 'never'>, dyingMs = 0) {
  const clock: ManualClock = createManualClock();
  const startedAt = clock.now();
  const steps: [Step, number][] = [];
  const alive = new Set(Object.keys(endsAt).map(Number));
  let leaveLeader = (): void => {};
  const exited = new Promise<void>((resolve) => (leaveLeader = resolve));

  function take(step: Step): void {
    if (steps.at(-1)?.[0] !== step) steps.push([step, clock.now() - startedAt]);
    const end = (): void => {
      for (const pid of alive) if (endsAt[pid] === step) alive.delete(pid);
      if (!alive.has(1)) leaveLeader();
    };
    if (step === 'SIGKILL' && dyingMs > 0) clock.after(dyingMs, end);
    else end();
  }

  const result = shutDown(
    {
      tree: { alive: async () => [...alive], signal: async (signal) => take(signal) },
      closeInput: () => take('closeInput'),
      exited,
    },
    clock,
    2_000,
  );
  return { clock, steps, result };
}

describe('shutDown', () => {
  it('only ends the input of a server that exits by itself, without waiting', async () => {
    const { steps, result, clock } = createScene({ 1: 'closeInput' });
    expect(await result).toEqual([]);
    expect(steps).toEqual([['closeInput', 0]]);
    expect(clock.waiting).toBe(0);
  });

  it('gives each step its time', async () => {
    const { steps, result, clock } = createScene({ 1: 'SIGKILL' });
    await settle();
    await clock.advance(10_000);
    expect(await result).toEqual([]);
    expect(steps.map(([step]) => step)).toEqual(['closeInput', 'SIGTERM', 'SIGKILL']);
    expect(steps[1]?.[1]).toBe(2_000);
    expect(steps[2]?.[1]).toBeGreaterThanOrEqual(4_000);
  });

  it('signals at once what an exited server left behind', async () => {
    const { steps, result, clock } = createScene({ 1: 'closeInput', 2: 'SIGTERM' });
    await settle();
    await clock.advance(100);
    expect(await result).toEqual([]);
    expect(steps).toEqual([
      ['closeInput', 0],
      ['SIGTERM', 0],
    ]);
  });

  it('waits beyond the grace for a killed process to be gone, as on a machine under load', async () => {
    const { result, clock } = createScene({ 1: 'SIGKILL' }, 5_000);
    await settle();
    await clock.advance(20_000);
    expect(await result).toEqual([]);
  });

  it('gives up on what cannot be killed, and names it', async () => {
    const { result, clock } = createScene({ 1: 'SIGTERM', 2: 'never' });
    await settle();
    await clock.advance(60_000);
    expect(await result).toEqual([2]);
  });
});
