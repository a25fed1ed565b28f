import { describe, expect, it } from 'vitest';
import { emptyContents } from '../../../../src/client/contents.ts';
import { PatchbayError } from '../../../../src/base/errors.ts';
import {
  findServer,
  findTool,
  readContentTarget,
  readOccurrence,
} from '../../../../src/host/invocation/contentTarget.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';

describe('readContentTarget', () => {
  it('takes a row of the tree and a hand-written argument alike', () => {
    expect(readContentTarget({ kind: 'prompt', server: 'demo', prompt: 'greet', item: {} }, 'prompt')).toEqual({
      server: 'demo',
      name: 'greet',
    });
    expect(readContentTarget(undefined, 'prompt')).toBeUndefined();
    expect(readContentTarget({ server: 'demo' }, 'prompt')).toBeUndefined();
  });

  it.each([{ prompt: 'greet' }, { server: 1, prompt: 'greet' }, { server: 'demo', prompt: 7 }])(
    'refuses %j',
    (argument) => {
      expect(() => readContentTarget(argument, 'prompt')).toThrow(PatchbayError);
    },
  );

  it('says which servers there are when one is not', () => {
    const servers = [{ label: 'demo' } as HostServer];
    const registry = { servers, get: (label: string) => servers.find((host) => host.label === label) };
    expect(findServer(registry, 'demo')).toBe(servers[0]);
    expect(() => findServer(registry, 'dmeo')).toThrow('No server "dmeo" is configured. Configured are "demo".');
  });

  it('means one of several tools of a name: the one of the row, and the first where only the name is given', () => {
    const [first, other, second] = ['a', 'b', 'a'].map((name) => ({ name, inputSchema: {} }));
    const contents = { ...emptyContents, tools: [first, other, second].flatMap((tool) => tool ?? []) };
    const meantBy = (argument: unknown) => findTool(contents, 'a', readOccurrence(argument, contents, 'a'));
    expect(meantBy({ server: 'demo', tool: 'a', occurrence: 1 })).toBe(second);
    expect(meantBy({ server: 'demo', tool: 'a' })).toBe(first);
    expect(meantBy({ occurrence: '1' })).toBe(first);
    expect(meantBy({ occurrence: 7 })).toBe(first);
    // The row of a filtered list: the first of those that are shown.
    expect(meantBy({ item: second, occurrence: 0 })).toBe(second);
    expect(meantBy({ item: { ...second }, occurrence: 0 })).toBe(first);
    expect(findTool(contents, 'c', 0)).toBeUndefined();
  });
});
