import { describe, expect, it } from 'vitest';
import { isRecord, type UnknownRecord } from '../../../src/base/json.ts';
import { readTask } from '../../../src/protocol/mcp/tasks.ts';
import { isStatelessRevision, protocolRevisions } from '../../../src/protocol/revisions/revision.ts';
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

/** Starts a server, and collects whatever is made of what it says. */
async function run(revision: Revision, script: (server: ScriptedServer) => void) {
  const heard: unknown[] = [];
  const isStateless = isStatelessRevision(revision);
  const setUp = setUpServer({
    capabilities,
    protocolVersion: revision,
    ...(isStateless && { verdict: 'unknown', supportedVersions: [revision] }),
    answerers: {
      roots: () => [],
      sampling: (request) => {
        heard.push(request);
        return Promise.resolve({ role: 'assistant', content: [{ type: 'text', text: 'a' }], model: 'm' });
      },
      elicitation: (request) => {
        // The schema itself is handed on as it came; its fields are what was read of it.
        heard.push('fields' in request ? { ...request, requestedSchema: undefined } : request);
        return Promise.resolve({ action: 'decline' });
      },
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

const lists = [
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts'],
  ['tasks/list', 'tasks'],
] as const;

/** Reads a result through the use of a server that gets it, and gives back all that was made of it. */
function byUse(method: string, use: (running: Running) => unknown) {
  return async (value: UnknownRecord, revision: Revision): Promise<unknown> => {
    const running = await run(revision, (server) => server.on(method, (params) => answerFirst(params, value)));
    const used = await Promise.resolve(use(running)).catch((error: unknown) => String(error));
    const count = running.latest().sentFor(method).length;
    return { used, count, problems: running.server.problems };
  };
}

/** A list has one page more, so that it shows whether its cursor is followed. */
function answerFirst({ cursor }: UnknownRecord, value: UnknownRecord): UnknownRecord {
  if (cursor === undefined) return value;
  const empty = lists.filter(([, name]) => name in value).map(([, name]) => [name, [] as unknown[]] as const);
  return { ...Object.fromEntries(empty), resultType: 'complete' };
}

async function byStart(value: UnknownRecord, revision: Revision): Promise<unknown> {
  const method = isStatelessRevision(revision) ? 'server/discover' : 'initialize';
  const { server, latest } = await run(revision, (scripted) => scripted.on(method, () => value));
  return { session: server.session, contents: server.contents, sent: latest().sent.map((sent) => sent['method']) };
}

/** What a server says by itself while a call is open. */
async function byMessage(value: UnknownRecord, revision: Revision): Promise<unknown> {
  const running = await run(revision, (server) => server.on('tools/call', () => undefined));
  const { server, latest, heard } = running;
  const call = server.callTool('t', {}, { onProgress: (progress) => heard.push(progress) });
  call.catch(() => {});
  await settle();
  const id = latest().sentFor('tools/call')[0]?.['id'];
  const params = isRecord(value['params']) ? { ...value['params'], progressToken: id } : value['params'];
  const said = 'params' in value ? { ...value, params } : value;
  const before = latest().sent.length;
  latest().say(said);
  await running.clock.advance(1_000);
  const sent = latest().sent.slice(before);
  await server.stop();
  return { heard, sent };
}

/** What a server asks for in the answer to a call. */
async function byInput(value: UnknownRecord, revision: Revision): Promise<unknown> {
  const answers = [value, { resultType: 'complete', content: [] }];
  const running = await run(revision, (server) => server.on('tools/call', () => answers.shift()));
  const call = running.server.callTool('t').catch((error: unknown) => String(error));
  await running.clock.advance(60_000);
  const sent = running.latest().sentFor('tools/call');
  return { call: await call, heard: running.heard, sent: sent.map(({ params }) => params) };
}

const nothing = (): Promise<undefined> => Promise.resolve(undefined);

/** How each thing a server may say is read. */
const readers: Readonly<Record<string, (value: UnknownRecord, revision: Revision) => Promise<unknown>>> = {
  Result: nothing,
  GetTaskPayloadResult: nothing,
  SubscriptionsListenResult: nothing,
  InitializeResult: byStart,
  DiscoverResult: byStart,
  ListToolsResult: byUse('tools/list', ({ server }) => server.contents.tools),
  ListResourcesResult: byUse('resources/list', ({ server }) => server.contents.resources),
  ListResourceTemplatesResult: byUse('resources/templates/list', ({ server }) => server.contents.resourceTemplates),
  ListPromptsResult: byUse('prompts/list', ({ server }) => server.contents.prompts),
  CallToolResult: byUse('tools/call', ({ server }) => server.callTool('t')),
  ReadResourceResult: byUse('resources/read', ({ server }) => server.readResource('a:b')),
  GetPromptResult: byUse('prompts/get', ({ server }) => server.getPrompt('p')),
  CompleteResult: byUse('completion/complete', ({ server }) =>
    server.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }),
  ),
  GetTaskResult: (value) => Promise.resolve(readTask(value)),
  CancelTaskResult: (value) => Promise.resolve(readTask(value)),
  ListTasksResult: ({ tasks }) => Promise.resolve((tasks as readonly unknown[]).map(readTask)),
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
  SubscriptionsAcknowledgedNotification: byMessage,
  PingRequest: byMessage,
  CreateMessageRequest: byMessage,
  ListRootsRequest: byMessage,
  ElicitRequest: byMessage,
  // Patchbay has no tasks of its own.
  GetTaskRequest: nothing,
  GetTaskPayloadRequest: nothing,
  CancelTaskRequest: nothing,
  ListTasksRequest: nothing,
};

/** What a schema cannot say: which revision is spoken, and how the messages of a request for a model follow each other. */
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

// Some have more than a hundred optional members, and a server is started twice for each.
describe.each(protocolRevisions)(
  'a server of %s may say null for what it leaves out',
  { timeout: 60_000 },
  (revision) => {
    const schema = createSchemaSamples(revision);
    const definitions = ['ServerResult', 'ServerNotification', 'ServerRequest', 'InputRequest'].flatMap((union) =>
      schema.alternativesOf(union),
    );

    it.each(definitions)('%s [null-is-absent]', async (definition) => {
      const read = readers[definition] ?? expect.unreachable(`nothing reads a ${definition}`);
      const different: unknown[] = [];
      for (const { value, optional } of schema.samplesOf(definition)) {
        const whole = await read(settled(value, revision) as UnknownRecord, revision);
        // Or else nothing would be compared but errors.
        expect(JSON.stringify(whole) ?? '').not.toMatch(/"type":"unknown"|Error:|left out|Invalid|without one/);
        const readWith = (path: Path, member: unknown): Promise<unknown> =>
          read(settled(withMember(value, path, member), revision) as UnknownRecord, revision);
        for (const path of optional) {
          const [withNull, without] = [await readWith(path, null), await readWith(path, undefined)];
          if (!isSame(withNull, without)) different.push({ path: path.join('.'), withNull, without });
        }
      }
      expect(different).toEqual([]);
    });
  },
);

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
