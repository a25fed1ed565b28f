import { describe, expect, it, vi } from 'vitest';
import { joinGateways } from '../../../../src/host/models/modelGateways.ts';
import type { ModelGateway, ModelInfo } from '../../../../src/models/modelGateway.ts';

const request = { messages: [], maxTokens: 1 };
const { signal } = new AbortController();

function info(id: string): ModelInfo {
  return { id, name: id, vendor: '', family: '', maxInputTokens: 0 };
}

function gateway(id: string): ModelGateway {
  return {
    list: vi.fn(async () => [info(id)]),
    generate: vi.fn(async (model: string) => ({
      result: { role: 'assistant' as const, content: [], model },
      usage: { inputTokens: 1, outputTokens: 1 },
    })),
  };
}

function setUp(editor = gateway('lm:a'), others = gateway('http:b')) {
  const load = vi.fn(async () => others);
  const warn = vi.fn();
  return { load, warn, joined: joinGateways(editor, { list: () => others.list(), load }, { warn }) };
}

describe('the models of all kinds', () => {
  it('are listed together, those that the person set up first', async () => {
    const { joined, load } = setUp();
    expect((await joined.list()).map(({ id }) => id)).toEqual(['http:b', 'lm:a']);
    expect(load).not.toHaveBeenCalled();
  });

  it.each([
    ['those of the editor', setUp({ ...gateway('lm:a'), list: () => Promise.reject(new Error('broken')) }), ['http:b']],
    [
      'the others',
      setUp(undefined, { ...gateway('http:b'), list: () => Promise.reject(new Error('broken')) }),
      ['lm:a'],
    ],
  ])('are still there without %s', async (_which, { joined, warn }, ids) => {
    expect((await joined.list()).map(({ id }) => id)).toEqual(ids);
    expect(warn).toHaveBeenCalledExactlyOnceWith('Some models cannot be listed: broken');
  });

  it('answer by their id, and what speaks with endpoints is loaded for those only', async () => {
    const { joined, load } = setUp();
    expect((await joined.generate('lm:a', request, () => {}, signal)).result.model).toBe('lm:a');
    expect(load).not.toHaveBeenCalled();
    expect((await joined.generate('http:b', request, () => {}, signal)).result.model).toBe('http:b');
    expect(load).toHaveBeenCalledOnce();
  });
});
