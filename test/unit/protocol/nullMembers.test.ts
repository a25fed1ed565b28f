import { beforeAll, describe, expect, it } from 'vitest';
import { isRecord, type UnknownRecord } from '../../../src/base/json.ts';
import type { ContentKind } from '../../../src/client/contents.ts';
import { readTask } from '../../../src/protocol/mcp/tasks.ts';
import { isStatelessRevision, protocolRevisions } from '../../../src/protocol/session/revision.ts';
import { settle } from '../../fixtures/manualClock.ts';
import { createSchemaSamples, type Path, withMember } from '../../fixtures/schemaSamples.ts';
import { setUpServer } from '../../fixtures/scriptedManagedServer.ts';
import type { ScriptedServer } from '../../fixtures/scriptedServer.ts';

type Revision = (typeof protocolRevisions)[number];
type Running = Awaited<ReturnType<typeof run>>;

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
};

/** Starts a server, and collects everything that is read from its messages. */
async function run(revision: Revision, script: (server: ScriptedServer) => void = () => {}) {
  const heard: unknown[] = [];
  function answerWith<T>(answer: T): (request: unknown) => Promise<T> {
    return async (request) => (heard.push(request), answer);
  }
  const isStateless = isStatelessRevision(revision);
  const setUp = setUpServer({
    capabilities,
    protocolVersion: revision,
    isAudited: false,
    ...(isStateless && { verdict: 'unknown', supportedVersions: [revision] }),
    answerers: {
      roots: () => [],
      sampling: answerWith({ role: 'assistant', content: [{ type: 'text', text: 'a' }], model: 'm' } as const),
      elicitation: answerWith({ action: 'decline' } as const),
    },
    script: (server) => {
      for (const [method, name] of lists) server.on(method, () => ({ [name]: [], resultType: 'complete' }));
      script(server);
    },
  });
  const { server } = setUp;
  server.onDidLog((message) => heard.push(message));
  server.onDidUpdateResource((event) => heard.push(event));
  await server.start();
  return { ...setUp, heard };
}

/** Starts a server for several tests. Where the client subscribes by a request, the server acknowledges it. */
async function runOn(revision: Revision): Promise<Running> {
  const running = await run(revision);
  const scripted = running.latest();
  for (const { params } of scripted.sentFor('subscriptions/listen')) {
    scripted.notify('notifications/subscriptions/acknowledged', params as UnknownRecord);
  }
  await settle();
  return running;
}

const lists = [
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts'],
  ['tasks/list', 'tasks'],
] as const;

/** Returns everything that is read from a value. */
type Read = (value: UnknownRecord) => unknown;

/** Starts the reader of the values of one test, which reads one after the other. */
type Reader = (revision: Revision) => Promise<Read>;

/** Reads a result by a use of the server that receives it. */
function byUse(method: string, use: (running: Running) => unknown): Reader {
  return async (revision) => {
    const running = await runOn(revision);
    const { clock, latest, server } = running;
    return async (value) => {
      // The cached result of the value before must not be used.
      await clock.advance(1_000);
      latest().on(method, (params) => answerFirst(params, value));
      const before = latest().sentFor(method).length;
      const used = await Promise.resolve(use(running)).catch((error: unknown) => String(error));
      const count = latest().sentFor(method).length - before;
      return { used, count, problems: server.problems };
    };
  };
}

function byListing(method: string, kind: ContentKind): Reader {
  return byUse(method, async ({ server }) => {
    server.reloadList(kind);
    await server.start(undefined, kind);
    return server.contents[kind];
  });
}

/** A list has another page, which shows whether its cursor is followed. */
function answerFirst({ cursor }: UnknownRecord, value: UnknownRecord): UnknownRecord {
  if (cursor === undefined) return value;
  const empty = lists.filter(([, name]) => name in value).map(([, name]) => [name, [] as unknown[]] as const);
  return { ...Object.fromEntries(empty), resultType: 'complete' };
}

function byStart(revision: Revision): Promise<Read> {
  const method = isStatelessRevision(revision) ? 'server/discover' : 'initialize';
  return Promise.resolve(async (value) => {
    const { server, latest } = await run(revision, (scripted) => scripted.on(method, () => value));
    return { session: server.session, contents: server.contents, sent: latest().sent.map((sent) => sent['method']) };
  });
}

/** Notifications of a server. */
async function byMessage(revision: Revision): Promise<Read> {
  const running = await runOn(revision);
  return (value) => hear(running, value);
}

/** Messages that a server sends once only. */
function byFirstMessage(revision: Revision): Promise<Read> {
  return Promise.resolve(async (value) => hear(await run(revision), value));
}

/** Makes the server send a notification while a call is open. */
async function hear({ server, latest, heard, clock }: Running, value: UnknownRecord): Promise<unknown> {
  latest().on('tools/call', () => undefined);
  const call = server.callTool('t', {}, { onProgress: (progress) => heard.push(progress) });
  await settle();
  const id = latest().sentFor('tools/call').at(-1)?.['id'];
  const params = isRecord(value['params']) ? { ...value['params'], progressToken: id } : value['params'];
  const before = latest().sent.length;
  latest().say({ jsonrpc: '2.0', ...value, ...('params' in value && { params }) });
  await clock.advance(1_000);
  const sent = latest().sent.slice(before);
  latest().say({ jsonrpc: '2.0', id, result: { resultType: 'complete', content: [] } });
  await call;
  // Requests of the client are numbered, and each has its own.
  return {
    heard: heard.splice(0),
    sent: sent.map((message) => ({ ...message, ...('method' in message && { id: 0 }) })),
  };
}

/** Requests of a server in the answer to a call. */
async function byInput(revision: Revision): Promise<Read> {
  const { server, latest, heard, clock } = await runOn(revision);
  return async (value) => {
    const answers = [value, { resultType: 'complete', content: [] }];
    latest().on('tools/call', () => answers.shift());
    const before = latest().sentFor('tools/call').length;
    const over: unknown[] = [];
    const end = (outcome: unknown): void => void over.push(outcome);
    server.callTool('t').then(end, (error: unknown) => end(String(error)));
    // The client waits before it sends the call again, and stops after a minute.
    while (over.length === 0) await clock.advance(1_000);
    const sent = latest().sentFor('tools/call').slice(before);
    // The client's metadata has the number of the request.
    const given = sent.map(({ params }) => ({ ...(params as UnknownRecord), _meta: undefined }));
    return { over, heard: heard.splice(0), sent: given };
  };
}

/** A request of the server, in the form of its revision. */
async function byRequest(revision: Revision): Promise<Read> {
  if (isStatelessRevision(revision)) {
    const read = await byInput(revision);
    return (value) => read({ resultType: 'input_required', inputRequests: { member0: value } });
  }
  const { latest, heard } = await runOn(revision);
  return async ({ method, params }) => {
    const answer = await latest().ask(method as string, params as object | undefined, 'a');
    return { heard: heard.splice(0), answer };
  };
}

/** Without a server. */
function byItself(read: Read): Reader {
  return () => Promise.resolve(read);
}

const byNothing = byItself(() => undefined);

/** The requests inside a result are read one by one. */
function isOwn([member, ...inner]: Path): boolean {
  return member !== 'inputRequests' || inner.length === 0;
}

/** The reader of each type that a server may send. */
const readers: Readonly<Record<string, Reader>> = {
  Result: byNothing,
  GetTaskPayloadResult: byNothing,
  SubscriptionsListenResult: byNothing,
  InitializeResult: byStart,
  DiscoverResult: byStart,
  ListToolsResult: byListing('tools/list', 'tools'),
  ListResourcesResult: byListing('resources/list', 'resources'),
  ListResourceTemplatesResult: byListing('resources/templates/list', 'resourceTemplates'),
  ListPromptsResult: byListing('prompts/list', 'prompts'),
  CallToolResult: byUse('tools/call', ({ server }) => server.callTool('t')),
  ReadResourceResult: byUse('resources/read', ({ server }) => server.readResource('a:b')),
  GetPromptResult: byUse('prompts/get', ({ server }) => server.getPrompt('p')),
  CompleteResult: byUse('completion/complete', ({ server }) =>
    server.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }),
  ),
  GetTaskResult: byItself(readTask),
  CancelTaskResult: byItself(readTask),
  ListTasksResult: byItself(({ tasks }) => (tasks as readonly unknown[]).map(readTask)),
  InputRequiredResult: byInput,
  CancelledNotification: byMessage,
  ProgressNotification: byMessage,
  LoggingMessageNotification: byMessage,
  ResourceListChangedNotification: byMessage,
  ResourceUpdatedNotification: byMessage,
  PromptListChangedNotification: byMessage,
  ToolListChangedNotification: byMessage,
  TaskStatusNotification: byMessage,
  ElicitationCompleteNotification: byMessage,
  SubscriptionsAcknowledgedNotification: byFirstMessage,
  PingRequest: byRequest,
  CreateMessageRequest: byRequest,
  ListRootsRequest: byRequest,
  ElicitRequest: byRequest,
  // Patchbay has no tasks of its own.
  GetTaskRequest: byNothing,
  GetTaskPayloadRequest: byNothing,
  CancelTaskRequest: byNothing,
  ListTasksRequest: byNothing,
};

/** Rules that a schema cannot express: the revision, and the order of the messages of a sampling request. */
function settled(value: unknown, revision: Revision): unknown {
  if (Array.isArray(value)) return value.map((entry) => settled(entry, revision));
  if (!isRecord(value)) return value;
  const { protocolVersion, supportedVersions, resultType, maxTokens, messages, properties, required } = value;
  return {
    ...Object.fromEntries(Object.entries(value).map(([name, member]) => [name, settled(member, revision)])),
    ...(protocolVersion !== undefined && { protocolVersion: revision }),
    ...(supportedVersions !== undefined && { supportedVersions: [revision] }),
    ...(resultType !== undefined && { resultType: 'inputRequests' in value ? 'input_required' : 'complete' }),
    ...('requestState' in value && { resultType: 'input_required' }),
    ...(isRecord(properties) && Array.isArray(required) && { required: ['member0'] }),
    ...(maxTokens !== undefined && { messages: balanced(messages as readonly UnknownRecord[]) }),
  };
}

function balanced(messages: readonly UnknownRecord[]): unknown[] {
  const blocks = messages.flatMap(({ content }) => content as readonly UnknownRecord[]);
  const ofType = (type: string): readonly UnknownRecord[] =>
    blocks.filter((block) => block['type'] === type).map((block) => ({ ...block, id: 'a', toolUseId: 'a' }));
  const others = blocks.filter(({ type }) => type !== 'tool_use' && type !== 'tool_result');
  const [use] = ofType('tool_use');
  const [result] = ofType('tool_result');
  return [
    { role: 'user', content: others },
    ...(use && result
      ? [
          { role: 'assistant', content: [use] },
          { role: 'user', content: [result] },
        ]
      : []),
  ];
}

// Loads the modules of the first start now, so that it does not count to the time of a test.
beforeAll(() => run('2026-07-28'));

describe.each(protocolRevisions)('a server of %s may say null for what it leaves out', (revision) => {
  const schema = createSchemaSamples(revision);
  const definitions = ['ServerResult', 'ServerNotification', 'ServerRequest', 'InputRequest'].flatMap((union) =>
    schema.alternativesOf(union),
  );

  it.each(definitions)('%s [null-is-absent]', async (definition) => {
    const open = readers[definition] ?? expect.unreachable(`nothing reads a ${definition}`);
    const readRaw = await open(revision);
    const read = async (value: unknown): Promise<string> =>
      JSON.stringify(await readRaw(settled(value, revision) as UnknownRecord)) ?? '';
    const different: unknown[] = [];
    for (const { value, optional } of schema.samplesOf(definition)) {
      const whole = await read(value);
      // Otherwise only errors would be compared.
      expect(whole).not.toMatch(/"type":"unknown"|Error:|left out|Invalid|without one/);
      for (const path of optional.filter(isOwn)) {
        const withNull = await read(withMember(value, path, null));
        const without = await read(withMember(value, path, undefined));
        if (withNull !== without) different.push({ path: path.join('.'), withNull, without });
      }
      // No value has changed how the next one is read.
      expect(await read(value)).toBe(whole);
    }
    expect(different).toEqual([]);
  });
});
