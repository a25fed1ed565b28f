import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request as requestHttps, type RequestOptions } from 'node:https';
import { connect, isIP, type NetConnectOpts } from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { networkCode, ProxyError } from '../../base/httpClient.ts';
import { isThisComputer } from '../../base/hostKind.ts';
import { isExempt, type ProxyEnvironment, readVariable, splitExemptions } from '../../base/proxyRules.ts';
import { visibleText } from '../../base/visibleText.ts';
import { capitalized } from '../../base/truncate.ts';
import { socketAdvice } from '../../transport/http/httpProblems.ts';
import { createExtraAuthorities } from '../../transport/network/extraAuthorities.ts';
import { watchProxy } from '../../transport/network/proxyWatch.ts';
import { check, type Finding } from './diagnosis.ts';

export interface NetworkSettings {
  readonly proxy: string;
  readonly support: string;
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
    return [`${shown} accepts connections`];
  };
  return check('Socket', signal, look, (error) => {
    const code = codeOf(error);
    const advice = socketAdvice(code) ?? `it does not accept connections (${code}).`;
    return wrongAddress(`${shown}: ${code}`, capitalized(advice));
  });
}

function checkName(host: string, signal: AbortSignal): Promise<Finding> {
  const look = async (): Promise<string[]> => {
    if (isIP(host) !== 0) return [`${host} is already an IP address`];
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
      'The name and port checks do not use the proxy, so they can fail where only the proxy reaches the network. The certificate check uses it.',
    remedies: ['openSettings'],
  };
}

/** A problem of the direct way is only a notice if a proxy is used. */
function downgraded(finding: Finding): Finding {
  return finding.outcome === 'problem' ? { ...finding, outcome: 'notice' } : finding;
}

/**
 * Reads the certificate of a server in the way of its requests: through the proxy, with the authorities of the system that
 * VS Code adds. Nothing is sent to the server.
 * @throws the reason of the signal
 */
async function findCertificate(
  url: URL,
  { verifiesCertificates, environment }: NetworkSettings,
  signal: AbortSignal,
): Promise<Finding> {
  let problem: string | undefined;
  const look = async (): Promise<readonly string[]> => {
    const first = await readCertificate(url, undefined, signal);
    const isExtra = first.problem !== undefined;
    const others = isExtra ? createExtraAuthorities(environment['NODE_EXTRA_CA_CERTS'])() : undefined;
    const read = others === undefined ? first : await readCertificate(url, others, signal);
    problem = read.problem;
    return read.seen;
  };
  const finding = await check('Certificate (TLS)', signal, look, (error) => {
    const proxy =
      'The proxy does not connect to the server. Check its address, with user and password, in "http.proxy".';
    if (error instanceof ProxyError) return { ...wrongAddress(error.message, proxy), remedies: ['openSettings'] };
    const advice = 'If the server speaks plain HTTP, start "url" with "http://".';
    return wrongAddress(codeOf(error), `No secure connection could be made. ${advice}`);
  });
  if (problem === undefined) return finding;
  const meaning = verifiesCertificates
    ? 'Check that it is valid and made for this host. For an authority of your company or your own, add it to those your system trusts (VS Code reads them with "http.systemCertificates").'
    : 'It is used anyway, because your setting "http.proxyStrictSSL" is off. Others on the network could pass for this server.';
  const outcome = verifiesCertificates ? 'problem' : 'notice';
  const seen = [...finding.seen, `not trusted: ${problem}`];
  return { ...finding, outcome, seen, meaning, remedies: ['openSettings'] };
}

/** Opens a connection for a request that is not sent. It is closed again in any case, and after 10 s. */
function readCertificate(
  { hostname, port }: URL,
  secureContext: SecureContext | undefined,
  signal: AbortSignal,
): Promise<ReturnType<typeof describeSocket>> {
  return new Promise((resolve, reject) => {
    const name = hostname.replace(/^\[(.*)\]$/, '$1');
    const options: RequestOptions = { hostname: name, port, rejectUnauthorized: false, signal };
    const request = requestHttps({ ...options, ...(secureContext && { secureContext }) });
    const watch = watchProxy(request, undefined);
    request.setTimeout(timeoutMs, () => request.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
    request.on('error', (error) => reject(watch.faultOf(error)));
    // Only a proxy answers what was not asked.
    request.on('response', (response) => request.destroy(watch.refusalIn(response)));
    request.on('socket', (socket) => {
      if (!('encrypted' in socket)) return;
      const read = (): void => {
        resolve(describeSocket(socket as TLSSocket));
        request.destroy();
      };
      if (request.reusedSocket) read();
      else socket.once('secureConnect', read);
    });
  });
}

/** @returns what it shows; `problem` is why the certificate is not believed, `undefined` if it is */
function describeSocket(socket: TLSSocket) {
  const { subject, issuer, valid_from: from, valid_to: to } = socket.getPeerCertificate();
  const seen = [
    `${socket.getProtocol() ?? 'unknown protocol'}, for ${holderName(subject?.CN)}, issued by ${holderName(issuer?.O ?? issuer?.CN)}`,
    `valid from ${from} to ${to}`,
  ];
  if (socket.authorized) return { seen, problem: undefined };
  // Declared as an error, but it is the error code.
  const problem: unknown = socket.authorizationError;
  return { seen, problem: typeof problem === 'string' ? problem : messageOf(problem) };
}

function holderName(name: string | readonly string[] | undefined): string {
  if (name === undefined) return 'an unknown holder';
  return typeof name === 'string' ? name : name.join(', ');
}
