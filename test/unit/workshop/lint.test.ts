import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readToolsPage, type Tool } from '../../../src/protocol/mcp/tools.ts';
import type { CheckResult } from '../../../src/workshop/checks/checkResult.ts';
import type { LintFacts } from '../../../src/workshop/lint/lintFacts.ts';
import { isSource, lintRules } from '../../../src/workshop/lint/lintRules.ts';
import { lintServer, lintSteps, lintTool } from '../../../src/workshop/lint/lintServer.ts';
import { serverRules } from '../../../src/workshop/lint/serverRules.ts';
import { ruleSubjects, toolRules } from '../../../src/workshop/lint/toolRules.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/toolSchemas/', import.meta.url));

const times = (length: number, tool: object): readonly object[] => Array.from({ length }, () => tool);
const readTools = (tools: readonly object[]): readonly Tool[] => readToolsPage({ tools }).items;
const factsOf = (tools: readonly object[], more: Partial<LintFacts> = {}): LintFacts => ({
  label: 'demo',
  tools: readTools(tools),
  prompts: [],
  resources: [],
  resourceTemplates: [],
  ...more,
});

/** A tool in which no rule finds anything. */
const fine = {
  name: 'search_files',
  description: 'Searches files.',
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string', description: 'What to find.' } },
    required: ['query'],
  },
};
const withInput = (inputSchema: object): object => ({ ...fine, inputSchema });
const withProperty = (schema: unknown, name = 'a'): object =>
  withInput({ type: 'object', properties: { [name]: schema } });
const text = { type: 'string', description: 'A text.' };

const resultOf = (facts: LintFacts, id: string): readonly CheckResult[] =>
  lintServer(facts).filter((result) => result.id === `lint/${id}`);
const verdictFor = (id: string): string | undefined => {
  const weight = lintRules.find((rule) => rule.id === id)?.weight;
  return weight && { refused: 'failed', advice: 'warning', note: 'note' }[weight];
};
const verdictOf = (facts: LintFacts, id: string): string | undefined => resultOf(facts, id)[0]?.verdict;

/** For each rule about a tool: one that breaks it, and one that just does not, where the tool above is not enough. */
const toolCases: Readonly<Record<string, readonly [broken: object, kept?: object]>> = {
  'tool-name-characters': [
    { ...fine, name: 'files.search' },
    { ...fine, name: 'files-search_2' },
  ],
  'tool-name-length': [
    { ...fine, name: 'a'.repeat(65) },
    { ...fine, name: 'a'.repeat(64) },
  ],
  'tool-name-cursor': [
    { ...fine, name: 'a'.repeat(56) },
    { ...fine, name: 'a'.repeat(55) },
  ],
  'tool-name-specification': [
    { ...fine, name: 'search files' },
    { ...fine, name: 'files.search' },
  ],
  'input-schema-root': [withInput({ properties: {} }), withInput({ type: 'object' })],
  'input-schema-union': [
    withInput({ type: 'object', anyOf: [{ required: ['a'] }] }),
    withProperty({ ...text, anyOf: [text] }),
  ],
  'output-schema-root': [
    { ...fine, outputSchema: { type: 'array' } },
    { ...fine, outputSchema: { type: 'object' } },
  ],
  'schema-invalid': [
    withProperty({ type: 'array', items: [text] }),
    withProperty({ type: 'array', prefixItems: [text] }),
  ],
  'array-items': [withProperty({ type: ['array', 'null'] }), withProperty({ type: 'array', items: {} })],
  'property-name': [withProperty(text, 'a b'), withProperty(text, 'a.b-c')],
  'description-missing': [{ ...fine, description: ' ' }],
  'description-openai': [
    { ...fine, description: 'a'.repeat(1_025) },
    { ...fine, description: 'a'.repeat(1_024) },
  ],
  'description-claude-code': [
    { ...fine, description: 'a'.repeat(2_049) },
    { ...fine, description: 'a'.repeat(2_048) },
  ],
  'property-untyped': [withProperty({ description: 'Anything.' }), withProperty({ enum: ['a'] })],
  'property-description': [withProperty({ type: 'string' }), withProperty({ $ref: '#/$defs/a' })],
  'required-unknown': [
    withInput({ type: 'object', properties: { a: text }, required: ['b'] }),
    withInput({ type: 'object', properties: { a: text }, required: ['b'], allOf: [{ properties: { b: text } }] }),
  ],
  'default-invalid': [withProperty({ ...text, default: 1 }), withProperty({ ...text, default: 'a' })],
  'keyword-unknown': [withProperty({ ...text, requierd: true }), withProperty({ ...text, 'x-order': 1 })],
  'gemini-reference': [withProperty({ $ref: '#/$defs/a' })],
  'gemini-additional-properties': [withInput({ type: 'object', additionalProperties: false })],
  'gemini-dialect': [withInput({ type: 'object', $schema: 'http://json-schema.org/draft-07/schema#' })],
  'gemini-const': [withProperty({ ...text, const: 'a' })],
  'gemini-exclusive-limits': [
    withProperty({ type: 'number', exclusiveMinimum: 0 }),
    withProperty({ type: 'number', minimum: 0 }),
  ],
  'gemini-type-list': [withProperty({ type: ['string', 'null'] })],
  'gemini-property-names': [withProperty({ type: 'object', propertyNames: { pattern: 'a' } })],
  'gemini-unique-items': [withProperty({ type: 'array', items: text, uniqueItems: true })],
  'annotations-missing': [
    { ...fine, annotations: {} },
    { ...fine, annotations: { destructiveHint: false } },
  ],
  'annotations-contradict': [
    { ...fine, annotations: { readOnlyHint: true, destructiveHint: true } },
    { ...fine, annotations: { readOnlyHint: true, destructiveHint: false } },
  ],
};

const structured = { tool: 'a', hasStructuredContent: true, structured: '{"a":1}' };
const observing = (observed: LintFacts['observed']): LintFacts => factsOf([fine], { observed });
const icons = (src: string) => ({ ...fine, icons: [{ src }] });

/** For each rule about the server: facts that break it, that keep it, and without anything that it is about. */
const serverCases: Readonly<Record<string, readonly [broken: LintFacts, kept: LintFacts, nothing: LintFacts]>> = {
  'tool-name-twice': [factsOf([fine, fine]), factsOf([fine]), factsOf([])],
  'tool-name-case': [factsOf([fine, { ...fine, name: 'Search_Files' }]), factsOf([fine, fine]), factsOf([])],
  'tool-count': [factsOf(times(129, fine)), factsOf(times(128, fine)), factsOf([])],
  'instructions-claude-code': [
    factsOf([], { instructions: 'a'.repeat(2_049) }),
    factsOf([], { instructions: 'a'.repeat(2_048) }),
    factsOf([fine]),
  ],
  'icon-address': [
    factsOf([icons('http://a.example/a.png')]),
    factsOf([icons('data:image/png;base64,')]),
    factsOf([fine]),
  ],
  'structured-without-text': [
    observing({ results: [{ ...structured, texts: [] }] }),
    observing({ results: [{ ...structured, texts: ['A'] }] }),
    observing({ results: [{ tool: 'a', hasStructuredContent: false, texts: [] }] }),
  ],
  'structured-beside-text': [
    observing({ results: [{ ...structured, texts: ['One.'] }] }),
    observing({ results: [{ ...structured, texts: ['{ "a": 1 }'] }] }),
    factsOf([fine]),
  ],
  'stdout-noise': [observing({ stdoutNoise: ['Ready.'] }), observing({ stdoutNoise: [] }), observing({})],
  'error-codes': [
    observing({ refusals: [{ of: 'unknownTool', code: -32_603 }] }),
    observing({ refusals: [{ of: 'unknownResource', code: -32_002 }] }),
    observing({ refusals: [] }),
  ],
  'list-tokens': [factsOf(times(400, fine)), factsOf([fine]), factsOf([])],
};

describe('the rules for other hosts', () => {
  it('have a source with its day each, and a check', () => {
    const ids = lintRules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual([...Object.keys(toolRules), ...Object.keys(serverRules)].toSorted());
    for (const { id, hosts, title, fault, fix, weight, sources } of lintRules) {
      expect(
        [hosts, title, fault, fix].every((words) => words.length > 5),
        id,
      ).toBe(true);
      expect(fault, id).not.toBe(title);
      expect(['refused', 'advice', 'note'], id).toContain(weight);
      expect(sources.length, id).toBeGreaterThan(0);
      for (const { url, date } of sources) expect(`${url} ${date}`).toMatch(/^https:\/\/\S+ 2026-\d\d-\d\d$/);
    }
    expect([isSource(lintRules[0]?.sources[0]?.url ?? ''), isSource('https://a.example')]).toEqual([true, false]);
  });

  it('say of a refusal with a wrong code what it was about, as a note: a code often comes from the SDK', () => {
    const results = resultOf(observing({ refusals: [{ of: 'unknownTool' }] }), 'error-codes');
    expect(results).toMatchObject([
      { verdict: 'note', message: expect.stringMatching(/^An unknown tool was answered/) },
    ]);
  });

  it('have a case each', () => {
    expect(Object.keys(toolCases).toSorted()).toEqual(Object.keys(toolRules).toSorted());
    expect(Object.keys(serverCases).toSorted()).toEqual(Object.keys(serverRules).toSorted());
  });

  it.each(Object.entries(toolCases))(
    'find a tool that breaks %s, and none that keeps it',
    (id, [broken, kept = fine]) => {
      expect(verdictOf(factsOf([fine, broken]), id)).toBe(verdictFor(id));
      expect(verdictOf(factsOf([fine, kept]), id)).toBe('passed');
      expect(verdictOf(factsOf([]), id)).toBe('nothingToCheck');
      expect(lintTool(readTools([broken])[0] as Tool, 'demo').map((result) => result.id)).toContain(`lint/${id}`);
    },
  );

  it.each(Object.entries(serverCases))(
    'find a server that breaks %s, and none that keeps it',
    (id, [broken, kept, nothing]) => {
      expect(verdictOf(broken, id)).toBe(verdictFor(id));
      expect([verdictOf(kept, id), verdictOf(nothing, id)]).toEqual(['passed', 'nothingToCheck']);
    },
  );

  it.each(Object.keys(ruleSubjects))('have nothing to check without what %s is about', (id) => {
    const bare = { name: 'bare', inputSchema: { type: 'object' } };
    expect(verdictOf(factsOf([bare]), id)).toBe('nothingToCheck');
  });

  it('find nothing at a tool as all hosts take it', () => {
    expect(lintTool(readTools([fine])[0] as Tool, 'demo')).toEqual([]);
  });
});

describe('a finding', () => {
  it('says what was found, for whom it matters and what to change, with its source', () => {
    expect(resultOf(factsOf([{ ...fine, name: 'a'.repeat(70) }]), 'tool-name-length')).toEqual([
      {
        id: 'lint/tool-name-length',
        title: 'The name of a tool has more than 64 characters',
        verdict: 'failed',
        subject: { kind: 'tool', name: 'a'.repeat(70) },
        message: `The name “${'a'.repeat(60)}…” has 70 characters. Affected: the APIs of OpenAI and Anthropic, VS Code. Hosts that pass the name on get an error for the whole request. Shorten it.`,
        references: expect.arrayContaining([
          {
            title: 'microsoft/vscode#243602',
            url: 'https://github.com/microsoft/vscode/issues/243602',
            date: '2026-11-28',
          },
        ]),
      },
    ]);
  });

  it('is bounded and has no hidden text, whatever the server says', () => {
    const name = 'a\u202E\n'.repeat(300);
    const hostile = { ...withProperty({ [name]: 1, default: 1, type: 'string' }, name), name, icons: [{ src: name }] };
    const facts = factsOf(times(500, hostile), { observed: { stdoutNoise: [name] } });
    const results = lintServer(facts);
    expect(results.length).toBeLessThan(2_000);
    for (const { message = '' } of results) {
      expect(message.length).toBeLessThan(2_500);
      expect(message).not.toMatch(/[\u202E\n]/);
    }
  });

  it('has the fault as its title, and a rule that is kept has the rule', () => {
    const of = (description: string) => resultOf(factsOf([{ ...fine, description }]), 'description-missing');
    expect(of('')).toMatchObject([{ verdict: 'warning', title: 'A tool has no description' }]);
    expect(of('Finds.')).toMatchObject([{ verdict: 'passed', title: 'Tools have a description' }]);
  });

  it('names the properties that it is about, three and the number of the rest', () => {
    const nested = { type: 'object', description: 'A filter.', properties: { depth: { description: 'How deep.' } } };
    const many = Object.fromEntries(['b', 'c', 'd', 'e', 'f'].map((name) => [name, { description: 'Any.' }]));
    const one = withInput({ type: 'object', properties: { a: nested } });
    const other = withInput({ type: 'object', properties: many });
    const of = (tool: object) => resultOf(factsOf([tool]), 'property-untyped')[0]?.message;
    expect(of(one)).toMatch(/^“search_files”: “a\.depth” has no type\. Affected: /);
    expect(of(other)).toMatch(/“b” has no type\. The same at “c”, “d”, “e” and 1 more\. Affected: /);
    const items = withProperty({ ...text, type: 'array', items: { type: 'array' } });
    expect(resultOf(factsOf([items]), 'array-items')[0]?.message).toMatch(/^“properties\.a\.items” has no "items"\./);
  });

  it('of low weight is one for all tools, in which what is alike is told once', () => {
    const named = (of: (name: string) => object) =>
      factsOf(['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...of(name), name })));
    const alike = named(() => ({ ...fine, annotations: {} }));
    expect(resultOf(alike, 'annotations-missing')).toMatchObject([
      {
        subject: { kind: 'server' },
        message: expect.stringMatching(/^“a”, “b”, “c” and 2 more: There is neither [^:]*\. Affected: /),
      },
    ]);
    const different = named((name) => withProperty({ description: 'Any.' }, name));
    expect(resultOf(different, 'property-untyped')[0]?.message).toMatch(
      /^“a”: “a” has no type\. “b”: “b” has no type\. “c”: .* Something like it is found at 2 more tools\. Affected: /,
    );
  });
});

describe('the judges', () => {
  /** What the SDK 1.x refuses, which loses its clients the whole list. */
  const isRefusedBySdk = (tool: object): boolean => !ListToolsResultSchema.safeParse({ tools: [tool] }).success;
  const ofSdk = ['lint/input-schema-root', 'lint/output-schema-root'];

  it.each([
    fine,
    { name: 'a' },
    withInput({}),
    withInput({ type: 'array' }),
    withInput({ type: 'object', properties: { a: true } }),
    withInput({ type: 'object', properties: [] }),
    withInput({ type: 'object', required: [1] }),
    { ...fine, outputSchema: { anyOf: [{ type: 'object' }] } },
    { ...fine, outputSchema: { type: 'object', properties: { a: {} } } },
    { ...fine, outputSchema: { type: 'object', properties: { a: null } } },
  ])('the SDK 1.x agrees on %j', (tool) => {
    const [read] = readTools([tool]);
    const found = lintTool(read as Tool, 'demo').map(({ id }) => id);
    expect(found.some((id) => ofSdk.includes(id))).toBe(isRefusedBySdk(tool));
  });

  it.each(readdirSync(fixtures).filter((name) => name.endsWith('.json')))(
    'the SDK 1.x agrees on %s, of which no host refuses anything',
    (name) => {
      const tools = JSON.parse(readFileSync(`${fixtures}${name}`, 'utf8')) as readonly object[];
      expect(tools.filter(isRefusedBySdk)).toEqual([]);
      expect(lintServer(factsOf(tools)).filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    },
  );
});

describe('a long list', () => {
  it('is looked at one tool at a time', () => {
    const steps = lintSteps(factsOf(times(1_000, fine)));
    let turns = 0;
    while (steps.next().done !== true) turns += 1;
    expect(turns).toBe(1_000);
  });
});
