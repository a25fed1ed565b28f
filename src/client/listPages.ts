import type { Clock } from '../base/clock.ts';
import { jsonLength } from '../base/json.ts';
import type { ListLimits } from '../base/limits.ts';
import { ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import { type ListPage, readTtl } from '../protocol/mcp/base.ts';
import { offersSkills, type ServerCapabilities } from '../protocol/mcp/lifecycle.ts';
import { readPromptsPage } from '../protocol/mcp/prompts.ts';
import { readResourcesPage, readResourceTemplatesPage } from '../protocol/mcp/resources.ts';
import { readSkillsPage } from '../protocol/mcp/skills.ts';
import { readToolsPage, type Tool } from '../protocol/mcp/tools.ts';
import type { ProtocolSession } from '../protocol/revisions/session.ts';
import type { ContentKind, ListOwner } from './server.ts';

/** A list as it was read, to its end. */
export interface List {
  readonly items: readonly unknown[];
  /** What was left out of it, one sentence each. */
  readonly problems: readonly string[];
  /** When the first of its pages is no longer fresh; `undefined` where the server says nothing of that. */
  readonly staleAt: number | undefined;
}

type PagedSession = Pick<ProtocolSession, 'request' | 'admitTool'>;

/** One of the lists a server may have. */
export interface ListSource {
  readonly kind: ContentKind;
  readonly owner: ListOwner;
  readonly method: string;
  readonly read: (result: unknown) => ListPage<unknown>;
}

export const listSources: readonly ListSource[] = [
  { kind: 'tools', owner: 'tools', method: 'tools/list', read: readToolsPage },
  { kind: 'resources', owner: 'resources', method: 'resources/list', read: readResourcesPage },
  {
    kind: 'resourceTemplates',
    owner: 'resources',
    method: 'resources/templates/list',
    read: readResourceTemplatesPage,
  },
  { kind: 'prompts', owner: 'prompts', method: 'prompts/list', read: readPromptsPage },
  { kind: 'skills', owner: 'skills', method: 'skills/list', read: readSkillsPage },
];

export function isOffered(owner: ListOwner, capabilities: ServerCapabilities): boolean {
  return owner === 'skills' ? offersSkills(capabilities) : capabilities[owner] !== undefined;
}

/** How a list is read. */
export interface Listing {
  readonly session: PagedSession;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly limits: ListLimits;
}

/**
 * Reads a list to its end, or to its limits; a cursor that is not valid any more means to begin again, once (utilities,
 * "Pagination"). Tools that cannot be called in the revision that is spoken are left out.
 */
export async function listPages(source: ListSource, listing: Listing): Promise<List> {
  const position: { cursor?: string } = {};
  const read = (): Promise<List> => readPages(source, listing, position);
  const list = await read().catch((error: unknown) => {
    const isStale = error instanceof JsonRpcError && error.code === ErrorCodes.invalidParams;
    if (!isStale || position.cursor === undefined) throw error;
    delete position.cursor;
    return read();
  });
  return source.kind === 'tools' ? admitTools(listing, list) : list;
}

function admitTools({ session, limits }: Listing, list: List): List {
  const reasons: string[] = [];
  const items = (list.items as readonly Tool[]).filter((tool) => {
    const reason = session.admitTool(tool);
    if (reason !== undefined) reasons.push(reason);
    return reason === undefined;
  });
  if (reasons.length === 0) return list;
  return { ...list, items, problems: [...list.problems, ...reasons.slice(0, limits.problems)] };
}

/** @param position where the reading has come to. Cursors are opaque; one that comes twice ends the list. */
async function readPages(
  { method, read }: ListSource,
  { session, signal, clock, limits }: Listing,
  position: { cursor?: string },
): Promise<List> {
  const pages: (readonly unknown[])[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  const room = { items: limits.items, characters: limits.characters };
  let staleAt: number | undefined;
  for (;;) {
    const { cursor } = position;
    const result = await session.request(method, cursor === undefined ? undefined : { cursor }, { signal });
    const ttlMs = readTtl(result);
    if (ttlMs !== undefined) staleAt = Math.min(staleAt ?? Infinity, clock.now() + ttlMs);
    const page = read(result);
    const { nextCursor } = page;
    const items = firstItems(page, room);
    pages.push(items);
    room.items -= items.length;
    room.characters -= page.characters;
    problems.push(...page.problems.slice(0, limits.problems - problems.length));
    const end = items.length < page.items.length || nextCursor !== undefined ? reasonToStop(room) : undefined;
    if (nextCursor === undefined && end === undefined) break;
    if (end !== undefined || nextCursor === undefined || seen.has(nextCursor) || seen.size >= limits.pages) {
      const what = end ?? 'did not come to an end';
      problems.push(`${method} ${what}; what follows the first ${limits.items - room.items} entries was left out.`);
      break;
    }
    seen.add(nextCursor);
    position.cursor = nextCursor;
  }
  return { items: pages.length === 1 ? (pages[0] ?? []) : pages.flat(), problems, staleAt };
}

interface Room {
  readonly items: number;
  readonly characters: number;
}

/** The items of a page that there is still room for. */
function firstItems({ items, characters }: ListPage<unknown>, room: Room): readonly unknown[] {
  const some = items.length <= room.items ? items : items.slice(0, room.items);
  if (characters <= room.characters) return some;
  let left = room.characters;
  const end = some.findIndex((item) => (left -= jsonLength(item)) < 0);
  return end === -1 ? some : some.slice(0, end);
}

/** Completes "tools/list …". */
function reasonToStop({ items, characters }: Room): string | undefined {
  if (items <= 0) return 'has too many entries ("limits.items" in the options of the server)';
  return characters <= 0 ? 'is too long ("limits.listCharacters" in the options of the server)' : undefined;
}
