import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { summarizeContents } from '../../../../src/client/lists/contentsMemory.ts';
import { type Contents, emptyContents } from '../../../../src/client/contents.ts';
import { createRememberedContents } from '../../../../src/host/servers/serverMemory.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

const { remembered: maximum } = limits;

function createState(initial?: unknown) {
  let stored: unknown = initial;
  return {
    get: <T>(_key: string, fallback?: T) => (stored ?? fallback) as T,
    update: async (_key: string, value: unknown) => void (stored = value),
    keys: () => [],
    stored: () => stored as Record<string, Contents>,
  };
}

const hostile: Contents = {
  tools: Array.from({ length: 50 }, (_, index) => ({
    name: index < 10 ? `tool ${index}` : `${index}${'n'.repeat(2_000_000)}`,
    title: 't'.repeat(100_000),
    description: 'd'.repeat(100_000),
    inputSchema: {},
  })),
  resources: Array.from({ length: 500 }, (_, index) => ({ name: `${index}`, uri: `x:${index}${'u'.repeat(1_900)}` })),
  resourceTemplates: [{ name: 'long', uriTemplate: 'x'.repeat(1_000_000) }],
  prompts: [{ name: 'p', arguments: Array.from({ length: 10_000 }, () => ({ name: 'a'.repeat(500) })) }],
  skills: [],
};

describe('what is remembered of a server', () => {
  it('is bounded, whatever the server names things', () => {
    const summary = summarizeContents(hostile);
    expect(JSON.stringify(summary).length).toBeLessThanOrEqual(maximum.server);
    expect(summary.tools.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, index) => `tool ${index}`));
    expect(summary.tools[0]?.title?.length).toBeLessThan(maximum.text + 50);
    expect(summary.resources.length).toBeGreaterThan(50);
    expect(summary.resourceTemplates).toEqual([]);
  });

  it('is bounded for all servers together, the last listed first', () => {
    const state = createState();
    const memory = createRememberedContents(state, createManualClock());
    const remembered = { contents: summarizeContents(hostile), listedAt: 1 };
    for (let index = 0; index < 50; index += 1) memory.save(`server ${index}`, remembered);
    memory.save('server 3', remembered);
    memory.dispose();
    expect(JSON.stringify(state.stored()).length).toBeLessThanOrEqual(maximum.all * 1.01);
    expect(Object.keys(state.stored())).toEqual(['server 49', 'server 3']);
  });

  it('is forgotten where an older version kept too much, or no date', () => {
    const fine = { contents: emptyContents, listedAt: 1 };
    const state = createState({ huge: { contents: hostile, listedAt: 1 }, undated: emptyContents, fine });
    const memory = createRememberedContents(state, createManualClock());
    expect(memory.load('huge')).toBeUndefined();
    expect(memory.load('undated')).toBeUndefined();
    expect(memory.load('fine')).toEqual(fine);
  });
});
