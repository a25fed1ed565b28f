import { isThisComputer } from './hostKind.ts';

/** Environment variables; names in upper case are read in lower case too, as most programs do. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that the environment sets for a URL: `HTTP_PROXY`, `HTTPS_PROXY` or `ALL_PROXY`, unless `NO_PROXY` exempts it.
 * Names in lower case come first. This machine itself is never reached through a proxy.
 * @returns `undefined` for a direct connection, and for a value that is no address of an HTTP proxy
 */
export function environmentProxy(url: URL, environment: ProxyEnvironment): URL | undefined {
  if (isThisComputer(url.hostname) || isExempt(url, splitExemptions(readVariable(environment, 'NO_PROXY'))))
    return undefined;
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = readVariable(environment, name) || readVariable(environment, 'ALL_PROXY');
  return value === '' ? undefined : readProxyAddress(value);
}

export function hasProxy(environment: ProxyEnvironment): boolean {
  return ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].some((name) => readVariable(environment, name) !== '');
}

/** @returns the value of the name in lower case, else of the name itself; empty where neither is set */
export function readVariable(environment: ProxyEnvironment, name: string): string {
  return (environment[name.toLowerCase()] || environment[name] || '').trim();
}

/** @returns the URL of a proxy, which may be written without `http://`; `undefined` for anything but an HTTP proxy */
function readProxyAddress(value: string): URL | undefined {
  const address = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : undefined;
}

/** @param list the value of `NO_PROXY`: separated by commas or spaces */
export function splitExemptions(list: string): readonly string[] {
  return list.split(/[\s,]+/).filter((entry) => entry !== '');
}

/**
 * Tells whether a URL needs no proxy.
 * @param exemptions host names, which include their subdomains, or addresses; each may have a port, and `.` or `*.` before
 * it; `*` is everything. IPv6 addresses have brackets, at least where a port follows
 */
export function isExempt({ protocol, hostname, port }: URL, exemptions: readonly string[]): boolean {
  const usedPort = port || (protocol === 'https:' ? '443' : '80');
  return exemptions.some((entry) => {
    if (entry === '*') return true;
    // What has more colons than the one before a port is an IPv6 address without brackets.
    const [, host = `[${entry}]`, entryPort] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
    const name = host.toLowerCase().replace(/^\*?\./, '');
    return (
      name !== '' &&
      (entryPort === undefined || entryPort === usedPort) &&
      (hostname === name || hostname.endsWith(`.${name}`))
    );
  });
}
