import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import type { UnknownRecord } from '../../../../src/base/json.ts';
import { createServerHandlers } from '../../../../src/client/apps/appServerHandlers.ts';
import { createServerHandle } from '../../../../src/client/server/serverHandle.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import { sampleGrants } from '../../../fixtures/toolGrantStore.ts';
import { ToolCallApproval } from '../../../../src/client/toolCalls/toolCallApproval.ts';
import type { CallAnswer, ProposedCall } from '../../../../src/client/toolCalls/ports.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { problem } from '../../../fixtures/problem.ts';
import { createLocalValidator } from '../../../fixtures/schemaChecker.ts';
import { startServer } from '../../../fixtures/scriptedManagedServer.ts';

const inputSchema = { type: 'object' };
const outputSchema = { type: 'object', required: ['degrees'] };
const tools = [
  { name: 'both', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } },
  { name: 'appOnly', inputSchema, _meta: { ui: { visibility: ['app'] } } },
  { name: 'modelOnly', inputSchema, _meta: { ui: { visibility: ['model'] } } },
  { name: 'nobody', inputSchema, _meta: { ui: { visibility: [] } } },
  { name: 'strict', inputSchema, outputSchema },
];
const resources = [{ uri: 'file:///a', name: 'a' }];
const resourceTemplates = [{ uriTemplate: 'file:///{name}', name: 'file' }];
const prompts = [{ name: 'ask' }];
const app = { uri: 'ui://weather/map', title: 'Map', ask: async () => undefined };
const wire = { content: [{ type: 'text', text: 'Sunny' }, { type: 'hologram' }], structuredContent: { degrees: 21 } };

/** A running server, and what its app may ask of it; a person allows each call unless a test says otherwise. */
async function setUp() {
  const asked: ProposedCall[] = [];
  const notes: string[] = [];
  let answer: () => CallAnswer | undefined | Promise<CallAnswer | undefined> = () => 'once';
  const questions = {
    ask: async (call: ProposedCall) => {
      asked.push(call);
      return answer();
    },
  };
  const approval = new ToolCallApproval(questions, new Mutes({ record: () => {} }, createNullLogger), sampleGrants());
  const { server, latest, audit } = await startServer({
    capabilities: { tools: {}, resources: {}, prompts: {} },
    script: (scripted) => {
      scripted.on('tools/list', () => ({ tools }));
      scripted.on('resources/list', () => ({ resources }));
      scripted.on('resources/templates/list', () => ({ resourceTemplates }));
      scripted.on('prompts/list', () => ({ prompts }));
      scripted.on('tools/call', () => wire);
      scripted.on('resources/read', ({ uri }) => ({ contents: [{ uri, text: 'Hello' }] }));
    },
    toolCalls: { validator: createLocalValidator(), approve: approval.approve },
  });
  const handlers = createServerHandlers(server, app, (note) => notes.push(note));
  const controller = new AbortController();
  let waiting = 0;
  const ask = async (method: string, params: UnknownRecord = {}): Promise<object | undefined> =>
    handlers[method]?.(params, {
      signal: controller.signal,
      reportProgress: () => {},
      waitForPerson: () => {
        waiting += 1;
        return { dispose: () => void (waiting -= 1) };
      },
    });
  const answers = (next: typeof answer): void => void (answer = next);
  const calls = () => latest().sentFor('tools/call');
  return { server, latest, audit, handlers, ask, answers, asked, notes, controller, calls, waiting: () => waiting };
}

describe('a call that an app makes', () => {
  it('goes to the tool of its server once a person allows it, and the whole result comes back [tools/proxy-call]', async () => {
    const { ask, asked, calls, waiting, answers } = await setUp();
    answers(() => {
      expect([waiting(), calls()]).toEqual([1, []]);
      return 'once';
    });
    expect(await ask('tools/call', { name: 'both', arguments: { a: 1 } })).toEqual({ ...wire, isError: false });
    expect(asked).toMatchObject([{ server: 'it', name: 'both', args: { a: 1 }, caller: 'app', app, isSeen: false }]);
    expect(calls()).toMatchObject([{ params: { name: 'both', arguments: { a: 1 } } }]);
    expect(waiting()).toBe(0);
  });

  it('may be of a tool that is for apps alone [tools/proxy-call]', async () => {
    const { ask, calls } = await setUp();
    expect(await ask('tools/call', { name: 'appOnly' })).toMatchObject({ structuredContent: { degrees: 21 } });
    expect(calls()).toMatchObject([{ params: { name: 'appOnly' } }]);
  });

  it('is recorded with the address of the app', async () => {
    const { ask, audit } = await setUp();
    await ask('tools/call', { name: 'both' });
    const detail = { tool: 'both', calledBy: 'app', app: app.uri };
    await expect.poll(() => audit).toMatchObject([{ action: 'toolCall', outcome: 'done', detail }]);
  });

  it.each(['modelOnly', 'nobody'])(
    'is refused without a question for the tool %s, which is not for apps [visibility/app-tool-call-guard]',
    async (name) => {
      const { ask, asked, calls } = await setUp();
      const refused = problem(-32000, `The tool "${name}" is not for apps.`);
      await expect(ask('tools/call', { name })).rejects.toEqual(refused);
      expect([asked, calls()]).toEqual([[], []]);
    },
  );

  it('is refused without a question for a tool that its server does not list', async () => {
    const { ask, asked, calls } = await setUp();
    const refused = { code: -32000, message: expect.stringContaining('offers no tool "elsewhere') };
    await expect(ask('tools/call', { name: `elsewhere${'x'.repeat(10_000)}` })).rejects.toMatchObject(refused);
    await expect(ask('tools/call', { name: 'toString' })).rejects.toMatchObject({ code: -32000 });
    expect([asked, calls()]).toEqual([[], []]);
  });

  it('is refused with -32602 where its parameters are not as specified', async () => {
    const { ask, calls } = await setUp();
    for (const params of [{}, { name: 7 }, { name: 'both', arguments: [1] }, { name: 'both', arguments: null }])
      await expect(ask('tools/call', params)).rejects.toMatchObject({ code: -32602 });
    expect(calls()).toEqual([]);
  });

  it('is refused where the arguments break the schema, and where the person says no', async () => {
    const { ask, asked, calls, answers, waiting } = await setUp();
    const wrong = ask('tools/call', { name: 'both', arguments: { a: 'one' } });
    await expect(wrong).rejects.toEqual(problem(-32000, 'do not fit the tool'));
    expect(asked).toEqual([]);
    answers(() => undefined);
    const declined = ask('tools/call', { name: 'both' });
    await expect(declined).rejects.toEqual(problem(-32000, 'was declined'));
    expect([calls(), waiting()]).toEqual([[], 0]);
  });

  it('gives the app the error of its server as it is', async () => {
    const { ask, latest } = await setUp();
    const error = { code: -32042, message: 'Out of clouds', data: { clouds: 0 } };
    latest().fail('tools/call', error);
    await expect(ask('tools/call', { name: 'both' })).rejects.toMatchObject(error);
  });

  it('gives the app the result of a tool that breaks its own schema, and notes that', async () => {
    const { ask, latest, notes } = await setUp();
    const broken = { content: [{ type: 'text', text: 'Sunny' }], structuredContent: { clouds: 0 } };
    latest().on('tools/call', () => broken);
    expect(await ask('tools/call', { name: 'strict' })).toEqual({ ...broken, isError: false });
    expect(notes).toEqual([
      expect.stringMatching(/^strict: .* its result does not match its output schema\. .*degrees/),
    ]);
  });

  it('ends when the app is gone, also while a person is asked', async () => {
    const { ask, answers, controller, calls, waiting } = await setUp();
    answers(() => new Promise(() => {}));
    const ended = expect(ask('tools/call', { name: 'both' })).rejects.toBeInstanceOf(CancelledError);
    await settle();
    controller.abort(new CancelledError('The app was closed'));
    await ended;
    expect([calls(), waiting()]).toEqual([[], 0]);
  });
});

describe('what an app can read of its server', () => {
  it('is any resource that it names, listed or not [resources/read-referenced]', async () => {
    const { ask, latest } = await setUp();
    for (const uri of ['file:///a', 'ui://nowhere/listed'])
      expect(await ask('resources/read', { uri })).toEqual({ contents: [{ uri, text: 'Hello' }] });
    expect(latest().sentFor('resources/read')).toHaveLength(2);
  });

  it('is refused with the reason, and with -32602 where no address is given', async () => {
    const { ask, latest, server } = await setUp();
    for (const uri of [undefined, 7, null, ['file:///a']])
      await expect(ask('resources/read', { uri })).rejects.toMatchObject({ code: -32602 });
    latest().on('resources/read', () => ({ contents: 'none' }));
    const invalid = { code: -32000, message: expect.stringContaining('"contents" is not a list') };
    await expect(ask('resources/read', { uri: 'file:///a' })).rejects.toMatchObject(invalid);
    await server.stop();
    await expect(ask('resources/read', { uri: 'file:///a' })).rejects.toMatchObject({ code: -32000 });
  });

  it('has the lists of its server, and of the tools those for apps [capabilities/server-passthrough]', async () => {
    const { ask, handlers } = await setUp();
    const named = (await ask('tools/list')) as { readonly tools: readonly { readonly name: string }[] };
    expect(named.tools.map(({ name }) => name)).toEqual(['both', 'appOnly', 'strict']);
    expect(named.tools[1]).toEqual(tools[1]);
    expect(await ask('resources/list')).toEqual({ resources });
    expect(await ask('resources/templates/list')).toEqual({ resourceTemplates });
    expect(await ask('prompts/list')).toEqual({ prompts });
    expect(Object.keys(handlers)).toHaveLength(6);
  });
});

it('a tool that is for apps alone is hidden from other extensions, which may give tools to models [visibility/app-tool-hidden]', async () => {
  const { server } = await setUp();
  const extension = createServerHandle(server, 'extension');
  expect(extension.tools.map(({ name }) => name)).toEqual(['both', 'modelOnly', 'strict']);
  extension.dispose();
  const program = createServerHandle(server, 'program');
  expect(program.tools).toHaveLength(tools.length);
  program.dispose();
});
