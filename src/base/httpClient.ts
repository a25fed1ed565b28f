import type { CancelSignal } from './abort.ts';
import type { Disposable } from './disposable.ts';
import { isRecord, isString } from './json.ts';

/** Creates a client with connections of its own. */
export type CreateHttpClient = () => HttpClient;

/**
 * The port for HTTP: the host provides it, with its proxies, certificates and connections. It has no clock, follows no
 * redirects and repeats no request that may have been carried out; whoever uses it decides about all of that.
 *
 * Disposing it ends its connections; requests in flight fail, and so does each further one.
 */
export interface HttpClient extends Disposable {
  /**
   * Resolves as soon as the headers of the response have arrived, for every status.
   * @throws {ProxyError}; an error of Node with a `code` such as `ECONNRESET`; or the signal's reason
   */
  send(request: HttpRequest): Promise<HttpResponse>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `http:` or `https:`, without user and password. */
  readonly url: URL;
  /** Names in lower case; each character of a value is one byte. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The path of a Unix socket or named pipe that is used instead of host and port. */
  readonly socketPath?: string | undefined;
  /** Aborts the request, and the reading of its response. */
  readonly signal: CancelSignal;
  /** The server may carry it out twice: if it closes a kept connection just then, the request is sent on another one. */
  readonly isRepeatable?: boolean | undefined;
}

/** The response to an {@link HttpRequest}. Read or cancel its body: until then it occupies a connection. */
export interface HttpResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly url: URL;
  readonly headers: ResponseHeaders;
  readonly body: ByteStream;
}

export interface ResponseHeaders {
  /**
   * @param name in lower case
   * @returns `undefined` where the header is missing; of equal names, the values joined by `, ` or only the first, as Node
   * does
   */
  get(name: string): string | undefined;
  /** The values of all `Set-Cookie` headers. */
  getSetCookie(): readonly string[];
}

/** The bytes of a body after decompression. What is not read holds the server back. */
export interface ByteStream {
  /** True when nothing more comes, and all that came was read. */
  readonly isAtEnd: boolean;
  /**
   * Reads what has arrived, or waits for more. Each call waits for the one before.
   * @returns `undefined` at the end
   * @throws an error of Node when the connection breaks before the end; or the signal's reason
   */
  read(): Promise<Uint8Array | undefined>;
  /** Discards the rest. A body that has already arrived keeps its connection usable. */
  cancel(): void;
}

/** A proxy failed, so that the request did not reach the server. The message is the beginning of a sentence, without secrets. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  /** Host and port. */
  readonly proxy: string;
  /** The status of the proxy's own answer; `undefined` without one. */
  readonly status: number | undefined;
  /** Node's code, such as `ECONNREFUSED`. */
  readonly code: string | undefined;

  constructor(proxy: string, { status, code }: { readonly status?: number; readonly code?: string | undefined }) {
    const reason = code === undefined ? '' : ` (${code})`;
    const what = status === undefined ? `cannot be used${reason}` : `refuses the request with HTTP status ${status}`;
    super(`the proxy ${proxy} ${what}`);
    this.proxy = proxy;
    this.status = status;
    this.code = code;
  }
}

/** @returns Node's code of what {@link HttpClient.send} and {@link ByteStream.read} reject with, such as `ECONNRESET` */
export function networkCode(error: unknown): string | undefined {
  const code = isRecord(error) ? error['code'] : undefined;
  return isString(code) ? code : undefined;
}
