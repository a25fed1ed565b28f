import { isRecord, jsonLength, type UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { formatCount } from '../../base/truncate.ts';
import { readServerFacts } from '../../protocol/mcp/lifecycle.ts';
import { readPromptsPage } from '../../protocol/mcp/prompts.ts';
import { readResourcesPage, readResourceTemplatesPage } from '../../protocol/mcp/resources.ts';
import { readToolsPage } from '../../protocol/mcp/tools.ts';
import { metaPrefix } from '../../protocol/revisions/stateless/requestMetadata.ts';
import { readPages } from '../../protocol/session/pagination.ts';
import type { LintFacts } from '../lint/lintFacts.ts';
import type { Outcome, WireProbe } from './wireProbe.ts';

export type ListName = 'tools' | 'resources' | 'templates' | 'prompts';

export interface ReadList {
  readonly name: ListName;
  readonly method: string;
  readonly capability: 'tools' | 'resources' | 'prompts';
  /** Entries that are objects. */
  readonly entries: readonly UnknownRecord[];
  readonly pages: number;
  /** Why it could not be read to its end: full sentences. */
  readonly fault: string | undefined;
  readonly outcome: Outcome;
}

/** What a server has said of itself in one era. */
export interface ServerFacts {
  readonly opening: Outcome;
  readonly capabilities: UnknownRecord;
  readonly lists: readonly ReadList[];
}

const lists = [
  { name: 'tools', method: 'tools/list', member: 'tools', capability: 'tools' },
  { name: 'resources', method: 'resources/list', member: 'resources', capability: 'resources' },
  { name: 'templates', method: 'resources/templates/list', member: 'resourceTemplates', capability: 'resources' },
  { name: 'prompts', method: 'prompts/list', member: 'prompts', capability: 'prompts' },
] as const;

/** Pages that are read of one list: a check is no use of it. */
const maximumPages = 200;

const tooLong = `The list has more than ${formatCount(limits.list.characters)} characters: clients leave out what is beyond them.`;

/** Milliseconds that the lists of a server are read, all together: a server could take long for each of its pages. */
const maximumMs = 20_000;

const tooSlow = `Reading the lists took more than ${maximumMs / 1_000} s.`;

/** Reads all lists, also those that are not declared. */
export async function readFacts(probe: WireProbe, opening: Outcome): Promise<ServerFacts> {
  const result = opening.kind === 'result' ? opening.result : {};
  const capabilities = isRecord(result['capabilities']) ? result['capabilities'] : {};
  const read: ReadList[] = [];
  const isOver = probe.deadline(maximumMs);
  for (const list of lists) read.push(await readList(probe, list, isOver));
  return { opening, capabilities, lists: read };
}

class PageError extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('A page could not be read');
    this.outcome = outcome;
  }
}

async function readList(
  probe: WireProbe,
  { name, method, member, capability }: (typeof lists)[number],
  isOver: () => boolean,
): Promise<ReadList> {
  const entries: UnknownRecord[] = [];
  const cursors = new Set<string>();
  const about = { name, method, capability, entries };
  let outcome: Outcome = { kind: 'failed', message: '' };
  let pages = 0;
  let characters = 0;
  const request = async (cursor: string | undefined): Promise<UnknownRecord> => {
    outcome = await probe.request(method, cursor === undefined ? {} : { cursor });
    if (outcome.kind !== 'result') throw new PageError(outcome);
    const { result } = outcome;
    characters += jsonLength(result);
    // What is not used is not kept.
    if (characters > limits.list.characters) outcome = { kind: 'failed', message: tooLong };
    return result;
  };
  const read = (result: unknown): { entries: unknown[]; nextCursor: string | undefined } => {
    const page = isRecord(result) ? result : {};
    const found = page[member];
    if (!Array.isArray(found)) throw new PageError({ kind: 'failed', message: `"${member}" is not a list.` });
    const { nextCursor } = page;
    return { entries: found, nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined };
  };
  const end = (fault: string | undefined): ReadList => ({ ...about, pages, fault, outcome });
  try {
    for await (const { page, cursor } of readPages(request, read, probe.revision, maximumPages)) {
      pages += 1;
      if (characters > limits.list.characters)
        return end(`${method} was not read whole, it was left at page ${pages}. ${tooLong}`);
      const broken = page.entries.find((entry) => !isRecord(entry));
      if (broken !== undefined) return end(`${method} has an entry that is not an object.`);
      entries.push(...page.entries.filter(isRecord));
      if (entries.length > limits.list.items) return end(undefined);
      if (cursor === undefined) continue;
      if (isOver()) return end(`${method} was not read whole, it was left at page ${pages}. ${tooSlow}`);
      if (cursors.has(cursor)) return end(`${method} gives the cursor of an earlier page again: the list never ends.`);
      cursors.add(cursor);
    }
    return end(pages === maximumPages ? `${method} has more than ${maximumPages} pages.` : undefined);
  } catch (error) {
    if (!(error instanceof PageError)) throw error;
    return end(`${method}, page ${pages + 1}: ${describeOutcome(error.outcome)}`);
  }
}

/** A full sentence. */
export function describeOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'result':
      return 'It was answered with a result.';
    case 'error':
      return `It was answered with the error ${outcome.code}: ${outcome.message.replaceAll(/\s+/g, ' ')}`;
    case 'failed':
      return outcome.message;
  }
}

/** It declares at least one kind of change that a client can subscribe to. */
export function announcesChanges({ capabilities }: ServerFacts): boolean {
  return Object.values(capabilities).some(
    (capability) => isRecord(capability) && (capability['listChanged'] === true || capability['subscribe'] === true),
  );
}

export function namesIn({ lists: all }: ServerFacts, name: ListName): readonly string[] {
  const key = name === 'resources' ? 'uri' : name === 'templates' ? 'uriTemplate' : 'name';
  return (all.find((list) => list.name === name)?.entries ?? [])
    .map((entry) => entry[key])
    .filter((value) => typeof value === 'string');
}

/** What the lint judges, as a host reads it: entries that it cannot read are left out. */
export function lintFactsOf(label: string, { opening, lists: read }: ServerFacts): LintFacts {
  const result = opening.kind === 'result' ? opening.result : {};
  const meta = isRecord(result['_meta']) ? result['_meta'] : {};
  const { server, instructions } = readServerFacts(result, result['serverInfo'] ?? meta[`${metaPrefix}serverInfo`]);
  const entriesOf = (name: ListName) => read.find((list) => list.name === name)?.entries ?? [];
  return {
    label,
    serverInfo: server,
    instructions,
    tools: readToolsPage({ tools: entriesOf('tools') }).items,
    prompts: readPromptsPage({ prompts: entriesOf('prompts') }).items,
    resources: readResourcesPage({ resources: entriesOf('resources') }).items,
    resourceTemplates: readResourceTemplatesPage({ resourceTemplates: entriesOf('templates') }).items,
  };
}
