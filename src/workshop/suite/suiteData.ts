import { isRecord, type UnknownRecord } from '../../base/json.ts';
import { isToolCall } from '../../protocol/mcp/tools.ts';
import suiteChecks from './suiteChecks.json' with { type: 'json' };
import scenarioRows from './scenarios.json' with { type: 'json' };

/** The package of the official suite, and the only version that this data is about. */
export const suitePackage = {
  name: '@modelcontextprotocol/conformance',
  version: '0.2.0-alpha.12',
  /** Of the package itself, as the registry publishes it. */
  integrity: 'sha512-eXtZFgmtZiU5SsvXty+RGXGnyIqEVm3GLU/HZmg1wMjtKOocPZZgD9HQKd30oJhio5UB0wFJmsc6r8u48Q+EYA==',
  minimumNode: 22,
} as const;

/** The revisions that a run asks for, one for each era. */
export const suiteRevisions = ['2025-11-25', '2026-07-28'] as const;

export type SuiteRevision = (typeof suiteRevisions)[number];

/** Entries that the suite's own server has, which a scenario calls or reads. */
export interface Fixtures {
  readonly tools?: readonly string[];
  readonly prompts?: readonly string[];
  readonly resources?: readonly string[];
  readonly templates?: readonly string[];
}

export type SuiteCapability = 'tools' | 'resources' | 'prompts' | 'logging' | 'completions' | 'listChanged';

interface Conditions {
  /** Without this capability there is nothing to check. */
  readonly capability?: SuiteCapability;
  /** Entries that the server must list all of. */
  readonly needs?: Fixtures;
  /** Judges HTTP itself, thus the bridge where the suite reaches the server through it. */
  readonly isHttp?: boolean;
}

export interface Scenario extends Conditions {
  readonly name: string;
  /** Empty: it belongs to an extension. */
  readonly revisions: readonly SuiteRevision[];
  /** Where the specification has the rule. */
  readonly url: string;
  /** Why it is never run: a full sentence. */
  readonly leftOut?: string;
  /** Calls the first tool that is listed: it gets another list. */
  readonly isGuarded?: boolean;
  /** Only for a server on this machine. */
  readonly isLocal?: boolean;
}

export interface SuiteCheck extends Conditions {
  /** `*`: of every scenario. */
  readonly scenario: string;
  readonly id: string;
  readonly title: string;
  /** Why it is never judged: a full sentence. */
  readonly leftOut?: string;
  /** Absent: that of the scenario. */
  readonly url?: string;
  /** What a server may do without, so that any status but success means: nothing to check. A full sentence. */
  readonly without?: string;
  /** A failure that has only such messages is a warning: the schema makes optional what is missing. */
  readonly advice?: string;
  /** Reported only when a scenario could not run as it should. */
  readonly isFault?: boolean;
}

export const scenarios = scenarioRows as readonly Scenario[];
export const checks = suiteChecks as readonly SuiteCheck[];

/** Tools of the suite's own server that `server-stateless` tries, whether they are listed or not. */
const triedTools = [
  'test_missing_capability',
  'test_streaming_elicitation',
  'test_logging_tool',
  'test_trigger_tool_change',
  'test_trigger_prompt_change',
];
const fixtureTools = new Set([...triedTools, ...scenarios.flatMap(({ needs }) => needs?.tools ?? [])]);
const fixturePrompts = new Set(scenarios.flatMap(({ needs }) => needs?.prompts ?? []));

/**
 * True for what no scenario asks for: to call a tool, or to get a prompt or a resource, that only the server itself has.
 * @param readable resources of the server that scenarios read, whichever they are
 */
export function isBeyondFixtures({ method, params }: UnknownRecord, readable: readonly string[]): boolean {
  const { name, uri } = isRecord(params) ? params : {};
  if (typeof method === 'string' && isToolCall(method)) return typeof name !== 'string' || !fixtureTools.has(name);
  switch (method) {
    case 'prompts/get':
      return typeof name !== 'string' || !fixturePrompts.has(name);
    case 'resources/read':
    case 'resources/subscribe':
      return typeof uri !== 'string' || !(uri.startsWith('test://') || readable.includes(uri));
    default:
      return false;
  }
}

export function checksOf(scenario: string): readonly SuiteCheck[] {
  return checks.filter((check) => check.scenario === scenario);
}

export function findCheck(scenario: string, id: string): SuiteCheck | undefined {
  return checks.find((check) => check.id === id && (check.scenario === scenario || check.scenario === '*'));
}

/** What is known of the server in one era before the suite runs. */
export interface ServerEra {
  readonly revision: SuiteRevision;
  readonly capabilities: ReadonlySet<string>;
  readonly lists: Required<Fixtures>;
}

/** How the suite reaches the server. */
export interface Reach {
  readonly isBridged: boolean;
  readonly isLocal: boolean;
}

/** Why a scenario or a check is not judged: a full sentence, by what it lacks. */
export type Omission =
  | { readonly verdict: 'notRun'; readonly message: string; readonly missing?: readonly string[] }
  | { readonly verdict: 'nothingToCheck'; readonly message: string };

/** @returns `undefined` where there is something to judge */
export function whyOmitted(
  { capability, needs, isHttp, isLocal, leftOut }: Conditions & Pick<Scenario, 'isLocal' | 'leftOut'>,
  era: ServerEra,
  reach: Reach,
): Omission | undefined {
  if (leftOut !== undefined) return { verdict: 'notRun', message: leftOut };
  const missing = missingFixtures(needs, era.lists);
  if (missing.length > 0)
    return { verdict: 'notRun', message: "It needs what only the suite's own server has.", missing };
  if (isHttp === true && reach.isBridged)
    return {
      verdict: 'notRun',
      message: "It judges HTTP itself. The suite reaches this server through Patchbay's bridge, which would be judged.",
    };
  if (isLocal === true && !reach.isLocal) return { verdict: 'notRun', message: 'It is about servers on this machine.' };
  if (capability !== undefined && !era.capabilities.has(capability))
    return { verdict: 'nothingToCheck', message: `The server does not declare "${capability}".` };
  return undefined;
}

function missingFixtures(needs: Fixtures = {}, lists: Required<Fixtures>): readonly string[] {
  const kinds = [
    ['tools', 'the tool'],
    ['prompts', 'the prompt'],
    ['resources', 'the resource'],
    ['templates', 'the template'],
  ] as const;
  return kinds.flatMap(([kind, word]) =>
    (needs[kind] ?? []).filter((name) => !lists[kind].includes(name)).map((name) => `${word} ${name}`),
  );
}
