import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/base/errors.ts';
import { isRecord, type UnknownRecord } from '../../../src/base/json.ts';
import { createHeadlessHost, type HeadlessHost, type HeadlessServer } from '../../../src/headless.ts';
import { validateSentMessages } from '../../fixtures/sentMessages.ts';
import { answerJson, type HttpServer, event, openEvents, type SeenRequest, startHttpServer } from './httpHarness.ts';

const revision = '2026-07-28';

type Answer = (params: UnknownRecord, response: ServerResponse, request: SeenRequest) => object | undefined;

let http: HttpServer;
let host: HeadlessHost;
let server: HeadlessServer;
/** The server's answer by method: a result, or `undefined` where the function has written the response itself. */
let answers: Record<string, Answer>;
let listening: { readonly id: unknown; readonly response: ServerResponse }[];

const tool = (name: string, header: string) => ({
  name,
  inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': header } } },
});

function wireError(response: ServerResponse, { message }: SeenRequest, status: number, code: number): undefined {
  const body = { jsonrpc: '2.0', id: message['id'], error: { code, message: `Error ${code}` } };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function tell({ id, response }: (typeof listening)[number], method: string, params: object = {}): void {
  const meta = { 'io.modelcontextprotocol/subscriptionId': id };
  response.write(event({ jsonrpc: '2.0', method: `notifications/${method}`, params: { ...params, _meta: meta } }));
}

beforeEach(async () => {
  listening = [];
  answers = {
    'server/discover': () => ({
      supportedVersions: [revision],
      capabilities: { tools: { listChanged: true }, resources: {} },
    }),
    'tools/list': () => ({ tools: [tool('query', 'Region'), tool('bad', 'A B')] }),
    'tools/call': () => ({ content: [] }),
    'resources/list': () => ({ resources: [] }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'resources/read': () => ({ contents: [] }),
    'subscriptions/listen'({ notifications }, response, { message }) {
      openEvents(response);
      const stream = { id: message['id'], response };
      listening.push(stream);
      tell(stream, 'subscriptions/acknowledged', { notifications });
      return undefined;
    },
  };
  http = await startHttpServer((request, response) => {
    const { id, method, params } = request.message;
    const answer = answers[String(method)];
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (answer === undefined) return wireError(response, request, 404, -32601);
    const result = answer(isRecord(params) ? params : {}, response, request);
    if (result !== undefined)
      answerJson(response, { jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } });
  });
  validateSentMessages(() => http.seen('POST').map(({ message }) => ({ revision, message })));
  host = createHeadlessHost({
    servers: { it: { url: `${http.origin}/mcp` } },
    onElicitation: () => Promise.resolve({ action: 'accept', content: {} }),
  });
  server = host.getServer('it') ?? expect.unreachable('no server');
  await server.start();
});

afterEach(async () => {
  await host.dispose();
  await http.stop();
});

const headersOf = (method: string) => http.seen(method).map(({ headers }) => headers);

describe('a server of 2026-07-28 over HTTP', () => {
  it('is found out, gets POSTs only, and every one says in its headers what it is', () => {
    expect(server.protocolVersion).toBe(revision);
    expect(http.requests.filter(({ method }) => method !== 'POST')).toEqual([]);
    for (const { headers, message } of http.requests) {
      expect(headers).toMatchObject({ 'mcp-protocol-version': revision, 'mcp-method': message['method'] });
      expect(headers).not.toHaveProperty('mcp-session-id');
    }
  });

  it('gets arguments as headers too; a tool that asks for an impossible header is left out', async () => {
    expect(server.tools.map(({ name }) => name)).toEqual(['query']);
    await server.callTool('query', { region: 'eu west ü' });
    const [headers] = headersOf('tools/call');
    expect(headers).toMatchObject({ 'mcp-name': 'query', 'mcp-param-region': '=?base64?ZXUgd2VzdCDDvA==?=' });
  });

  it('that misses a header is looked at again, and called once more', async () => {
    answers['tools/list'] = () => ({ tools: [tool('query', 'Zone')] });
    answers['tools/call'] = (_params, response, request) =>
      request.headers['mcp-param-zone'] === 'eu' ? { content: [] } : wireError(response, request, 400, -32020);
    await server.callTool('query', { region: 'eu' });
    expect(headersOf('tools/call').map((headers) => headers['mcp-param-zone'])).toEqual([undefined, 'eu']);
  });

  it('gets what it asks for in a result', async () => {
    const form = { type: 'object', properties: { name: { type: 'string', default: 'Ada' } } };
    const who = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: form } };
    answers['tools/call'] = ({ inputResponses }) =>
      inputResponses === undefined
        ? { resultType: 'input_required', inputRequests: { who }, requestState: 'ü' }
        : { content: [{ type: 'text', text: JSON.stringify(inputResponses) }] };
    const { content } = await server.callTool('query');
    expect(content).toEqual([{ type: 'text', text: '{"who":{"action":"accept","content":{"name":"Ada"}}}' }]);
    expect(http.seen('tools/call')[1]?.message).toMatchObject({ params: { requestState: 'ü' } });
  });

  it('is asked again when the answer to a reading broke off, but no tool is called twice', async () => {
    let breaks = 1;
    const breakOff: Answer = (_params, response) => {
      breaks -= 1;
      if (breaks < 0) return { contents: [], content: [] };
      openEvents(response);
      response.write('data: {"jsonrpc":', () => response.destroy());
      return undefined;
    };
    answers['resources/read'] = breakOff;
    await server.readResource('a:b');
    const [first, second] = http.seen('resources/read').map(({ message }) => message['id']);
    expect(second).not.toBe(first);
    breaks = 1;
    answers['tools/call'] = breakOff;
    await expect(server.callTool('query')).rejects.toMatchObject({ code: 'answerLost' });
    expect(http.seen('tools/call')).toHaveLength(1);
  });

  it('hears of a cancelled call by the end of its stream, and by nothing else', async () => {
    const closed = new Promise((resolve) => {
      answers['tools/call'] = (_params, response) => {
        openEvents(response);
        void once(response, 'close').then(resolve);
        return undefined;
      };
    });
    const controller = new AbortController();
    const call = server.callTool('query', {}, { signal: controller.signal });
    await http.request('tools/call');
    const reason = new CancelledError();
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await closed;
    await server.readResource('a:b');
    expect(http.seen('notifications/cancelled')).toEqual([]);
  });

  it('tells of changes on a stream, which is opened again when it breaks', async () => {
    const change = (name: string) => {
      answers['tools/list'] = () => ({ tools: [tool(name, 'Region')] });
      return new Promise<void>((resolve) => {
        server.onDidChange(() => server.tools.some((listed) => listed.name === name) && resolve());
      });
    };
    await http.request('subscriptions/listen');
    const told = change('told');
    const [first] = listening;
    if (first !== undefined) tell(first, 'tools/list_changed');
    await told;
    const missed = change('missed');
    first?.response.destroy();
    await missed;
    expect(listening).toHaveLength(2);
  });
});
