import { describe, expect, it } from 'vitest';
import { labelFromArgument } from '../../../../src/host/servers/serverArgument.ts';

describe('labelFromArgument', () => {
  it.each([
    ['demo', 'demo'],
    [{ kind: 'server', server: 'demo' }, 'demo'],
    [{ server: 'demo', prompt: 'greet' }, 'demo'],
    [undefined, undefined],
    [{ server: 1 }, undefined],
    [null, undefined],
  ])('%j', (argument, expected) => expect(labelFromArgument(argument)).toBe(expected));
});
