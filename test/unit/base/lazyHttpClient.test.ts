import { expect, it } from 'vitest';
import type { CreateHttpClient, HttpClient, HttpRequest } from '../../../src/base/httpClient.ts';
import { createLazyHttpClient } from '../../../src/base/lazyHttpClient.ts';

const request = { method: 'GET', url: new URL('http://localhost'), headers: {}, signal: new AbortController().signal };

it('disposes a client that was still being loaded', async () => {
  let finish: (create: CreateHttpClient) => void = () => {};
  const lazy = createLazyHttpClient(() => new Promise((resolve) => (finish = resolve)));
  const sent = lazy.send(request as HttpRequest);
  lazy.dispose();
  let isDisposed = false;
  const client: HttpClient = {
    send: () => Promise.reject(new Error(isDisposed ? 'disposed' : 'in use')),
    dispose: () => (isDisposed = true),
  };
  finish(() => client);
  await expect(sent).rejects.toThrow('disposed');
});
