import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { findServer, readContentTarget } from '../../../../src/host/invocation/contentTarget.ts';
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
});
