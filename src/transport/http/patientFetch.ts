import type { Fetch } from '../../base/fetch.ts';

/**
 * Node's `fetch` hangs up on a server that is silent for five minutes, which a listening stream and a long tool call
 * may be; how long to wait is for the caller to say here. There is no standard way to ask for that, but Node takes an
 * agent of its own kind with each request. Where there is none, `fetch` stays as it is.
 *
 * VS Code's `fetch` puts an agent of its own in place of this one wherever it adds the system's certificates, which it does
 * by default, or a proxy: silence then ends a request after five minutes all the same. A stream that can be taken up again
 * is, as often as it takes; for everything else the error says what happened (`isSilence`).
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
