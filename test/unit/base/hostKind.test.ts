import { describe, expect, it } from 'vitest';
import {
  canonicalHost,
  describeHostKind,
  type HostKind,
  hostKindOf,
  isThisComputer,
} from '../../../src/base/hostKind.ts';

const spellings: Readonly<Record<HostKind, readonly string[]>> = {
  thisComputer: [
    'localhost',
    'LOCALHOST.',
    'localhost..',
    'a.localhost',
    'a.b.LocalHost.',
    'localhost.localdomain',
    'ip6-loopback',
    'host.docker.internal',
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.255.255.254',
    '0x7f.1',
    '0X7F000001',
    '0177.0.0.1',
    '0177.1',
    '2130706433',
    '017700000001',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    '0.1.2.3',
    '[::]',
    '[::1]',
    '[::1%lo]:443',
    '::1',
    '[0:0:0:0:0:0:0:1]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:127.0.0.1]',
    '[::FFFF:7F00:1]',
    '[0000:0000::ffff:7f00:0001]',
    '[::ffff:0:127.0.0.1]',
    '[2002:7f00:1::]',
    '[2002:7f00:1::1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[64:ff9b:1:7f00:0:100::]',
    '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
    '[2001:db8::5efe:127.0.0.1]',
  ],
  metadata: [
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '169.254.43518',
    '[::ffff:169.254.169.254]',
    '[::a9fe:a9fe]',
    '[2002:a9fe:a9fe::]',
    '[64:ff9b::a9fe:a9fe]',
    '169.254.170.2',
    '192.0.0.192',
    '100.100.100.200',
    '168.63.129.16',
    '[fd00:ec2::254]',
    '[FD00:0EC2:0::254]',
    '[fd20:ce::254]',
    '[fe80::a9fe:a9fe]',
    '[fe80::a9fe:a9fe%eth0]:80',
    'metadata',
    'metadata.google.internal',
    'Metadata.Google.Internal.',
    'metadata.goog',
    'instance-data.ec2.internal',
  ],
  linkLocal: [
    '169.254.1.1',
    '[fe80::1]',
    '[fe80::1%eth0]',
    '[fe80::1%eth0]:80',
    'fe80::1%25en0',
    '[febf::1]',
    '[::ffff:169.254.1.1]',
  ],
  localNetwork: [
    '10.1.2.3',
    '167772161',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.168.257',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[fd12::1]',
    '[fc00::1]',
    '[fec0::1]',
    '[feff::1]',
    '[ff02::1]',
    '[::ffff:10.0.0.1]',
    '[2002:c0a8:101::1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b:1::8.8.8.8]',
    'printer.local',
    'router.lan',
    'nas.LAN.',
    'wiki.corp.internal',
    'hub.home.arpa',
    'lan',
  ],
  public: [
    'example.com',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '169.253.1.1',
    '100.128.0.1',
    '[2001:db8::1]',
    '[2002:808:808::]',
    '[2a00:1450::1]',
    'notlocalhost',
    'localhost.example.com',
    'local.example',
    'metadata.example.com',
    '127.0.0.1.example.com',
    'my-lan',
  ],
};

describe('the kind of a host', () => {
  it.each(Object.entries(spellings).flatMap(([kind, hosts]) => hosts.map((host) => [host, kind] as const)))(
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
