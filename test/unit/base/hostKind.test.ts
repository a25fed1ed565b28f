import { describe, expect, it } from 'vitest';
import { canonicalHost, describeHostKind, hostKindOf, isThisComputer } from '../../../src/base/hostKind.ts';
import hostSpellings from '../../fixtures/hostSpellings.json' with { type: 'json' };

describe('the kind of a host', () => {
  it.each(Object.entries(hostSpellings).flatMap(([kind, hosts]) => hosts.map((host) => [host, kind] as const)))(
    'of %s is %s',
    (host, kind) => {
      expect(hostKindOf(host)).toBe(kind);
    },
  );

  it.each(['localhost:3000', '127.1:80', '[::1]:443', '[::ffff:7f00:1]:*'.replace(':*', ':8080')])(
    'is that of the host of %s, whatever the port',
    (host) => {
      expect(hostKindOf(host)).toBe('thisComputer');
    },
  );

  it.each([
    ['[::1]', 'this computer'],
    ['nas.lan', 'your local network'],
    ['169.254.9.9', 'your local network'],
    ['0xa9fea9fe', 'the metadata service of cloud machines'],
    ['example.com', undefined],
  ])('of %s is called %s', (host, words) => {
    expect(describeHostKind(host)).toBe(words);
  });
});

describe('a connection', () => {
  it.each([
    'localhost',
    'a.localhost',
    'LOCALHOST.',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
  ])('to %s stays on this computer', (host) => {
    expect(isThisComputer(host)).toBe(true);
  });

  it.each([
    '[2002:7f00:1::]',
    '[64:ff9b::7f00:1]',
    'host.docker.internal',
    'localhost.localdomain',
    '0.0.0.0',
    '[::]',
    '0.1.2.3',
    '10.0.0.1',
    'x',
  ])('to %s may leave it', (host) => {
    expect(isThisComputer(host)).toBe(false);
  });
});

describe('the one spelling of a host', () => {
  it.each([
    ['0x7F.1', '127.0.0.1'],
    ['EXAMPLE.com.', 'example.com'],
    ['[0:0::1]', '[::1]'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['a/b', undefined],
    ['me@a', undefined],
    ['256.256.256.256', undefined],
    ['[:]', undefined],
    ['', undefined],
    ['.', undefined],
  ])('of %j is %j', (host, canonical) => {
    expect(canonicalHost(host)).toBe(canonical);
  });
});
