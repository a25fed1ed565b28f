// @ts-check
// The least a client must do with the global `fetch`: one request each. For the rows over HTTP only.
import { connectHttp } from '../bareClient.mjs';

/** @type {import('../client.d.ts').Connect} */
export async function connect(target) {
  if (target.kind !== 'http') throw new Error('This client has no stdio.');
  return await connectHttp(target, async (headers, body) => {
    const response = await fetch(target.url, { method: 'POST', headers, body });
    return { type: response.headers.get('content-type') ?? undefined, text: await response.text() };
  });
}
