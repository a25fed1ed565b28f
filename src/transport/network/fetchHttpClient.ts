import { toAbortSignal } from '../../base/abort.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { ByteStream, HttpClient, HttpRequest, HttpResponse } from '../../base/httpClient.ts';

/** `fetch` of the platform, as far as {@link createFetchHttpClient} uses it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Creates an {@link HttpClient} on web `fetch`, for a host without Node. The platform decides about connections and
 * compression, and may end a body after minutes without a byte.
 */
export function createFetchHttpClient(fetch: Fetch): HttpClient {
  return {
    async send({ method, url, headers, body, signal, socketPath }) {
      if (socketPath !== undefined)
        throw new PatchbayError('configuration', 'Sockets and named pipes cannot be reached from a browser.');
      const response = await fetch(url.href, {
        method,
        headers,
        signal: toAbortSignal(signal),
        redirect: 'manual',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        ...(body !== undefined && { body }),
      });
      return toHttpResponse(response, url);
    },
    dispose: () => {},
  };
}

function toHttpResponse(response: Response, url: HttpRequest['url']): HttpResponse {
  const { status, ok, headers } = response;
  return { status, ok, url, headers: { get: (name) => headers.get(name) ?? undefined }, body: toByteStream(response) };
}

function toByteStream({ body }: Response): ByteStream {
  const reader = body?.getReader();
  return {
    isAtEnd: false,
    read: async () => (await reader?.read())?.value,
    // An error does not matter: the body is not needed.
    cancel: () => void reader?.cancel().catch(() => {}),
  };
}
