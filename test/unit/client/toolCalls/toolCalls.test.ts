import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { ProposedCall } from '../../../../src/client/toolCalls/ports.ts';
import type { Tool } from '../../../../src/protocol/mcp/tools.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { createLocalValidator } from '../../../fixtures/schemaChecker.ts';
import { crash, type ServerSetUp, setUpServer } from '../../../fixtures/scriptedManagedServer.ts';

const add: Tool = {
  name: 'add',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
};
const summing: Tool = {
  ...add,
  outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
};
const sum = (value: unknown) => ({ content: [], structuredContent: { sum: value } });

type Answer = 'yes' | Error | Promise<'yes'>;

/** A server with some tools, and a user who is asked about every call. */
async function setUp(tools: readonly Tool[], setting: ServerSetUp = {}) {
  let listed = tools;
  let answer: (call: ProposedCall) => Answer = () => 'yes';
  const asked: ProposedCall[] = [];
  const window = setUpServer({
    capabilities: { tools: { listChanged: true } },
    ...setting,
    toolCalls: {
      validator: createLocalValidator(),
      async approve(call) {
        asked.push(call);
        const given = answer(call);
        if (given instanceof Error) throw given;
        await given;
        return 'allowed once';
      },
    },
    script(scripted, launch) {
      scripted.on('tools/list', () => ({ tools: listed }));
      scripted.on('tools/call', () => sum(3));
      setting.script?.(scripted, launch);
    },
  });
  await window.server.start();
  /** Lists these from now on, and says so. */
  function announce(...next: readonly Tool[]): void {
    listed = next;
    window.latest().notify('notifications/tools/list_changed');
  }
  return {
    ...window,
    asked,
    answers: (next: typeof answer) => void (answer = next),
    sent: () =>
      window
        .latest()
        .sentFor('tools/call')
        .map(({ params }) => params as { readonly arguments: unknown }),
    announce,
    list: async (...next: readonly Tool[]): Promise<void> => {
      announce(...next);
      await window.clock.advance(1_000);
    },
  };
}

/** A call of `add` whose question is open until the test allows it. */
async function setUpQuestion(args: object = { a: 1 }) {
  const set = await setUp([add]);
  let allow = (): void => {};
  const answer = new Promise<'yes'>((resolve) => (allow = () => resolve('yes')));
  set.answers(() => answer);
  const call = set.server.callTool('add', args);
  call.catch(() => {});
  await settle();
  return { ...set, call, allow };
}

describe('a call of a tool', () => {
  it('is checked, asked about with its whole arguments, sent and recorded [tool-consent]', async () => {
    const { server, asked, sent, audit } = await setUp([add]);
    const args = { a: 1, text: 'x'.repeat(5_000) };
    await server.callTool('add', args, { caller: 'command' });
    expect(asked).toMatchObject([{ server: 'it', name: 'add', tool: add, args, caller: 'command', isSeen: false }]);
    expect(sent()).toMatchObject([{ name: 'add', arguments: args }]);
    const text = JSON.stringify(args);
    const detail = {
      tool: 'add',
      calledBy: 'command',
      allowed: 'allowed once',
      argumentBytes: text.length,
      argumentsSha256: createHash('sha256').update(text).digest('hex'),
    };
    await vi.waitFor(() => expect(audit).toEqual([{ server: 'it', action: 'toolCall', outcome: 'done', detail }]));
    expect(JSON.stringify(audit)).not.toContain('xxxx');
  });

  it('is about the tool that the server has announced, however long it is not to be asked for it', async () => {
    const { server, clock, asked, announce } = await setUp([add]);
    for (let time = 0; time < 200; time += 1) {
      announce(add);
      await clock.advance(100);
    }
    const destructive = { ...add, annotations: { destructiveHint: true } };
    announce(destructive);
    // The page shows the one of before.
    await server.callTool('add', { a: 1 }, { caller: 'form', tool: add });
    expect(asked).toMatchObject([{ tool: destructive, isSeen: false, isDestructive: true }]);
  });

  it('is asked about as one of another extension where nobody says who it is', async () => {
    const { server, asked } = await setUp([add]);
    await server.callTool('add', { a: 1 });
    expect(asked).toMatchObject([{ caller: 'extension', isSeen: false }]);
  });

  it('is refused unasked where the arguments break the schema, and that is recorded', async () => {
    const { server, asked, sent, audit } = await setUp([add]);
    await expect(server.callTool('add', { a: 'one' })).rejects.toMatchObject({ code: 'invalidArguments' });
    expect([asked, sent()]).toEqual([[], []]);
    await vi.waitFor(() =>
      expect(audit).toMatchObject([{ outcome: 'invalid arguments', detail: { tool: 'add', argumentBytes: 11 } }]),
    );
  });

  it('is sent all the same for the program that the host is part of, with a note', async () => {
    const { server, sent } = await setUp([add]);
    const notes: string[] = [];
    await server.callTool('add', { a: 'one' }, { caller: 'program', onNote: (note) => notes.push(note) });
    expect(sent()).toHaveLength(1);
    expect(notes).toEqual([expect.stringContaining('The arguments do not fit the tool "add". “a” must be a number.')]);
  });

  it('is not sent after a no, which is recorded', async () => {
    const { server, answers, sent, audit } = await setUp([add]);
    answers(() => new Error('no'));
    await expect(server.callTool('add', { a: 1 })).rejects.toThrow('no');
    expect(sent()).toEqual([]);
    await vi.waitFor(() =>
      expect(audit).toMatchObject([{ outcome: 'declined', detail: { tool: 'add', argumentBytes: 7 } }]),
    );
  });

  it('is recorded a few times only where many are refused, also when its server starts again in between', async () => {
    const { server, answers, audit } = await setUp([add]);
    answers(() => new Error('no'));
    const refuse = (): Promise<void> => expect(server.callTool('add', { a: 1 })).rejects.toThrow('no');
    const refusals = (): unknown[] => audit.filter(({ detail }) => detail?.['tool'] === 'add');
    for (let count = 0; count < 100; count += 1) await refuse();
    await vi.waitFor(() => expect(refusals()).toHaveLength(20));
    await server.stop();
    await server.start();
    await refuse();
    await settle();
    expect(refusals()).toHaveLength(20);
    await server.dispose();
  });

  it('says that its arguments are unchecked where the schema cannot be used [schema-bounds]', async () => {
    const external: Tool = { name: 'far', inputSchema: { $ref: 'https://example.com/schema.json' } };
    const { server, asked } = await setUp([external]);
    const notes: string[] = [];
    await server.callTool('far', { a: 1 }, { caller: 'form', tool: external, onNote: (note) => notes.push(note) });
    expect(asked).toMatchObject([{ isSeen: true, unchecked: expect.any(String) }]);
    expect(notes).toEqual([expect.stringMatching(/^The arguments were not checked/)]);
    await server.callTool('unlisted', {});
    expect(asked[1]).toMatchObject({ tool: undefined, unchecked: 'the server lists no tool of this name' });
  });

  it('sends what was shown, whatever becomes of the object meanwhile', async () => {
    const args = { a: 1 };
    const { call, allow, asked, sent } = await setUpQuestion(args);
    args.a = 2;
    allow();
    await call;
    expect(asked).toMatchObject([{ args: { a: 1 } }]);
    expect(sent()).toMatchObject([{ arguments: { a: 1 } }]);
  });

  it('takes no arguments that JSON cannot write: a list, a circle', async () => {
    const { server, sent } = await setUp([add]);
    const circle: { a: number; self?: object } = { a: 1 };
    circle.self = circle;
    for (const args of [[1], circle] as object[])
      await expect(server.callTool('add', args)).rejects.toMatchObject({ code: 'invalidArguments' });
    expect(sent()).toEqual([]);
  });
});

describe('a question before a call', () => {
  it('is asked again where the definition changes while it is open', async () => {
    const { call, allow, asked, sent, list } = await setUpQuestion();
    await list({ ...add, description: 'Deletes everything.' });
    allow();
    await call;
    expect(asked.map(({ tool }) => tool?.description)).toEqual([undefined, 'Deletes everything.']);
    expect(sent()).toHaveLength(1);
  });

  it('is asked again for what the server has announced meanwhile, however long it is not to be asked for it', async () => {
    const { server, clock, asked, announce, answers } = await setUp([add]);
    for (let time = 0; time < 200; time += 1) {
      announce(add);
      await clock.advance(100);
    }
    const destructive = { ...add, annotations: { destructiveHint: true } };
    answers(() => {
      announce(destructive);
      return 'yes';
    });
    await server.callTool('add', { a: 1 }, { caller: 'command' });
    expect(asked.map(({ isDestructive }) => isDestructive)).toEqual([false, true]);
  });

  it('is not answered for a definition that the arguments break by then', async () => {
    const { call, allow, sent, list } = await setUpQuestion();
    await list({ ...add, inputSchema: { type: 'object', required: ['b'] } });
    allow();
    await expect(call).rejects.toMatchObject({ code: 'invalidArguments' });
    expect(sent()).toEqual([]);
  });

  it('holds where the server only lists the same again', async () => {
    const { call, allow, asked, sent, list } = await setUpQuestion();
    await list({ ...add });
    allow();
    await call;
    expect([asked.length, sent().length]).toEqual([1, 1]);
  });

  it('is asked again where the server was started again meanwhile, and calls nothing where it has stopped', async () => {
    const { server, call, allow, answers, asked, sent, latest, clock } = await setUpQuestion();
    let allowAgain = (): void => {};
    answers(() => new Promise((resolve) => (allowAgain = () => resolve('yes'))));
    crash(latest());
    await clock.advance(2_000);
    expect(server.state.kind).toBe('running');
    allow();
    await settle();
    expect([asked.length, sent().length]).toEqual([2, 0]);
    const stopped = expect(call).rejects.toMatchObject({ code: 'notRunning' });
    await server.stop();
    allowAgain();
    await stopped;
    expect(sent()).toEqual([]);
  });

  it('is given up where a definition changes with each answer', async () => {
    const { server, answers, asked, sent, list } = await setUp([add]);
    answers((call) => list({ ...add, description: `${call.tool?.description ?? ''}!` }).then(() => 'yes' as const));
    await expect(server.callTool('add', { a: 1 })).rejects.toThrow(/keeps changing/);
    expect(asked.length).toBeLessThan(10);
    expect(sent()).toEqual([]);
  });
});

it('a form counts as seen with the very definition it was filled in for', async () => {
  const { server, asked, list } = await setUp([add]);
  await server.callTool('add', { a: 1 }, { caller: 'form', tool: { ...add } });
  await list({ ...add, annotations: { readOnlyHint: true } });
  await server.callTool('add', { a: 1 }, { caller: 'form', tool: add });
  expect(asked.map(({ isSeen }) => isSeen)).toEqual([true, false]);
});

it('a form counts as seen without the icons of its tool, which are not kept with a draft', async () => {
  const { server, asked } = await setUp([{ ...add, icons: [{ src: 'data:image/png;base64,AA==' }] }]);
  await server.callTool('add', { a: 1 }, { caller: 'form', tool: add });
  expect(asked.map(({ isSeen }) => isSeen)).toEqual([true]);
});

it('tools of one name are each called by their own definition, and said to be the same to the server [tool-names]', async () => {
  const other: Tool = { name: 'add', description: 'Another.', inputSchema: { type: 'object', required: ['b'] } };

  const { server, asked, sent, list } = await setUp([add, other]);
  await server.callTool('add', { b: 1 }, { caller: 'form', tool: other });
  await expect(server.callTool('add', { b: 1 }, { caller: 'form', tool: add })).rejects.toMatchObject({
    code: 'invalidArguments',
  });
  expect(asked).toMatchObject([
    { tool: { description: 'Another.' }, sameNameCount: 2, isSeen: true, isDestructive: false },
  ]);
  expect(sent()).toHaveLength(1);
  // The server may take the other one.
  await list(add, { ...other, annotations: { destructiveHint: true } });
  await server.callTool('add', { a: 1 }, { caller: 'again', tool: add });
  expect(asked[1]).toMatchObject({ isSeen: true, isDestructive: true });
});

describe('a result', () => {
  it('that breaks the output schema is an error that has it [output-schema]', async () => {
    const { server, latest, audit } = await setUp([summing]);
    latest().on('tools/call', () => sum('3'));
    const message = expect.stringContaining(
      'its result does not match its output schema. In the structured content, “sum” must be a number.',
    ) as string;
    await expect(server.callTool('add', { a: 1 })).rejects.toMatchObject({
      code: 'invalidResult',
      message,
      result: { structuredContent: { sum: '3' } },
      differences: [{ path: ['sum'], message: 'must be a number' }],
    });
    latest().on('tools/call', () => ({ content: [] }));
    await expect(server.callTool('add', { a: 1 })).rejects.toThrow(/It returned no structured content/);
    await vi.waitFor(() =>
      expect(audit).toMatchObject([
        { outcome: 'done, but the result does not match the output schema' },
        { outcome: 'done, but the result does not match the output schema' },
      ]),
    );
    latest().on('tools/call', () => ({ content: [], isError: true }));
    expect(await server.callTool('add', { a: 1 })).toMatchObject({ isError: true });
  });

  it('is not lost where it cannot be checked, and says so [schema-bounds]', async () => {
    // An infinite schema must not reject here: the result of a tool that has run would be lost.
    const { server } = await setUp([{ ...add, outputSchema: { $ref: '#' } }]);
    const notes: string[] = [];
    await server.callTool('add', { a: 1 }, { onNote: (note) => notes.push(note) });
    expect(notes).toEqual([expect.stringMatching(/^The result was not checked against the tool's output schema: /)]);
  });
});
