import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHeadlessHost, createValidator } from '../../../src/headless.ts';
import { createRedactor } from '../../../src/secrets/redactor.ts';
import type { CallAnswers } from '../../../src/workshop/savedCalls/callAnswers.ts';
import { runSavedCalls, type SavedCallResult } from '../../../src/workshop/savedCalls/runSavedCalls.ts';
import type { BuiltScript } from '../../fixtures/builtScript.ts';
import { buildDemoServer } from '../../fixtures/demoServer.ts';
import { buildChecker } from '../../fixtures/schemaChecker.ts';

let demo: BuiltScript;
let checker: BuiltScript;
beforeAll(async () => {
  [demo, checker] = await Promise.all([buildDemoServer(), buildChecker()]);
});
afterAll(() => {
  demo.remove();
  checker.remove();
});

const call = { server: 'demo', name: 'it' };
const snapshots = new Map<string, string>();

/** Runs the saved calls against the demo server, as a program does. */
async function run(calls: readonly object[]): Promise<readonly SavedCallResult[]> {
  let answers: CallAnswers | undefined;
  const host = createHeadlessHost({
    servers: { demo: { command: process.execPath, args: [demo.path] } },
    onElicitation: async (request) => answers?.elicitation(request) ?? { action: 'cancel' },
    onSampling: async (request) => answers?.sampling(request) ?? Promise.reject(new Error('no answer')),
  });
  const validator = createValidator({ script: checker.path });
  const folder = { name: 'f', path: '/f' };
  const text = JSON.stringify({ calls: calls.map((each, index) => ({ ...call, name: `call ${index}`, ...each })) });
  const results: SavedCallResult[] = [];
  try {
    const server = host.getServer('demo') ?? expect.unreachable('no server');
    await server.start();
    const port = {
      validator,
      redactor: createRedactor([]),
      readSnapshot: async (path: string) => snapshots.get(path),
      async callTool(
        called: { tool: string; arguments: object },
        options: { answers: CallAnswers; signal: AbortSignal },
      ) {
        answers = options.answers;
        const result = await server.callTool(called.tool, called.arguments, { signal: options.signal });
        return { result, durationMs: 1, problems: [] };
      },
    };
    const file = { path: 'calls.json', text, folder, folders: [folder], pathSeparator: '/' } as const;
    const { signal } = new AbortController();
    for await (const result of runSavedCalls(file, port, { signal })) results.push(result);
  } finally {
    validator.dispose();
    await host.dispose();
  }
  return results;
}

describe('saved calls against a real server', () => {
  it('pass with each kind of expectation and answer', async () => {
    const elicitation = [{ match: 'lunch', action: 'accept', content: { name: 'Ada', dish: 'soup' } }];
    const results = await run([
      {
        tool: 'add',
        arguments: { a: 2 },
        cases: [{ name: 'x', arguments: { b: 3 }, expect: { paths: { '$.sum': 5 } } }],
      },
      {
        tool: 'add',
        arguments: { a: 1, b: 1 },
        expect: { schema: { properties: { sum: { const: 2 } } }, text: '= 2' },
      },
      { tool: 'fail', expect: { isError: true, text: 'as it was asked to' } },
      { tool: 'order_lunch', answers: { elicitation }, expect: { text: ['Ada', 'soup'] } },
      {
        tool: 'summarize',
        arguments: { text: 'Long.' },
        answers: { sampling: [{ text: 'Short.' }] },
        expect: { text: 'Short.' },
      },
    ]);
    expect(results.map(({ verdict, message }) => [verdict, message])).toEqual(results.map(() => ['passed', undefined]));
    expect(results).toHaveLength(5);
  });

  it('fail with what was missed', async () => {
    const results = await run([
      { tool: 'add', arguments: { a: 2, b: 2 }, expect: { paths: { '$.sum': 5 } } },
      { tool: 'fail', arguments: { how: 'protocol error' }, expect: { isError: true } },
      { tool: 'order_lunch', answers: { elicitation: [{ action: 'decline' }] }, expect: { text: 'soup' } },
      { tool: 'add', arguments: { a: 2, b: 2 }, expect: { schema: { properties: { sum: { type: 'string' } } } } },
    ]);
    expect(results.map(({ message }) => message)).toEqual([
      '$.sum is 4, not 5.',
      expect.stringMatching(/^The call failed: /),
      expect.stringContaining('does not contain “soup”'),
      expect.stringContaining('does not match the expected schema'),
    ]);
  });

  it('have the same snapshot in each run', async () => {
    const calls = [{ tool: 'weather_report', arguments: { city: 'Oslo' }, expect: { snapshot: true } }];
    const [missing] = await run(calls);
    const { path, text } = missing?.snapshot ?? expect.unreachable(missing?.message);
    snapshots.set(path, text);
    expect((await run(calls))[0]?.verdict).toBe('passed');
  });
});
