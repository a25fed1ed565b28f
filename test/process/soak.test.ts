import { describe, expect, it } from 'vitest';
import { createHeadlessHost } from '../../src/headless.ts';
import { soak } from '../bench/soak.mjs';

describe('a host that is used for long', () => {
  it('gives every call exactly one outcome, its own, over restarts, and holds nothing of the servers before', async () => {
    const handles: number[] = [];
    const outcomes = await soak(createHeadlessHost, { servers: 4, calls: 800, restarts: 16 }, () => {
      handles.push(process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length);
    });
    expect(outcomes).toMatchObject({ calls: 800, wrong: 0, restarts: 16 });
    expect(outcomes.answered + outcomes.refused).toBe(800);
    expect(outcomes.answered).toBeGreaterThanOrEqual(720);
    expect(new Set(handles)).toEqual(new Set([4]));
  });
});
