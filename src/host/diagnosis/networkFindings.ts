import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP, type NetConnectOpts } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { networkCode } from '../../base/httpClient.ts';
import { isThisComputer } from '../../base/hostKind.ts';
import { isExempt, type ProxyEnvironment, readVariable, splitExemptions } from '../../base/proxyRules.ts';
import { visibleText } from '../../base/visibleText.ts';
import { socketAdvice } from '../../transport/http/httpProblems.ts';
import { findCertificate } from './certificateFinding.ts';
import { check, type Finding } from './diagnosis.ts';

export interface NetworkSettings {
  /** The setting `http.proxy`. */
  readonly proxy: string;
  /** The setting `http.proxySupport`. */
  readonly support: string;
  /** The setting `http.noProxy`. */
  readonly noProxy: readonly string[];
  /** False: the setting `http.proxyStrictSSL` is off. */
  readonly verifiesCertificates: boolean;
  readonly environment: ProxyEnvironment;
}

const timeoutMs = 10_000;

/**
 * Checks proxy, name, port and certificate, each only if the one before works. Sends nothing to the server.
 * @throws the reason of the signal
 */
export async function diagnoseNetwork(
  url: URL,
  settings: NetworkSettings,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const usedProxy = findProxy(url, settings);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const name = await checkName(host, signal);
  const direct = name.outcome === 'problem' ? [name] : [name, await checkPort(host, port, clock, signal)];
  const isReached = direct.every(({ outcome }) => outcome !== 'problem');
  const findings = usedProxy === undefined ? direct : [proxyFinding(usedProxy), ...direct.map(downgraded)];
  if (url.protocol !== 'https:' || (!isReached && usedProxy === undefined)) return findings;
  return [...findings, await findCertificate(url, settings, signal)];
}

/**
 * Checks that something listens on a socket. Sends nothing.
 * @param path absolute
 * @throws the reason of the signal
 */
export function diagnoseSocket(path: string, signal: AbortSignal): Promise<Finding> {
  const shown = visibleText(path);
  const look = async (): Promise<string[]> => {
    await tryConnection({ path }, signal);
    return [`${shown} takes connections`];
  };
  return check('Socket', signal, look, (error) => {
    const code = codeOf(error);
    const advice = socketAdvice(code) ?? `it does not take connections (${code}).`;
    return wrongAddress(`${shown}: ${code}`, `${advice.charAt(0).toUpperCase()}${advice.slice(1)}`);
  });
}

function checkName(host: string, signal: AbortSignal): Promise<Finding> {
  const look = async (): Promise<string[]> => {
    if (isIP(host) !== 0) return [`${host} is an address already`];
    const addresses = (await lookup(host, { all: true })).map(({ address }) => address);
    return [`${host} is ${addresses.slice(0, 8).join(', ')}`];
  };
  const meaning = 'The name is not known here. Check "url" for typing errors, and your network or VPN.';
  return check('Name (DNS)', signal, look, (error) => wrongAddress(`${host}: ${codeOf(error)}`, meaning));
}

function checkPort(host: string, port: number, clock: Clock, signal: AbortSignal): Promise<Finding> {
  const look = async (): Promise<string[]> => {
    const startedAt = clock.now();
    await tryConnection({ host, port }, signal);
    return [`${host} port ${port} answers after ${clock.now() - startedAt} ms`];
  };
  return check('Port (TCP)', signal, look, (error) => {
    const code = codeOf(error);
    const meaning =
      code === 'ECONNREFUSED'
        ? 'The machine is there, but nothing listens on this port. Start the server, or correct the port in "url".'
        : 'The machine does not answer on this port. A firewall, a VPN or a wrong address may be the reason.';
    return wrongAddress(`${host} port ${port}: ${code}`, meaning);
  });
}

function codeOf(error: unknown): string {
  return networkCode(error) ?? messageOf(error);
}

function wrongAddress(seen: string, meaning: string): Omit<Finding, 'title'> {
  return { outcome: 'problem', seen: [seen], meaning, remedies: ['openConfiguration'] };
}

/** Connects, and closes the connection. @throws an error, also after the timeout, or the reason of the signal */
async function tryConnection(options: NetConnectOpts, signal: AbortSignal): Promise<void> {
  const socket = connect(options);
  socket.setTimeout(timeoutMs, () => socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
  try {
    await once(socket, 'connect', { signal });
  } finally {
    // Later errors do not matter.
    socket.on('error', () => {}).destroy();
  }
}

/** The same rules as those of VS Code, which knows the proxy of the system too. */
function findProxy(url: URL, { proxy, support, noProxy, environment }: NetworkSettings): string | undefined {
  if (support === 'off' || isThisComputer(url.hostname)) return undefined;
  const exemptions = noProxy.length > 0 ? noProxy : splitExemptions(readVariable(environment, 'NO_PROXY'));
  if (isExempt(url, exemptions)) return undefined;
  const found = proxy || readVariable(environment, 'HTTPS_PROXY') || readVariable(environment, 'HTTP_PROXY');
  return found === '' ? undefined : found;
}

function proxyFinding(proxy: string): Finding {
  // The address of a proxy may hold a password.
  const shown = URL.canParse(proxy) ? new URL(proxy).host : 'an address that cannot be read';
  return {
    title: 'Proxy',
    outcome: 'notice',
    seen: [`Requests go through ${shown} ("http.proxy" or the environment)`],
    meaning:
      'Name and port are tried without it: where the network is reached through the proxy alone, that fails and means nothing. The certificate is read through it.',
    remedies: ['openSettings'],
  };
}

/** A problem of the direct way is only a notice if a proxy is used. */
function downgraded(finding: Finding): Finding {
  return finding.outcome === 'problem' ? { ...finding, outcome: 'notice' } : finding;
}
