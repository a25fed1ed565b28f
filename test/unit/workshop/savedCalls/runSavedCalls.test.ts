import { describe, expect, it, onTestFinished } from 'vitest';
import { CancelledError, PatchbayError } from '../../../../src/base/errors.ts';
import type { CallToolResult } from '../../../../src/protocol/mcp/tools.ts';
import { createRedactor } from '../../../../src/secrets/redactor.ts';
import type { ToolAnswer } from '../../../../src/workshop/savedCalls/judgeResult.ts';
import {
  type CallTestOptions,
  runSavedCalls,
  type SavedCallResult,
  type TestedCall,
} from '../../../../src/workshop/savedCalls/runSavedCalls.ts';
import { coverageOf } from '../../../../src/workshop/savedCalls/savedCallCoverage.ts';
import { readSavedCallTests } from '../../../../src/workshop/savedCalls/savedCallTests.ts';
import { createLocalValidator } from '../../../fixtures/schemaChecker.ts';

const secret = 'hunter2-hunter2';

interface Setup {
  readonly answer?: Partial<Omit<ToolAnswer, 'result'>> & { readonly result?: Partial<CallToolResult> };
  readonly call?: (call: TestedCall, options: CallTestOptions) => Promise<ToolAnswer>;
  readonly snapshots?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const sunny: CallToolResult = {
  content: [{ type: 'text', text: 'It is sunny.' }],
  structuredContent: { days: [{ sky: 'sun', 'wind speed': 3 }, { sky: 'rain' }], city: 'Oslo' },
  isError: false,
};

async function run(text: string, { answer, call, snapshots = {}, signal }: Setup = {}): Promise<SavedCallResult[]> {
  const validator = createLocalValidator();
  onTestFinished(() => validator.dispose());
  const given = { durationMs: 5, problems: [], ...answer, result: { ...sunny, ...answer?.result } };
  const folder = { name: 'folder', path: '/folder' };
  const results: SavedCallResult[] = [];
  const file = { path: '/folder/.vscode/mcp-calls.json', text, folder, folders: [folder], pathSeparator: '/' } as const;
  const port = {
    validator,
    redactor: createRedactor([{ value: secret, kind: 'secretInput', what: 'the input' }]),
    readSnapshot: async (path: string) => snapshots[path],
    callTool: call ?? (async () => given),
  };
  const options = { signal: signal ?? new AbortController().signal };
  for await (const result of runSavedCalls(file, port, options)) results.push(result);
  return results;
}

function fileWith(...calls: readonly object[]): string {
  const named = calls.map((call, index) => ({ name: `n${index}`, server: 's', tool: 't', ...call }));
  return JSON.stringify({ calls: named }, undefined, 2);
}

async function runOne(call: object, setup: Setup = {}): Promise<SavedCallResult> {
  const results = await run(fileWith(call), setup);
  expect(results).toHaveLength(1);
  return results[0] ?? expect.unreachable('no result');
}

const errorAnswer = { result: { isError: true, content: [{ type: 'text', text: 'No such city.' }] as const } };

describe('an expectation of a saved call', () => {
  it.each<readonly [what: string, expect: object | undefined, setup: Setup]>([
    ['nothing, and no error comes', undefined, {}],
    ['an error', { isError: true }, { answer: errorAnswer }],
    ['a part of the text', { text: 'sunny' }, {}],
    ['several parts of the text', { text: ['It is', 'sunny'] }, {}],
    ['values at places', { paths: { '$.days[0].sky': 'sun', '$.days[-1]["sky"]': 'rain', '$.city': 'Oslo' } }, {}],
    ['an object at a place, in any order of keys', { paths: { '$.days[0]': { 'wind speed': 3, sky: 'sun' } } }, {}],
    ['a schema', { schema: { type: 'object', required: ['days'] } }, {}],
    [
      'a value of the JSON in the only text',
      { paths: { '$.a[1]': 2 } },
      {
        answer: {
          result: { ...sunny, structuredContent: undefined, content: [{ type: 'text', text: '{"a":[1,2]}' }] } as never,
        },
      },
    ],
    ['a duration', { maximumMs: 6 }, {}],
  ])('is met: %s', async (_, expectation, setup) => {
    const { verdict, message } = await runOne({ ...(expectation && { expect: expectation }) }, setup);
    expect([verdict, message]).toEqual(['passed', undefined]);
  });

  it.each<readonly [what: string, expect: object | undefined, setup: Setup, message: string]>([
    [
      'nothing, and an error comes',
      undefined,
      { answer: errorAnswer },
      'The tool answered with an error: No such city.',
    ],
    ['an error', { isError: true }, {}, 'The tool answered without an error.'],
    ['a part of the text', { text: 'rainy' }, {}, 'does not contain “rainy”. The text is “'],
    ['a value', { paths: { '$.days[0].sky': 'rain' } }, {}, '$.days[0].sky is "sun", not "rain".'],
    ['a value in an object', { paths: { '$.days[1]': { sky: 'sun' } } }, {}, 'It differs first at $.sky of that.'],
    ['a value where nothing is', { paths: { '$.days[7].sky': 'rain' } }, {}, 'has nothing at $.days[7].sky'],
    ['an inherited member', { paths: { '$.constructor': 'x' } }, {}, 'has nothing at $.constructor'],
    ['a schema', { schema: { properties: { city: { type: 'number' } } } }, {}, 'does not match the expected schema'],
    ['a schema that is none', { schema: { type: 'strange' } }, {}, 'could not be checked'],
    ['a duration', { maximumMs: 4 }, {}, 'took 5 ms, more than 4 ms'],
    [
      'a value of text that is no JSON',
      { paths: { $: 1 } },
      { answer: { result: { ...sunny, structuredContent: undefined } as never } },
      'no structured content',
    ],
    [
      'nothing, and the output schema is broken',
      undefined,
      { answer: { problems: ['It lacks a sky.'] } },
      'It lacks a sky.',
    ],
  ])('is missed: %s', async (_, expectation, setup, message) => {
    const result = await runOne({ ...(expectation && { expect: expectation }) }, setup);
    expect(result.verdict).toBe('failed');
    expect(result.message).toContain(message);
  });

  it('fails at its line, with both sides of the difference', async () => {
    const result = await runOne({ expect: { paths: { '$.city': 'Bergen' } } });
    expect(result.place).toEqual({ path: '/folder/.vscode/mcp-calls.json', line: 9 });
    expect(result.failures).toEqual([
      { message: '$.city is "Oslo", not "Bergen".', line: 9, expected: '"Bergen"', actual: '"Oslo"' },
    ]);
  });

  it('is searched for secrets a bounded number of times, however much a folder expects of a large result', async () => {
    const paths = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`$.a${index}`, index]));
    const { failures } = await runOne({ expect: { paths } });
    expect(failures).toHaveLength(21);
    expect(failures.at(-1)?.message).toContain('More paths differ');
    const many = await runOne({ expect: { text: Array.from({ length: 21 }, (_, index) => `t${index}`) } });
    expect(many.message).toContain('a list of at most 20 texts');
  });

  it('has no number of cases that makes a small file endless', () => {
    const cases = Array.from({ length: 200 }, (_, index) => ({ name: `c${index}` }));
    const call = { name: 'a', server: 's', tool: 't', arguments: { text: 'x'.repeat(20_000) }, cases };
    const [test, ...others] = readSavedCallTests(JSON.stringify({ calls: [call] })).tests;
    expect([test?.case, others]).toEqual([undefined, []]);
    expect(test?.faults[0]?.message).toContain('at most 2,000,000 characters');
    const few = { ...call, cases: cases.slice(0, 20) };
    expect(
      readSavedCallTests(JSON.stringify({ calls: [few, { ...call, name: 'c' }, { ...few, name: 'b' }] })).tests,
    ).toHaveLength(41);
  });

  it('shows no secret that a server gives', async () => {
    const structuredContent = { key: secret };
    const result = await runOne({ expect: { paths: { '$.key': 'x' } } }, { answer: { result: { structuredContent } } });
    expect(JSON.stringify(result)).not.toContain(secret);
  });
});

describe('a snapshot', () => {
  const call = { expect: { snapshot: true } };

  it('is missing at first, then the same in any order of keys, then different', async () => {
    const missing = await runOne(call);
    expect(missing.message).toContain('There is no snapshot yet.');
    const { path, text } = missing.snapshot ?? expect.unreachable('no snapshot to write');
    expect(path).toMatch(/^\.vscode\/mcp-snapshots\/call-t--n0-[0-9a-f]{8}\.json$/);
    const reordered = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).toReversed()));
    expect((await runOne(call, { snapshots: { [path]: reordered } })).verdict).toBe('passed');
    const other = await runOne(call, { snapshots: { [path]: text.replace('Oslo', 'Bergen') } });
    expect(other.message).toContain(
      `The result is not the one of ${path}. It differs first at $.structuredContent.city: "Oslo", not "Bergen".`,
    );
    expect(other.failures[0]?.expected).toContain('Bergen');
    expect(other.failures[0]?.actual).toContain('Oslo');
    expect((await runOne(call, { snapshots: { [path]: '{' } })).message).toContain('is not JSON');
  });

  it('leaves out what differs from call to call, in structured content and in texts that are JSON', async () => {
    const at = (time: number, ids: readonly number[], more = {}): CallToolResult => {
      const structuredContent = { time, rows: ids.map((id) => ({ id, name: 'a' })), ...more };
      return {
        content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
        structuredContent,
        isError: false,
      };
    };
    const ignoring = (ignore: unknown): object => ({ expect: { snapshot: true, ignore } });
    const both = ignoring(['$.time', '$.rows[*].id', '$.rows[7].x', '$.none.at']);
    const first = await runOne(both, { answer: { result: at(1, [12_345_678_901]) } });
    const { path, text } = first.snapshot ?? expect.unreachable('no snapshot to write');
    expect(text).not.toContain('12345678901');
    expect(text.match(/\(ignored\)/g)).toHaveLength(4);
    const snapshots = { [path]: text };
    const verdict = async (test: object, result: CallToolResult): Promise<string> =>
      (await runOne(test, { answer: { result }, snapshots })).verdict;
    expect(await verdict(both, at(2, [7]))).toBe('passed');
    expect(await verdict(both, at(2, [7, 8]))).toBe('failed');
    expect(await verdict(both, at(2, [7], { other: true }))).toBe('failed');
    expect(await verdict(ignoring('$.time'), at(2, [7]))).toBe('failed');
    // A snapshot from before something was ignored.
    const plain = await runOne(call, { answer: { result: at(1, [3]) } });
    const older = { [path]: plain.snapshot?.text ?? '' };
    expect((await runOne(both, { answer: { result: at(2, [4]) }, snapshots: older })).verdict).toBe('passed');
    const failed = await runOne(both, { answer: { result: at(2, [4], { other: true }) }, snapshots: older });
    expect(failed.failures[0]?.expected).not.toMatch(/"time": 1|"id": 3/);
    for (const wrong of ['time', '$', '$..id', '$.a[?(@.b)]', 7, `$${'[*]'.repeat(1_000)}`])
      expect((await runOne(ignoring([wrong]))).message, String(wrong)).toMatch(/"ignore" is a path|is not a path/);
  });

  it('is of no error that nobody expects', async () => {
    const unexpected = await runOne(call, { answer: errorAnswer });
    expect([unexpected.verdict, unexpected.snapshot]).toEqual(['failed', undefined]);
    const expected = await runOne({ expect: { snapshot: true, isError: true } }, { answer: errorAnswer });
    expect(expected.snapshot?.text).toContain('"isError": true');
  });

  it('has no secret, no metadata, and bytes as their digest', async () => {
    const data = Buffer.from('picture').toString('base64');
    const result = {
      content: [
        { type: 'text', text: `key ${secret}`, _meta: { id: 1 }, annotations: { priority: 1 } },
        { type: 'image', data, mimeType: 'image/png' },
      ],
      structuredContent: { [secret]: 1, priority: 2 },
    } as const;
    const { snapshot } = await runOne(call, { answer: { result } });
    expect(snapshot?.text).not.toMatch(new RegExp(`${secret}|_meta|annotations|${data}`));
    expect(snapshot?.text).toContain('sha256:');
    expect(snapshot?.text).toContain('"priority": 2');
  });

  it('of a secret that is split over several texts is not written', async () => {
    const content = [secret.slice(0, 7), secret.slice(7)].map((text) => ({ type: 'text', text }) as const);
    const { snapshot, message } = await runOne(call, { answer: { result: { content } } });
    expect([snapshot, message]).toEqual([undefined, expect.stringContaining('split over several texts')]);
  });

  it('too large or too deep is refused', async () => {
    let deep: object = {};
    for (let level = 0; level < 300; level += 1) deep = { deep };
    const large = 'x'.repeat(2 * 1024 * 1024);
    for (const structuredContent of [deep, { large }]) {
      const { message } = await runOne(call, { answer: { result: { structuredContent } as never } });
      expect(message).toContain('too large for a snapshot');
    }
  });

  it.each(['../x.json', '/etc/x.json', 'a/b.json', 'con.json', '..\\x.json', 'x.txt', '.json', 'a\u0000.json', ''])(
    'has no file elsewhere: %j',
    async (snapshot) => {
      const { verdict, message, snapshot: update } = await runOne({ expect: { snapshot } });
      expect([verdict, update]).toEqual(['failed', undefined]);
      expect(message).toContain('"snapshot" must be true, or the name of a file');
    },
  );
});

describe('a case', () => {
  it('has its own arguments and expectations over those of its call', async () => {
    const asked: TestedCall[] = [];
    const text = fileWith({
      arguments: { city: 'Oslo', unit: 'C' },
      expect: { text: 'sunny', isError: false },
      cases: [
        { name: 'cold', arguments: { city: 'Tromsø/%' } },
        { name: 'bad', expect: { isError: true } },
      ],
    });
    const results = await run(text, {
      call: async (call) => {
        asked.push(call);
        return { result: sunny, durationMs: 1, problems: [] };
      },
    });
    expect(asked.map((call) => call.arguments)).toEqual([
      { city: 'Tromsø/%', unit: 'C' },
      { city: 'Oslo', unit: 'C' },
    ]);
    expect(results.map(({ id, title, verdict }) => [id, title, verdict])).toEqual([
      ['saved/s/t/n0/cold', 'n0: cold', 'passed'],
      ['saved/s/t/n0/bad', 'n0: bad', 'failed'],
    ]);
  });

  it.each([
    [{ cases: {} }, '"cases" must be a list'],
    [{ cases: [{}] }, 'A case needs a "name"'],
    [{ cases: [{ name: 'a', argument: {} }] }, 'A case has no “argument”'],
    [{ cases: [{ name: 'a', arguments: [] }] }, '"arguments" must be an object'],
    [{ expect: [] }, '"expect" must be an object'],
    [{ expect: { isErorr: true } }, 'There is no expectation “isErorr”'],
    [{ expect: { isError: 'yes' } }, '"isError" must be true or false'],
    [{ expect: { paths: { '$.a[*]': 1 } } }, '“$.a[*]” is not a path'],
    [{ expect: { paths: { a: 1 } } }, '“a” is not a path'],
    [{ expect: { maximumMs: -1 } }, '"maximumMs" must be'],
    [{ answers: { elicitation: [{ action: 'yes' }] } }, 'An answer to a question is'],
    [{ answers: { sampling: [{ text: 1 }] } }, 'An answer for a model is'],
    [{ answers: { other: [] } }, '"answers" has the lists'],
  ])('that is written wrong fails and calls nothing: %j', async (call, message) => {
    const result = await runOne(call, { call: () => expect.unreachable('it was called') });
    expect(result.verdict).toBe('failed');
    expect(result.message).toContain(message);
  });

  it('of the same name comes once', async () => {
    const results = await run(fileWith({ cases: [{ name: 'a' }, { name: 'a' }] }));
    expect(results.map(({ verdict }) => verdict)).toEqual(['passed', 'failed']);
  });
});

describe('answers', () => {
  const form = { type: 'object', properties: {}, required: [], additionalProperties: false } as const;
  const question = (message: string) => ({ mode: 'form', message, requestedSchema: form }) as const;
  const request = (text: string) =>
    ({ messages: [{ role: 'user', content: [{ type: 'text', text }] }], maxTokens: 9 }) as const;

  it('are given once each, to what they match', async () => {
    const answers = {
      elicitation: [{ match: 'dish', action: 'accept', content: { dish: 'soup' } }, { action: 'decline' }],
      sampling: [{ text: 'a poem' }],
    };
    const given: unknown[] = [];
    const result = await runOne(
      { answers },
      {
        async call(_, options) {
          const { answers: of } = options;
          given.push(of.elicitation(question('Your name?')), of.elicitation(question('Which dish?')));
          given.push(
            of.elicitation(question('Which dish?')),
            of.sampling(request('Write')),
            of.sampling(request('Again')),
          );
          return { result: sunny, durationMs: 1, problems: [] };
        },
      },
    );
    expect(result.verdict).toBe('passed');
    expect(given).toEqual([
      { action: 'decline' },
      { action: 'accept', content: { dish: 'soup' } },
      undefined,
      expect.objectContaining({ model: 'saved-call', content: [{ type: 'text', text: 'a poem' }] }),
      undefined,
    ]);
  });

  it('visit no page', async () => {
    await runOne(
      { answers: { elicitation: [{ action: 'accept' }] } },
      {
        async call(_, { answers }) {
          expect(answers.elicitation({ mode: 'url', message: 'Pay', url: 'https://example.com' })).toBeUndefined();
          return { result: sunny, durationMs: 1, problems: [] };
        },
      },
    );
  });

  it('that nothing asked for fail, at their line', async () => {
    const result = await runOne({ answers: { sampling: [{ text: 'a' }] } });
    expect(result.message).toContain('did not ask for this answer');
    expect(result.place?.line).toBe(9);
  });

  it('are texts of the file: no variable in them is replaced', async () => {
    const text = '${input:token} ${env:HOME} ${workspaceFolder}';
    await runOne(
      { answers: { sampling: [{ text }] } },
      {
        async call(_, { answers }) {
          expect(answers.sampling(request('x'))?.content).toEqual([{ type: 'text', text }]);
          return { result: sunny, durationMs: 1, problems: [] };
        },
      },
    );
  });
});

describe('a run', () => {
  it('makes no call that needs a secret of the person', async () => {
    const result = await runOne(
      { arguments: { key: '${input:token}', path: '${workspaceFolder}/a' } },
      { call: () => expect.unreachable('it was called') },
    );
    expect([result.verdict, result.message]).toEqual(['notRun', expect.stringContaining('${input:token}')]);
  });

  it('tells a declined call from one that failed, and hides secrets in its error', async () => {
    const results = await run(fileWith({}, {}), {
      call: async (call) => {
        void call;
        throw new PatchbayError('notRunning', `no ${secret}`);
      },
    });
    expect(results.map(({ verdict }) => verdict)).toEqual(['failed', 'failed']);
    expect(results[0]?.message).toMatch(/^The call failed: no /);
    expect(results[0]?.message).not.toContain(secret);
    const declined = await runOne({}, { call: () => Promise.reject(new CancelledError()) });
    expect(declined.verdict).toBe('notRun');
  });

  it('ends with its signal', async () => {
    const controller = new AbortController();
    const results = await run(fileWith({}, {}), {
      signal: controller.signal,
      call: async () => {
        controller.abort();
        return Promise.reject(new CancelledError());
      },
    });
    expect(results).toEqual([]);
  });

  it.each([
    ['{"calls": [{"name": 1}]}', 1],
    ['{\n  "calls": [\n    {"name": 1}\n  ]\n}', 3],
    ['{"calls": [', 1],
    [`{"calls": ${'['.repeat(100)}${']'.repeat(100)}}`, 1],
    [`"${'x'.repeat(1024 * 1024)}"`, 1],
  ])('says at which line a file cannot be used: %.30s', async (text, line) => {
    const [result] = await run(text);
    expect([result?.id, result?.verdict, result?.place?.line]).toEqual(['saved/file', 'failed', line]);
  });

  it('reads names of prototypes as names', async () => {
    const text = `{"calls": [{"name": "__proto__", "server": "constructor", "tool": "toString",
      "arguments": {"__proto__": {"a": 1}}, "expect": {"__proto__": {}}, "cases": [{"name": "hasOwnProperty"}]}]}`;
    const [result] = await run(text);
    expect([result?.id, result?.verdict]).toEqual(['saved/constructor/toString/__proto__', 'failed']);
    expect(result?.message).toContain('There is no expectation “__proto__”');
    expect(({} as { a?: number }).a).toBeUndefined();
  });
});

it('tests beyond the first 5,000 of a file do not run, and the file says so', () => {
  const cases = Array.from({ length: 200 }, (_, index) => ({ name: `${index}` }));
  const calls = Array.from({ length: 26 }, () => ({ cases }));
  const { tests: read, problems } = readSavedCallTests(fileWith(...calls));
  expect(read).toHaveLength(5_000);
  expect(problems).toEqual([{ message: 'Only the first 5000 tests are run.', line: expect.any(Number) }]);
});

describe('coverage', () => {
  const { tests } = readSavedCallTests(fileWith({ tool: 'a' }, { tool: 'b' }, { tool: 'c', server: 'other' }));

  it.each([
    [['a', 'b'], 'passed', '2 of 2 tools have a saved call.'],
    [['a', 'c'], 'warning', '1 of 2 tools have a saved call. Without one: “c”.'],
    [[], 'nothingToCheck', 'The server lists no tools.'],
  ])('of %j: %s', (tools, verdict, message) => {
    expect(coverageOf('s', tools, tests)).toMatchObject({ verdict, message });
  });

  it('is of a server with any name', () => {
    expect(coverageOf('a/b\uD800', [], []).id).toBe('saved-coverage/a%2Fb\uD800');
  });
});
