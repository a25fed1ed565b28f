import { formatCount } from '../../base/truncate.ts';
import { getOrMake } from '../../base/memoize.ts';
import type { BaseMetadata, Icon } from '../../protocol/mcp/base.ts';
import type { CheckSubject } from '../checks/checkResult.ts';
import type { LintFacts, ObservedRefusal, ObservedResult } from './lintFacts.ts';
import { type LintFinding, shownName, shownNames } from './lintRules.ts';

/** @returns what breaks the rule; `undefined` where there was nothing that it is about */
type ServerRule = (facts: LintFacts, tokens: number) => readonly LintFinding[] | undefined;

const server: CheckSubject = { kind: 'server' };
const maximumTools = 128;
const maximumInstructions = 2_048;
const maximumTokens = 10_000;

/** By the ids of the rules that are about the server as a whole. `tokens`: of the list of tools. */
export const serverRules: Readonly<Record<string, ServerRule>> = {
  'tool-name-twice': ({ tools }) => twins(tools, (name) => name, 'is listed more than once'),
  'tool-name-case': ({ tools }) => {
    const names = [...new Set(tools.map(({ name }) => name))].map((name) => ({ name }));
    return twins(names, (name) => name.toLowerCase(), 'differs from another in upper and lower case alone');
  },
  'tool-count': ({ tools }) =>
    ifAny(tools, one(tools.length > maximumTools && `There are ${formatCount(tools.length)} tools.`)),
  'instructions-claude-code': ({ instructions = '' }) => {
    if (instructions === '') return undefined;
    const { length } = instructions;
    return one(length > maximumInstructions && `The instructions have ${formatCount(length)} characters.`);
  },
  'icon-address': iconFindings,
  'structured-without-text': ({ observed }) =>
    aboutResults(observed?.results, ({ texts }) => texts.length === 0, 'A result has structured content and no text.'),
  'structured-beside-text': ({ observed }) =>
    aboutResults(observed?.results, isOtherText, 'A result has a text that is not its structured content.'),
  'stdout-noise': ({ observed }) => {
    const { stdoutNoise, ignoredLines = stdoutNoise?.length } = observed ?? {};
    if (ignoredLines === undefined) return undefined;
    const first = stdoutNoise?.[0];
    const shown = first === undefined ? '' : ` The first is ${shownName(first)}.`;
    return one(ignoredLines > 0 && `Lines that were not messages: ${formatCount(ignoredLines)}.${shown}`);
  },
  'error-codes': ({ observed }) => observed?.refusals && ifAny(observed.refusals, observed.refusals.flatMap(wrongCode)),
  'list-tokens': ({ tools }, tokens) =>
    ifAny(tools, one(tokens > maximumTokens && `It takes about ${formatCount(tokens)} tokens.`)),
};

function one(detail: string | false): readonly LintFinding[] {
  return detail === false ? [] : [{ subject: server, detail }];
}

function ifAny<T>(items: readonly unknown[], findings: T): T | undefined {
  return items.length === 0 ? undefined : findings;
}

function twins(
  tools: readonly Pick<BaseMetadata, 'name'>[],
  keyOf: (name: string) => string,
  words: string,
): readonly LintFinding[] | undefined {
  if (tools.length === 0) return undefined;
  const groups = new Map<string, string[]>();
  for (const { name } of tools) getOrMake(groups, keyOf(name), () => []).push(name);
  return [...groups.values()].flatMap((names) => {
    const [name = ''] = names;
    if (names.length === 1) return [];
    const others = new Set(names).size > 1 ? ` (${shownNames(names)})` : '';
    return { subject: { kind: 'tool', name }, detail: `The tool ${shownName(name)} ${words}${others}.` };
  });
}

function iconFindings(facts: LintFacts): readonly LintFinding[] | undefined {
  const owners: readonly (readonly [CheckSubject, readonly Icon[] | undefined])[] = [
    [server, facts.serverInfo?.icons],
    ...facts.tools.map(({ name, icons }) => [{ kind: 'tool', name }, icons] as const),
    ...facts.prompts.map(({ name, icons }) => [{ kind: 'prompt', name }, icons] as const),
    ...facts.resources.map(({ uri, icons }) => [{ kind: 'resource', name: uri }, icons] as const),
    ...facts.resourceTemplates.map(
      ({ uriTemplate, icons }) => [{ kind: 'resourceTemplate', name: uriTemplate }, icons] as const,
    ),
  ];
  const withIcons = owners.filter(([, icons]) => icons !== undefined && icons.length > 0);
  return ifAny(
    withIcons,
    withIcons.flatMap(([subject, icons = []]) => {
      const bad = icons.find(({ src }) => !/^(https|data):/i.test(src));
      return bad === undefined ? [] : [{ subject, detail: `An icon is at ${shownName(bad.src)}.` }];
    }),
  );
}

/** One finding for each tool. */
function aboutResults(
  results: readonly ObservedResult[] | undefined,
  isFound: (result: ObservedResult) => boolean,
  detail: string,
): readonly LintFinding[] | undefined {
  const structured = results?.filter(({ hasStructuredContent }) => hasStructuredContent);
  if (structured === undefined || structured.length === 0) return undefined;
  const names = new Set(structured.filter(isFound).map(({ tool }) => tool));
  return [...names].map((name) => ({ subject: { kind: 'tool', name }, detail }));
}

/** None of the texts is the structured content as JSON. */
function isOtherText({ texts, structured }: ObservedResult): boolean {
  if (texts.length === 0 || structured === undefined) return false;
  const wanted = withoutSpace(structured);
  return texts.every((text) => withoutSpace(text) !== wanted);
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, '');
}

const rightCodes: Readonly<Record<ObservedRefusal['of'], readonly number[]>> = {
  unknownTool: [-32_602],
  unknownPrompt: [-32_602],
  unknownResource: [-32_002, -32_602],
};

const refusalWords: Readonly<Record<ObservedRefusal['of'], string>> = {
  unknownTool: 'An unknown tool',
  unknownPrompt: 'An unknown prompt',
  unknownResource: 'An unknown resource',
};

function wrongCode({ of, code }: ObservedRefusal): readonly LintFinding[] {
  if (code !== undefined && rightCodes[of].includes(code)) return [];
  const answer = code === undefined ? 'a result' : `the code ${code}`;
  return one(`${refusalWords[of]} was answered with ${answer}.`);
}
