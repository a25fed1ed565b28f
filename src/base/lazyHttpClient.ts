import type { CreateHttpClient, HttpClient } from './httpClient.ts';
import { memoizeAsync } from './sharedPromise.ts';

/** @returns a client that is loaded and created with its first request */
export function createLazyHttpClient(load: () => Promise<CreateHttpClient>): HttpClient {
  let created: HttpClient | undefined;
  let isDisposed = false;
  const client = memoizeAsync(async () => {
    created = (await load())();
    if (isDisposed) created.dispose();
    return created;
  });
  return {
    send: async (request) => (await client()).send(request),
    dispose() {
      isDisposed = true;
      created?.dispose();
    },
  };
}
