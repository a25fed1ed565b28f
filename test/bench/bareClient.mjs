// @ts-check
// What the clients without a library have in common.

/**
 * @typedef {(headers: Record<string, string>, body: string) => Promise<{ type: string | undefined, text: string }>} Post
 *   sends a POST; gives the content type and the whole body of the answer
 */

/**
 * Connects to a Streamable HTTP server and sends the headers that Patchbay sends.
 *
 * @param {Extract<import('./client.d.ts').Target, { kind: 'http' }>} target
 * @param {Post} post
 * @returns {Promise<import('./client.d.ts').BenchClient>}
 */
export async function connectHttp({ revision }, post) {
  let nextId = 1;
  const isStateless = revision === '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'floor', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  /** @type {Record<string, string>} */
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  headers['mcp-protocol-version'] = revision;
  /** @param {string} method @param {any} [params] */
  const request = async (method, params) => {
    const message = { jsonrpc: '2.0', id: nextId++, method, params: isStateless ? { ...params, _meta: meta } : params };
    const own = isStateless ? { ...headers, 'mcp-method': method, 'mcp-name': params?.name ?? '' } : headers;
    const { type, text } = await post(own, JSON.stringify(message));
    const isStream = type === 'text/event-stream';
    const json = isStream ? text.slice(text.indexOf('data: ') + 6, text.lastIndexOf('\n\n')) : text;
    return JSON.parse(json).result;
  };
  if (isStateless) await request('server/discover');
  else {
    await request('initialize', initializeParams(revision));
    headers['mcp-session-id'] = 'bench';
    await post(headers, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }
  return { ...createClient(request), notifications: () => 0, close: async () => {} };
}

/** The calls of a client. @param {(method: string, params?: object) => Promise<any>} request gives the result */
export function createClient(request) {
  return {
    /** @param {string} name @param {object} args */
    call: (name, args) => request('tools/call', { name, arguments: args }),
    async list() {
      let count = 0;
      let cursor;
      do {
        const page = await request('tools/list', cursor === undefined ? {} : { cursor });
        count += page.tools.length;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return count;
    },
  };
}

/** Parameters of `initialize`. @param {string} protocolVersion */
export function initializeParams(protocolVersion) {
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'floor', version: '1' } };
}
