import { request as requestHttps, type RequestOptions } from 'node:https';
import type { SecureContext, TLSSocket } from 'node:tls';
import { messageOf } from '../../base/errors.ts';
import { networkCode, ProxyError } from '../../base/httpClient.ts';
import { createExtraAuthorities } from '../../transport/network/extraAuthorities.ts';
import { watchProxy } from '../../transport/network/proxyWatch.ts';
import { check, type Finding } from './diagnosis.ts';
import type { NetworkSettings } from './networkFindings.ts';

const timeoutMs = 10_000;

/**
 * Reads the certificate of a server in the way of its requests: through the proxy, with the authorities of the system that
 * VS Code adds. Nothing is sent to the server.
 * @throws the reason of the signal
 */
export async function findCertificate(
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
    const proxy = 'The proxy opens no way to the server. Check its address, with user and password, in "http.proxy".';
    if (error instanceof ProxyError)
      return { outcome: 'problem', seen: [error.message], meaning: proxy, remedies: ['openSettings'] };
    const meaning =
      'No secure connection could be made. If the server speaks plain HTTP, let "url" begin with "http://".';
    const seen = [networkCode(error) ?? messageOf(error)];
    return { outcome: 'problem', seen, meaning, remedies: ['openConfiguration'] };
  });
  if (problem === undefined) return finding;
  const meaning = verifiesCertificates
    ? 'Check that it is valid and made for this host. For an authority of your company or your own, add it to those your system trusts (VS Code reads them with "http.systemCertificates").'
    : 'It is used all the same, as your setting "http.proxyStrictSSL" is off: anybody between could pass for this server.';
  const outcome = verifiesCertificates ? 'problem' : 'notice';
  return {
    ...finding,
    outcome,
    seen: [...finding.seen, `not believed: ${problem}`],
    meaning,
    remedies: ['openSettings'],
  };
}

interface ReadCertificate {
  readonly seen: readonly string[];
  /** Why the certificate is not believed; `undefined` if it is. */
  readonly problem: string | undefined;
}

/** Opens a connection for a request that is not sent. It is closed again in any case, and after 10 s. */
function readCertificate(
  { hostname, port }: URL,
  secureContext: SecureContext | undefined,
  signal: AbortSignal,
): Promise<ReadCertificate> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions & { readonly secureContext?: SecureContext } = {
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      rejectUnauthorized: false,
      signal,
      ...(secureContext !== undefined && { secureContext }),
    };
    const request = requestHttps(options);
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

function describeSocket(socket: TLSSocket): ReadCertificate {
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

/** A certificate may hold several names. */
function holderName(name: string | readonly string[] | undefined): string {
  if (name === undefined) return 'nobody named';
  return typeof name === 'string' ? name : name.join(', ');
}
