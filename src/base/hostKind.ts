/** Where a host is, as far as its name or number shows that. */
export type HostKind = 'thisComputer' | 'metadata' | 'linkLocal' | 'localNetwork' | 'public';

/** The end of a sentence such as "It is in …", for each kind that is not public. */
const words: Readonly<Record<Exclude<HostKind, 'public'>, string>> = {
  thisComputer: 'this computer',
  metadata: 'the metadata service of cloud machines',
  linkLocal: 'your local network',
  localNetwork: 'your local network',
};

/** @returns "this computer", "your local network", "the metadata service of cloud machines"; `undefined` for a public host */
export function describeHostKind(host: string): string | undefined {
  const kind = hostKindOf(host);
  return kind === 'public' ? undefined : words[kind];
}

/**
 * The one spelling of a host that a browser compares: numbers as four decimal parts or as a shortened IPv6 address in
 * brackets, names in lower case and ASCII, without dots at their end.
 * @returns `undefined` for what is no host
 */
export function canonicalHost(host: string): string | undefined {
  const name = host.trim();
  // What would end the host of an address, or begin another part of it.
  if (name === '' || /[\s/\\?#@]/.test(name)) return undefined;
  // The zone of an IPv6 address, and an address without its brackets.
  const bare = name.replace(/%[^\]]*(?=(?:\](?::\d*)?)?$)/, (zone) => (name.includes(':') ? '' : zone));
  const isBareIpv6 = !bare.startsWith('[') && /:.*:/.test(bare);
  const address = `https://${isBareIpv6 ? `[${bare}]` : bare.replace(/:\d*$/, '')}`;
  if (!URL.canParse(address)) return undefined;
  const canonical = new URL(address).hostname.replace(/\.+$/, '');
  return canonical === '' ? undefined : canonical;
}

/** A host in its one spelling, and the IPv4 addresses that an IPv6 address stands for. @param host a canonical one */
export function hostSpellings(host: string): readonly string[] {
  const embedded = host.startsWith('[') ? embeddedIpv4(readIpv6(host.slice(1, -1))) : [];
  return [host, ...embedded.map((parts) => parts.join('.'))];
}

/**
 * Where a host is, in any of its spellings. It is what to ask before a warning or a refusal: an address that leads to this
 * computer only on some machines counts as this computer. To allow something there, see {@link isThisComputer}.
 * @param host a name or a number, as it was written or as `URL.hostname` returns it
 */
export function hostKindOf(host: string): HostKind {
  const name = canonicalHost(host);
  if (name === undefined) return 'public';
  if (name.startsWith('[')) return kindOfIpv6(readIpv6(name.slice(1, -1)));
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(name);
  return parts === null ? kindOfName(name) : kindOfIpv4(parts.slice(1).map(Number));
}

/** True where a connection cannot leave this computer. @param host as `URL.hostname` returns it */
export function isThisComputer(host: string): boolean {
  const name = canonicalHost(host) ?? '';
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(name);
}

const ownNames =
  /^(?:(?:.+\.)?localhost(?:\.localdomain)?|localhost6?(?:\.localdomain6?)?|ip6-(?:localhost|loopback)|(?:host|kubernetes|gateway)\.docker\.internal|host\.containers\.internal)$/;
const metadataNames =
  /^(?:metadata|instance-data)(?:\.(?:goog|google\.internal|ec2\.internal|azure\.internal|tencentyun\.com|platformequinix\.com))?$/;
const localNames = /(?:^|\.)(?:local|lan|internal|intranet|private|corp|home|localdomain|home\.arpa)$/;

/** RFC 6761, 6762 and 8375, the reserved `internal`, and names that home and company networks use. */
function kindOfName(name: string): HostKind {
  if (ownNames.test(name)) return 'thisComputer';
  if (metadataNames.test(name)) return 'metadata';
  return localNames.test(name) ? 'localNetwork' : 'public';
}

/** The metadata services of AWS (also for containers), Google, Azure, Oracle, Alibaba and Tencent. */
const metadataIpv4 = new Set(
  `169.254.169.254 169.254.169.253 169.254.169.123 169.254.170.2 169.254.170.23 169.254.0.23 168.63.129.16 192.0.0.192
  100.100.100.200`.split(/\s+/),
);

/** RFC 6890 and its updates. */
function kindOfIpv4(parts: readonly number[]): HostKind {
  const [first = 0, second = 0, third = 0] = parts;
  if (metadataIpv4.has(parts.join('.'))) return 'metadata';
  if (first === 127 || first === 0) return 'thisComputer';
  if (first === 169 && second === 254) return 'linkLocal';
  const isLocal =
    first === 10 ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168) ||
    (first === 192 && second === 0 && third === 0) ||
    (first === 100 && second >= 64 && second <= 127) ||
    (first === 198 && (second === 18 || second === 19)) ||
    first >= 224;
  return isLocal ? 'localNetwork' : 'public';
}

/** @param address as `URL.hostname` shortens it: in lower case, in hexadecimal alone. @returns its eight groups */
function readIpv6(address: string): readonly number[] {
  const [head = '', tail] = address.split('::');
  const read = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [read(head), read(tail ?? '')];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

/** RFC 4291 and 6890. */
function kindOfIpv6(groups: readonly number[]): HostKind {
  const [first = 0, second = 0, third = 0] = groups;
  const last = groups[7] ?? 0;
  const isZero = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0);
  if (isZero(0, 7) && last <= 1) return 'thisComputer';
  // Of AWS, of Google, and of OpenStack.
  if (first === 0xfd00 && second === 0xec2 && isZero(2, 7) && last === 0x254) return 'metadata';
  if (first === 0xfd20 && second === 0xce && isZero(2, 7) && last === 0x254) return 'metadata';
  if (first === 0xfe80 && isZero(1, 6) && groups[6] === 0xa9fe && last === 0xa9fe) return 'metadata';
  if ((first & 0xffc0) === 0xfe80) return 'linkLocal';
  // Unique local, site-local and multicast.
  const isLocal = (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfec0 || (first & 0xff00) === 0xff00;
  if (isLocal) return 'localNetwork';
  const embedded = embeddedIpv4(groups).map(kindOfIpv4);
  const found = nearest.find((kind) => embedded.includes(kind));
  // 64:ff9b:1::/48 is for a network's own translation (RFC 8215).
  return found ?? (first === 0x64 && second === 0xff9b && third === 1 ? 'localNetwork' : 'public');
}

/** The kinds that are worth a warning, the most severe first. */
const nearest: readonly HostKind[] = ['metadata', 'thisComputer', 'linkLocal', 'localNetwork'];

/** The IPv4 addresses that an IPv6 address stands for, which a machine or a network may translate it to. */
function embeddedIpv4(groups: readonly number[]): readonly (readonly number[])[] {
  const at = (index: number): number => groups[index] ?? 0;
  const [first, second] = [at(0), at(1)];
  const parts = (high: number, low: number): readonly number[] => [high >> 8, high & 0xff, low >> 8, low & 0xff];
  const end = parts(at(6), at(7));
  // IPv4-mapped, IPv4-translated, and the old IPv4-compatible addresses.
  if ([0, 1, 2, 3].every((index) => at(index) === 0)) return [end];
  // 6to4 (RFC 3056).
  if (first === 0x2002) return [parts(second, at(2))];
  // Teredo (RFC 4380): the server, and the client with its bits inverted.
  if (first === 0x2001 && second === 0) return [parts(at(2), at(3)), parts(at(6) ^ 0xffff, at(7) ^ 0xffff)];
  // NAT64 (RFC 6052, section 2.2): at the end, or around bits 64 to 71.
  const split = parts(at(3), ((at(4) & 0xff) << 8) | (at(5) >> 8));
  if (first === 0x64 && second === 0xff9b)
    return [end, ...(at(2) === 1 ? [split] : [])].filter((all) => all.some(Boolean));
  // ISATAP (RFC 5214).
  return (at(4) === 0 || at(4) === 0x200) && at(5) === 0x5efe ? [end] : [];
}
