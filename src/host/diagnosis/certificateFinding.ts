import { request as requestHttps, type RequestOptions } from 'node:https';
import type { SecureContext, TLSSocket } from 'node:tls';
import { messageOf } from '../../base/errors.ts';
import { networkCode, ProxyError } from '../../base/httpClient.ts';
import { createExtraAuthorities } from '../../transport/network/extraAuthorities.ts';
import { watchProxy } from '../../transport/network/proxyWatch.ts';
import type { Finding } from './diagnosis.ts';
import type { NetworkSettings } from './networkFindings.ts';

const title = 'Certificate (TLS)';
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
  try {
    const first = await readCertificate(url, undefined, signal);
    const others =
      first.problem === undefined ? undefined : createExtraAuthorities(environment['NODE_EXTRA_CA_CERTS'])();
    const read = others === undefined ? first : await readCertificate(url, others, signal);
    return describeCertificate(read, verifiesCertificates);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProxyError) {
      const meaning =
        'The proxy opens no way to the server. Check its address, with user and password, in "http.proxy".';
      return { title, outcome: 'problem', seen: [error.message], meaning, remedies: ['openSettings'] };
    }
    return {
      title,
      outcome: 'problem',
      seen: [networkCode(error) ?? messageOf(error)],
      meaning: 'No secure connection could be made. If the server speaks plain HTTP, let "url" begin with "http://".',
      remedies: ['openConfiguration'],
    };
  }
}

interface ReadCertificate {
  readonly seen: readonly string[];
  /** Why the certificate is not believed; `undefined` if it is. */
  readonly problem: string | undefined;
}

function describeCertificate({ seen, problem }: ReadCertificate, verifies: boolean): Finding {
  if (problem === undefined) return { title, outcome: 'fine', seen };
  const shown = [...seen, `not believed: ${problem}`];
  if (!verifies) {
    const meaning =
      'It is used all the same, as your setting "http.proxyStrictSSL" is off: anybody between could pass for this server.';
    return { title, outcome: 'notice', seen: shown, meaning, remedies: ['openSettings'] };
  }
  const meaning =
    'Check that it is valid and made for this host. For an authority of your company or your own, add it to those your system trusts (VS Code reads them with "http.systemCertificates").';
  return { title, outcome: 'problem', seen: shown, meaning, remedies: ['openSettings'] };
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
      if (!isTls(socket)) return;
      const read = (): void => {
        resolve(describeSocket(socket));
        request.destroy();
      };
      if (request.reusedSocket) read();
      else socket.once('secureConnect', read);
    });
  });
}

function isTls(socket: object): socket is TLSSocket {
  return 'encrypted' in socket;
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
