import { isRecord, jsonLength, type UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { formatCount } from '../../base/truncate.ts';
import type { DefinedKind } from '../../client/contents.ts';
import { readServerFacts } from '../../protocol/mcp/lifecycle.ts';
import { readPromptsPage } from '../../protocol/mcp/prompts.ts';
import { readResourcesPage, readResourceTemplatesPage } from '../../protocol/mcp/resources.ts';
import { readToolsPage } from '../../protocol/mcp/tools.ts';
import { metaPrefix } from '../../protocol/revisions/stateless/requestMetadata.ts';
import { readPages } from '../../protocol/session/pagination.ts';
import { type ServerList, serverLists } from '../checks/serverLists.ts';
import type { LintFacts } from '../lint/lintFacts.ts';
import type { Outcome, WireProbe } from './wireProbe.ts';

/** A list as the server has given it. `owner`: the capability that it belongs to. */
export interface ReadList extends ServerList {
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
  for (const list of serverLists) read.push(await readList(probe, list, isOver));
  return { opening, capabilities, lists: read };
}

class PageError extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('A page could not be read');
    this.outcome = outcome;
  }
}

async function readList(probe: WireProbe, list: ServerList, isOver: () => boolean): Promise<ReadList> {
  const { method, kind } = list;
  const entries: UnknownRecord[] = [];
  const cursors = new Set<string>();
  const about = { ...list, entries };
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
    const found = page[kind];
    if (!Array.isArray(found)) throw new PageError({ kind: 'failed', message: `"${kind}" is not a list.` });
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

export function entriesOf({ lists }: Pick<ServerFacts, 'lists'>, kind: DefinedKind): readonly UnknownRecord[] {
  return lists.find((list) => list.kind === kind)?.entries ?? [];
}

export function namesIn({ lists }: Pick<ServerFacts, 'lists'>, kind: DefinedKind): readonly string[] {
  const { key, entries } = lists.find((list) => list.kind === kind) ?? { key: 'name', entries: [] };
  return entries.map((entry) => entry[key]).filter((value) => typeof value === 'string');
}

/** What the lint judges, as a host reads it: entries that it cannot read are left out. */
export function toLintFacts(label: string, facts: ServerFacts): LintFacts {
  const { opening } = facts;
  const result = opening.kind === 'result' ? opening.result : {};
  const meta = isRecord(result['_meta']) ? result['_meta'] : {};
  const { server, instructions } = readServerFacts(result, result['serverInfo'] ?? meta[`${metaPrefix}serverInfo`]);
  return {
    label,
    serverInfo: server,
    instructions,
    tools: readToolsPage({ tools: entriesOf(facts, 'tools') }).items,
    prompts: readPromptsPage({ prompts: entriesOf(facts, 'prompts') }).items,
    resources: readResourcesPage({ resources: entriesOf(facts, 'resources') }).items,
    resourceTemplates: readResourceTemplatesPage({ resourceTemplates: entriesOf(facts, 'resourceTemplates') }).items,
  };
}
