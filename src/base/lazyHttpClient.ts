import type { CreateHttpClient, HttpClient } from './httpClient.ts';
import { memoizeAsync } from './sharedPromise.ts';

/** @returns a client that is loaded and created with its first request */
export function createLazyHttpClient(load: () => Promise<CreateHttpClient>): HttpClient {
  let created: HttpClient | undefined;
  const client = memoizeAsync(async () => (created = (await load())()));
  return { send: async (request) => (await client()).send(request), dispose: () => created?.dispose() };
}
