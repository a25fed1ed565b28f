import type { ClientRequest, IncomingMessage } from 'node:http';
import { networkCode, ProxyError } from '../../base/httpClient.ts';

/** The event `proxy` of a request: of the proxy agents, and of VS Code for each request of an extension. */
export interface ProxyEvent {
  /** In VS Code `DIRECT`, or a kind and an address with its password, such as `PROXY ann:secret@host:3128`. */
  readonly proxy: string;
  /** Why the proxy could not be used. The error of the request itself has no code, and may have the password in its message. */
  readonly error?: unknown;
}

/** Tells failures of a proxy from those of the server behind it. */
export type ProxyWatch = ReturnType<typeof watchProxy>;

/** @param proxy host and port of the proxy of the request's agent, if that is known */
export function watchProxy(request: ClientRequest, proxy: string | undefined) {
  let used = proxy;
  let isPassed = proxy === undefined;
  let cause: unknown;
  request.on('proxy', (event: ProxyEvent) => {
    used = proxy ?? addressIn(event.proxy);
    isPassed = event.error === undefined;
    cause = event.error;
  });
  return {
    /** @returns what to report for an error of the request: a {@link ProxyError} if the proxy was not passed */
    faultOf(error: Error): Error {
      if (used === undefined || isPassed || request.reusedSocket) return error;
      return new ProxyError(used, { code: networkCode(cause ?? error) });
    },
    /** @returns the error for a response that comes from the proxy, not from the server */
    refusalIn({ statusCode: status = 0, socket }: IncomingMessage): ProxyError | undefined {
      if (used === undefined) return undefined;
      // A proxy that refuses a tunnel answers without encryption; what comes through the tunnel is the server's.
      const isRefusal = request.protocol === 'https:' ? !('encrypted' in socket) : status === 407;
      return isRefusal ? new ProxyError(used, { status }) : undefined;
    },
  };
}

/** @returns true if a proxy was used, and has opened a connection */
export function passesProxy({ proxy, error }: ProxyEvent): boolean {
  return error === undefined && addressIn(proxy) !== undefined;
}

function addressIn(result: string): string | undefined {
  return /^\S+\s+(?:\S*@)?([^\s@;]+)/.exec(result)?.[1];
}
