import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { networkCode } from '../../base/httpClient.ts';
import { isThisComputer } from '../../base/hostKind.ts';
import { isExempt, type ProxyEnvironment, readVariable, splitExemptions } from '../../base/proxyRules.ts';
import { visibleText } from '../../base/visibleText.ts';
import { socketAdvice } from '../../transport/http/httpProblems.ts';
import { findCertificate } from './certificateFinding.ts';
import type { Finding } from './diagnosis.ts';

/** What decides how requests reach a server. */
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
export async function diagnoseSocket(path: string, signal: AbortSignal): Promise<Finding> {
  const title = 'Socket';
  const shown = visibleText(path);
  try {
    const socket = await untilConnected(connect({ path }), signal);
    socket.destroy();
    return { title, outcome: 'fine', seen: [`${shown} takes connections`] };
  } catch (error) {
    signal.throwIfAborted();
    const code = networkCode(error) ?? messageOf(error);
    const advice = socketAdvice(code) ?? `it does not take connections (${code}).`;
    return {
      title,
      outcome: 'problem',
      seen: [`${shown}: ${code}`],
      meaning: `${advice.charAt(0).toUpperCase()}${advice.slice(1)}`,
      remedies: ['openConfiguration'],
    };
  }
}

async function checkName(host: string, signal: AbortSignal): Promise<Finding> {
  const title = 'Name (DNS)';
  if (isIP(host) !== 0) return { title, outcome: 'fine', seen: [`${host} is an address already`] };
  try {
    const addresses = await lookup(host, { all: true });
    signal.throwIfAborted();
    return {
      title,
      outcome: 'fine',
      seen: [
        `${host} is ${addresses
          .slice(0, 8)
          .map(({ address }) => address)
          .join(', ')}`,
      ],
    };
  } catch (error) {
    signal.throwIfAborted();
    return {
      title,
      outcome: 'problem',
      seen: [`${host}: ${networkCode(error) ?? messageOf(error)}`],
      meaning: 'The name is not known here. Check "url" for typing errors, and your network or VPN.',
      remedies: ['openConfiguration'],
    };
  }
}

async function checkPort(host: string, port: number, clock: Clock, signal: AbortSignal): Promise<Finding> {
  const title = 'Port (TCP)';
  const startedAt = clock.now();
  try {
    const socket = await untilConnected(connect({ host, port }), signal);
    const seen = [`${host} port ${port} answers after ${clock.now() - startedAt} ms`];
    socket.destroy();
    return { title, outcome: 'fine', seen };
  } catch (error) {
    signal.throwIfAborted();
    const code = networkCode(error) ?? messageOf(error);
    const meaning =
      code === 'ECONNREFUSED'
        ? 'The machine is there, but nothing listens on this port. Start the server, or correct the port in "url".'
        : 'The machine does not answer on this port. A firewall, a VPN or a wrong address may be the reason.';
    return {
      title,
      outcome: 'problem',
      seen: [`${host} port ${port}: ${code}`],
      meaning,
      remedies: ['openConfiguration'],
    };
  }
}

/** @returns the connected socket. It is destroyed on an error, after the timeout, and when the signal is aborted. */
function untilConnected(socket: Socket, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      reject(error);
    };
    const onAbort = (): void => fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    socket.setTimeout(timeoutMs, () => fail(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
    socket.once('error', fail);
    socket.once('connect', () => {
      signal.removeEventListener('abort', onAbort);
      // Later errors do not matter.
      socket.off('error', fail).on('error', () => {});
      resolve(socket);
    });
  });
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
