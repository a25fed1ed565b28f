import type { Fetch } from '../../base/fetch.ts';

/**
 * Node's `fetch` hangs up on a server that is silent for five minutes, which a listening stream and a long tool call
 * may be; how long to wait is for the caller to say here. There is no standard way to ask for that, but Node takes an
 * agent of its own kind with each request. Where there is none, `fetch` stays as it is.
 */
export function createPatientFetch(fetch: Fetch): Fetch {
  const dispatcher = createPatientAgent();
  return dispatcher === undefined ? fetch : (url, init) => fetch(url, Object.assign(init, { dispatcher }));
}

type AgentClass = new (options: { readonly headersTimeout: number; readonly bodyTimeout: number }) => object;

function createPatientAgent(): object | undefined {
  // Node loads what `fetch` is made of, its agent included, with the first use of a part of it.
  void new Response();
  const current: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
  if (typeof current !== 'object' || current === null) return undefined;
  try {
    return new (current.constructor as AgentClass)({ headersTimeout: 0, bodyTimeout: 0 });
  } catch {
    // Somebody has put an agent of another kind there, which wants other options.
    return undefined;
  }
}
