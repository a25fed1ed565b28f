import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { networkCode } from '../../base/httpClient.ts';
import { isExempt, isLoopback, type ProxyEnvironment, readVariable, splitExemptions } from '../../base/proxyRules.ts';
import { visibleText } from '../../base/visibleText.ts';
import { socketAdvice } from '../../transport/http/httpProblems.ts';
import type { Finding } from './diagnosis.ts';

/** What VS Code chooses a proxy by, for requests of extensions. */
export interface ProxySettings {
  /** The setting `http.proxy`. */
  readonly proxy: string;
  /** The setting `http.proxySupport`. */
  readonly support: string;
  /** The setting `http.noProxy`. */
  readonly noProxy: readonly string[];
  readonly environment: ProxyEnvironment;
}

const timeoutMs = 10_000;

/**
 * Checks name, port, certificate and proxy, each only if the one before works. Sends no request.
 * @throws the reason of the signal
 */
export async function diagnoseNetwork(
  url: URL,
  proxy: ProxySettings,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const usedProxy = findProxy(url, proxy);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const name = await checkName(host, signal);
  const findings: Finding[] = [...(usedProxy === undefined ? [] : [proxyFinding(usedProxy)]), name];
  if (name.outcome === 'problem') return downgradeProblems(findings, usedProxy);
  const socket = await checkPort(host, port, clock, signal);
  findings.push(socket.finding);
  if (socket.finding.outcome === 'problem' || url.protocol !== 'https:') return downgradeProblems(findings, usedProxy);
  findings.push(await checkCertificate(host, port, signal));
  return downgradeProblems(findings, usedProxy);
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
    const socket = await waitForSocket(connect({ path }), 'connect', signal);
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

async function checkPort(
  host: string,
  port: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<{ readonly finding: Finding }> {
  const title = 'Port (TCP)';
  const startedAt = clock.now();
  try {
    const socket = await waitForSocket(connect({ host, port }), 'connect', signal);
    const seen = [`${host} port ${port} answers after ${clock.now() - startedAt} ms`];
    socket.destroy();
    return { finding: { title, outcome: 'fine', seen } };
  } catch (error) {
    signal.throwIfAborted();
    const code = networkCode(error) ?? messageOf(error);
    const meaning =
      code === 'ECONNREFUSED'
        ? 'The machine is there, but nothing listens on this port. Start the server, or correct the port in "url".'
        : 'The machine does not answer on this port. A firewall, a VPN or a wrong address may be the reason.';
    return {
      finding: {
        title,
        outcome: 'problem',
        seen: [`${host} port ${port}: ${code}`],
        meaning,
        remedies: ['openConfiguration'],
      },
    };
  }
}

async function checkCertificate(host: string, port: number, signal: AbortSignal): Promise<Finding> {
  const title = 'Certificate (TLS)';
  try {
    // Reads the certificate even if it is not trusted; nothing is sent over this connection.
    const options = { host, port, rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) };
    const socket = await waitForSocket(connectTls(options), 'secureConnect', signal);
    const finding = describeCertificate(socket, title);
    socket.destroy();
    return finding;
  } catch (error) {
    signal.throwIfAborted();
    return {
      title,
      outcome: 'problem',
      seen: [networkCode(error) ?? messageOf(error)],
      meaning: 'No secure connection could be made. If the server speaks plain HTTP, let "url" begin with "http://".',
      remedies: ['openConfiguration'],
    };
  }
}

function describeCertificate(socket: TLSSocket, title: string): Finding {
  const { subject, issuer, valid_from: from, valid_to: to } = socket.getPeerCertificate();
  const seen = [
    `${socket.getProtocol() ?? 'unknown protocol'}, for ${holderName(subject?.CN)}, issued by ${holderName(issuer?.O ?? issuer?.CN)}`,
    `valid from ${from} to ${to}`,
  ];
  if (socket.authorized) return { title, outcome: 'fine', seen };
  // Declared as an error, but it is the error code.
  const problem: unknown = socket.authorizationError;
  return {
    title,
    outcome: 'problem',
    seen: [...seen, `not believed: ${typeof problem === 'string' ? problem : messageOf(problem)}`],
    meaning:
      'Check that it is valid and made for this host. For an authority of your company or your own, add it to those your system trusts (VS Code reads them with "http.systemCertificates").',
    remedies: ['openSettings'],
  };
}

/** A certificate may hold several names. */
function holderName(name: string | readonly string[] | undefined): string {
  if (name === undefined) return 'nobody named';
  return typeof name === 'string' ? name : name.join(', ');
}

/** @returns the socket after `event`. It is destroyed on an error, after the timeout, and when the signal is aborted. */
function waitForSocket<T extends Socket>(
  socket: T,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<T> {
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
    socket.once(event, () => {
      signal.removeEventListener('abort', onAbort);
      // Later errors do not matter.
      socket.off('error', fail).on('error', () => {});
      resolve(socket);
    });
  });
}

/** The same rules as those of VS Code, which knows the proxy of the system too. */
function findProxy(url: URL, { proxy, support, noProxy, environment }: ProxySettings): string | undefined {
  if (support === 'off' || isLoopback(url)) return undefined;
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
      'What follows was tried without the proxy: where the network is reached through it alone, that fails and means nothing.',
    remedies: ['openSettings'],
  };
}

/** Problems of the direct way are only notices if a proxy is used. */
function downgradeProblems(findings: readonly Finding[], proxy: string | undefined): readonly Finding[] {
  if (proxy === undefined) return findings;
  return findings.map((finding) => (finding.outcome === 'problem' ? { ...finding, outcome: 'notice' } : finding));
}
