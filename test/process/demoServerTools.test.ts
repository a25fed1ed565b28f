import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { isRecord, type UnknownRecord } from '../../src/base/json.ts';
import { ErrorCodes } from '../../src/protocol/jsonRpc.ts';
import { readElicitRequest } from '../../src/protocol/mcp/elicitation.ts';
import { readToolsPage, type Tool } from '../../src/protocol/mcp/tools.ts';
import { type DemoHandshake, isMethod, schema, useDemoServer } from '../fixtures/demoServer.ts';
import { createProtocolSchema } from '../fixtures/protocolSchema.ts';
import type { RawClient, RawMessage } from '../fixtures/rawClient.ts';

const demo = useDemoServer();
let client: RawClient;

async function connect(handshake?: DemoHandshake): Promise<void> {
  client = await demo.connect(handshake);
}

function call(name: string, args: UnknownRecord = {}): Promise<UnknownRecord> {
  return demo.ask('tools/call', 'CallToolResult', { name, arguments: args });
}

/** All pages of `tools/list`. */
async function listTools(): Promise<{ tools: Tool[]; pages: number }> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = readToolsPage(await demo.ask('tools/list', 'ListToolsResult', { cursor }));
    tools.push(...page.items);
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== undefined);
  return { tools, pages };
}

describe('tools of the demo server', () => {
  it('lists them over several pages, each with a title, a description and a usable schema', async () => {
    await connect();
    const { tools, pages } = await listTools();
    expect(pages).toBe(4);
    const names = tools.map(({ name }) => name).join(' ');
    expect(names).toBe(
      'add slow_count fail weather_report summarize describe_image add_up_prices order_lunch open_guide confirm_on_page ' +
        'list_roots ping_client add_note remove_note weather_app weather_places show_everything unlock',
    );
    const ajv = new Ajv2020({ strict: true });
    for (const { title, description, inputSchema, outputSchema = {} } of tools) {
      expect(title).toBeTruthy();
      expect(description).toBeTruthy();
      expect(ajv.validateSchema(inputSchema)).toBe(true);
      expect(ajv.validateSchema(outputSchema)).toBe(true);
    }
  });

  it.each([
    ['add', { a: 2, b: 3.5 }, '2 + 3.5 = 5.5'],
    ['weather_report', { city: 'Oslo' }, 'Oslo: '],
    ['list_roots', {}, 'The client lends no folder.'],
    ['ping_client', {}, 'The client answered'],
  ])(
    '%s answers in words, as data its output schema allows, and with the same data as text',
    async (name, args, words) => {
      await connect();
      client.answer('roots/list', () => ({ roots: [] }));
      client.answer('ping', () => ({}));
      const { tools } = await listTools();
      const { content, structuredContent } = await call(name, args);
      const outputSchema = tools.find((tool) => tool.name === name)?.outputSchema;
      expect(outputSchema).toBeDefined();
      expect(new Ajv2020().validate(outputSchema ?? false, structuredContent)).toBe(true);
      expect(content).toMatchObject([
        { text: expect.stringContaining(words) as string },
        { text: JSON.stringify(structuredContent) },
      ]);
    },
  );

  it('counts with growing progress, a total and a message, before the answer', async () => {
    await connect();
    const params = { name: 'slow_count', arguments: { steps: 3, intervalMs: 0 }, _meta: { progressToken: 'mine' } };
    const response = await client.request('tools/call', params);
    const steps = client.messages.filter(isMethod('notifications/progress'));
    expect(steps.flatMap((step) => schema.faultsOf('ProgressNotification', step))).toEqual([]);
    expect(steps.map(({ params: progress }) => progress)).toEqual(
      [1, 2, 3].map((step) => ({ progressToken: 'mine', progress: step, total: 3, message: `Step ${step} of 3` })),
    );
    expect(client.messages.at(-1)).toBe(response);
  });

  it('stops counting when cancelled, and answers no more', async () => {
    await connect();
    const id = client.post('tools/call', { name: 'slow_count', arguments: { steps: 100, intervalMs: 10_000 } });
    client.notify('notifications/cancelled', { requestId: id, reason: 'enough' });
    await client.waitFor((message) => JSON.stringify(message).includes('slow_count was cancelled'));
    await client.request('ping');
    expect(client.messages.filter((message) => message['id'] === id)).toEqual([]);
  });

  it('fails in the two ways there are', async () => {
    await connect();
    expect(await call('fail')).toMatchObject({ isError: true });
    const response = await client.request('tools/call', { name: 'fail', arguments: { how: 'protocol error' } });
    expect(response).toMatchObject({ error: { code: ErrorCodes.internalError, data: { tool: 'fail' } } });
  });

  it.each([
    ['add', { a: '2', b: 3 }, '"a"'],
    ['slow_count', { steps: 0 }, '"steps"'],
    ['slow_count', { steps: 1.5 }, '"steps"'],
    ['slow_count', { steps: 101 }, '"steps"'],
    ['fail', { how: 'loudly' }, '"how"'],
    ['weather_report', { city: '' }, '"city"'],
    ['unlock', { lock: 'yes' }, '"lock"'],
  ])('names the argument of %s that does not fit: %j', async (name, args, named) => {
    await connect();
    const result = await call(name, args);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(named) as string }] });
  });

  it('answers bad arguments with invalid params where the revision wants that', async () => {
    await connect({ protocolVersion: '2025-06-18' });
    const response = await client.request('tools/call', { name: 'add', arguments: {} });
    expect(response).toMatchObject({ error: { code: ErrorCodes.invalidParams } });
  });

  it.each([
    ['2025-11-25', ['text', 'text', 'image', 'audio', 'resource_link', 'resource', 'resource', 'resource']],
    ['2025-03-26', ['text', 'text', 'image', 'audio', 'resource', 'resource', 'resource']],
    ['2024-11-05', ['text', 'text', 'image', 'resource', 'resource', 'resource']],
  ])('shows every kind of content %s knows', async (protocolVersion, kinds) => {
    await connect({ protocolVersion });
    const { content } = await call('show_everything');
    expect((content as { type: string }[]).map(({ type }) => type)).toEqual(kinds);
  });

  it('unlocks a tool, telling that the list changed, and locks it again', async () => {
    await connect();
    expect(await client.request('tools/call', { name: 'secret_tool' })).toHaveProperty('error');
    await call('unlock');
    await client.waitFor(isMethod('notifications/tools/list_changed'));
    await client.waitFor(isMethod('notifications/prompts/list_changed'));
    expect((await listTools()).tools.at(-1)).toMatchObject({ name: 'secret_tool' });
    expect(await call('secret_tool')).toMatchObject({ content: [{ text: 'You found the hidden tool.' }] });
    await call('unlock', { lock: true });
    expect((await listTools()).tools.at(-1)).toMatchObject({ name: 'unlock' });
  });
});

describe('what the demo server asks of its client', () => {
  it('asks for a model, and answers with what it got', async () => {
    await connect();
    client.answer('sampling/createMessage', () => ({
      role: 'assistant',
      content: { type: 'text', text: 'Short.' },
      model: 'test-model',
      stopReason: 'endTurn',
    }));
    const result = await call('summarize', { text: 'A long story.', style: 'haiku' });
    expect(result).not.toHaveProperty('isError');
    expect(result).toMatchObject({
      content: [{ text: 'Short.' }, { text: expect.stringContaining('test-model') as string }],
    });
    const request = client.messages.find(isMethod('sampling/createMessage'));
    expect(schema.faultsOf('CreateMessageRequest', request)).toEqual([]);
    expect(request).toMatchObject({
      params: {
        messages: [
          { role: 'user', content: { type: 'text', text: expect.stringMatching(/haiku.*A long story\./s) as string } },
        ],
        systemPrompt: expect.any(String) as string,
        modelPreferences: { hints: [{ name: 'claude-sonnet' }, { name: 'gpt' }] },
        maxTokens: 300,
      },
    });
  });

  it('tells a refusal from an answer, with the code of the client', async () => {
    await connect();
    client.answer('sampling/createMessage', () => ({ error: { code: -1, message: 'User rejected sampling request' } }));
    const result = await call('summarize', { text: 'x' });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result['content'])).toContain('code -1): User rejected sampling request');
  });

  it('sends an image to be described', async () => {
    await connect();
    client.answer('sampling/createMessage', () => ({
      role: 'assistant',
      content: { type: 'text', text: 'Cables.' },
      model: 'm',
    }));
    expect(await call('describe_image')).toMatchObject({ content: [{ text: 'Cables.' }, {}] });
    const request = client.messages.find(isMethod('sampling/createMessage'));
    expect(schema.faultsOf('CreateMessageRequest', request)).toEqual([]);
    expect(request).toMatchObject({ params: { messages: [{ content: { type: 'image', mimeType: 'image/png' } }] } });
  });

  describe('with a calculator for the model', () => {
    const capabilities = { sampling: { tools: {} } };
    const use = (id: string, input: UnknownRecord, name = 'calculator'): UnknownRecord => ({
      type: 'tool_use',
      id,
      name,
      input,
    });
    const answer = (content: unknown): UnknownRecord => ({ role: 'assistant', content, model: 'm' });
    const text = (words: string): UnknownRecord => ({ type: 'text', text: words });

    /** Answers the requests with these contents, the last one again and again. */
    function script(...contents: readonly unknown[]): void {
      let round = 0;
      client.answer('sampling/createMessage', () => answer(contents[Math.min(round++, contents.length - 1)]));
    }

    const requests = (): readonly RawMessage[] => client.messages.filter(isMethod('sampling/createMessage'));
    const lastMessages = (): readonly unknown[] => {
      const params = requests().at(-1)?.['params'];
      return isRecord(params) && Array.isArray(params['messages']) ? params['messages'] : [];
    };

    it('runs what the model calls, asks again, and answers with what it says in the end', async () => {
      await connect({ capabilities });
      const first = [text('The water:'), use('1', { operation: 'multiply', numbers: [4, 1.1] })];
      const second = use('2', { operation: 'add', numbers: [3.2, 5.8, 4.4] });
      script(first, second, text('13.40 together.'));
      const result = await call('add_up_prices');
      expect(result).toMatchObject({ content: [{ text: '13.40 together.' }, { text: 'Answered by m.' }] });
      expect(requests().flatMap((request) => schema.faultsOf('CreateMessageRequest', request))).toEqual([]);
      const tools = [{ name: 'calculator' }];
      expect(requests()).toMatchObject([1, 2, 3].map(() => ({ params: { tools, toolChoice: { mode: 'auto' } } })));
      expect(lastMessages().slice(1)).toEqual([
        { role: 'assistant', content: first },
        { role: 'user', content: [{ type: 'tool_result', toolUseId: '1', content: [text('4.4')] }] },
        { role: 'assistant', content: [second] },
        { role: 'user', content: [{ type: 'tool_result', toolUseId: '2', content: [text('13.4')] }] },
      ]);
    });

    it('tells the model what is wrong with its calls', async () => {
      await connect({ capabilities });
      const wrong = [
        use('1', { operation: 'add', numbers: [] }),
        use('2', { operation: 'divide', numbers: [1] }),
        use('3', {}, 'other'),
      ];
      script(wrong, text('I give up.'));
      expect(await call('add_up_prices')).toMatchObject({ content: [{ text: 'I give up.' }, {}] });
      expect(lastMessages().at(-1)).toMatchObject({
        content: [
          { toolUseId: '1', isError: true, content: [{ text: '"numbers" must be 1 to 100 numbers.' }] },
          { toolUseId: '2', isError: true, content: [{ text: '"operation" must be "add" or "multiply".' }] },
          { toolUseId: '3', isError: true, content: [{ text: 'There is no such tool.' }] },
        ],
      });
    });

    it('ends after five rounds, the last one without tools', async () => {
      await connect({ capabilities });
      script(use('again', { operation: 'add', numbers: [1, 1] }));
      expect(await call('add_up_prices')).toMatchObject({ isError: true });
      expect(requests()).toHaveLength(5);
      expect(requests().at(-1)).toMatchObject({ params: { toolChoice: { mode: 'none' } } });
    });

    it('is not for a session of an older revision', async () => {
      await connect({ capabilities, protocolVersion: '2025-06-18' });
      expect(await call('add_up_prices')).toMatchObject({ isError: true });
      expect(requests()).toEqual([]);
    });
  });

  it.each(['2025-06-18', '2025-11-25'] as const)('asks for lunch in a form of %s', async (protocolVersion) => {
    await connect({ protocolVersion, capabilities: { elicitation: {} } });
    const content = { name: 'Ada', dish: 'soup', portions: 2 };
    client.answer('elicitation/create', () => ({ action: 'accept', content }));
    const result = await call('order_lunch');
    expect(JSON.stringify(result['content'])).toContain('name: Ada\\ndish: soup\\nportions: 2');
    const request = client.messages.find(isMethod('elicitation/create'));
    expect(createProtocolSchema(protocolVersion).faultsOf('ElicitRequest', request)).toEqual([]);
    expect(() => readElicitRequest(isRecord(request?.['params']) ? request['params'] : {})).not.toThrow();
  });

  it('asks for a visit, and takes no for an answer', async () => {
    await connect({ capabilities: { elicitation: { url: {} } } });
    client.answer('elicitation/create', () => ({ action: 'decline' }));
    expect(JSON.stringify(await call('open_guide'))).toContain('The answer was \\"decline\\".');
    const request = client.messages.find(isMethod('elicitation/create'));
    expect(schema.faultsOf('ElicitRequest', request)).toEqual([]);
    expect(request).toMatchObject({ params: { mode: 'url', url: expect.stringMatching(/^https:/) as string } });
    expect(await call('order_lunch')).toMatchObject({ isError: true });
  });

  it('waits for its page, says that the visit is over, and answers', async () => {
    await connect({ capabilities: { elicitation: { url: {} } } });
    client.answer('elicitation/create', () => ({ action: 'accept' }));
    const result = call('confirm_on_page');
    const request = await client.waitFor(isMethod('elicitation/create'));
    const url = String(isRecord(request['params']) && request['params']['url']);
    expect(await (await fetch(url)).text()).toContain('I have been here');
    expect((await fetch(new URL('/elsewhere', url), { method: 'POST' })).status).toBe(404);
    expect(client.messages.some(isMethod('notifications/elicitation/complete'))).toBe(false);
    expect(await (await fetch(url, { method: 'POST' })).text()).toContain('Thank you');
    expect(JSON.stringify(await result)).toContain('You pressed the button');
    const complete = client.messages.find(isMethod('notifications/elicitation/complete'));
    expect(schema.faultsOf('ElicitationCompleteNotification', complete)).toEqual([]);
    expect(complete).toMatchObject({ params: { elicitationId: url } });
    await expect(fetch(url)).rejects.toThrow();
  });

  it('takes its request back when the call it belongs to is cancelled', async () => {
    await connect();
    const id = client.post('tools/call', { name: 'summarize', arguments: { text: 'x' } });
    const request = await client.waitFor(isMethod('sampling/createMessage'));
    client.notify('notifications/cancelled', { requestId: id });
    const cancelled = await client.waitFor(isMethod('notifications/cancelled'));
    expect(schema.faultsOf('CancelledNotification', cancelled)).toEqual([]);
    expect(cancelled).toMatchObject({ params: { requestId: request['id'] } });
  });

  it('lists the roots it is lent', async () => {
    await connect();
    client.answer('roots/list', () => ({ roots: [{ uri: 'file:///one', name: 'One' }, { uri: 'file:///two' }] }));
    const result = await call('list_roots');
    expect(result).toMatchObject({
      structuredContent: { roots: [{ uri: 'file:///one', name: 'One' }, { uri: 'file:///two' }] },
    });
    expect(result).toMatchObject({ content: [{ text: 'One: file:///one\nfile:///two' }, {}] });
  });

  it.each([
    ['summarize', { text: 'x' }, 'sampling'],
    ['describe_image', {}, 'sampling'],
    ['add_up_prices', {}, 'sampling.tools'],
    ['list_roots', {}, 'roots'],
  ])('%s says which capability is missing instead of asking', async (name, args, capability) => {
    await connect({ capabilities: {} });
    const result = await call(name, args);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(`"${capability}"`) as string }],
    });
    expect(client.messages.filter((message) => 'method' in message && 'id' in message)).toEqual([]);
  });
});
