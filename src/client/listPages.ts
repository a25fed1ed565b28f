import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
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

/**
 * Reads a list to its end; a cursor that is not valid any more means to begin again, once (utilities, "Pagination").
 * Tools that cannot be called in the revision that is spoken are left out.
 */
export async function listPages(
  session: PagedSession,
  source: ListSource,
  signal: AbortSignal,
  clock: Clock,
): Promise<List> {
  const position: { cursor?: string } = {};
  const read = (): Promise<List> => readPages(session, source, signal, clock, position);
  const list = await read().catch((error: unknown) => {
    const isStale = error instanceof JsonRpcError && error.code === ErrorCodes.invalidParams;
    if (!isStale || position.cursor === undefined) throw error;
    delete position.cursor;
    return read();
  });
  return source.kind === 'tools' ? admitTools(session, list) : list;
}

function admitTools(session: PagedSession, list: List): List {
  const reasons: string[] = [];
  const items = (list.items as readonly Tool[]).filter((tool) => {
    const reason = session.admitTool(tool);
    if (reason !== undefined) reasons.push(reason);
    return reason === undefined;
  });
  if (reasons.length === 0) return list;
  return { ...list, items, problems: [...list.problems, ...reasons.slice(0, limits.list.problems)] };
}

/** @param position where the reading has come to. Cursors are opaque; one that comes twice ends the list. */
async function readPages(
  session: PagedSession,
  { method, read }: ListSource,
  signal: AbortSignal,
  clock: Clock,
  position: { cursor?: string },
): Promise<List> {
  const pages: (readonly unknown[])[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  let count = 0;
  let staleAt: number | undefined;
  for (;;) {
    const { cursor } = position;
    const result = await session.request(method, cursor === undefined ? undefined : { cursor }, { signal });
    const ttlMs = readTtl(result);
    if (ttlMs !== undefined) staleAt = Math.min(staleAt ?? Infinity, clock.now() + ttlMs);
    const page = read(result);
    pages.push(page.items);
    count += page.items.length;
    problems.push(...page.problems.slice(0, limits.list.problems - problems.length));
    const { nextCursor } = page;
    if (nextCursor === undefined) break;
    if (seen.has(nextCursor) || seen.size >= limits.list.pages || count >= limits.list.items) {
      problems.push(`${method} did not come to an end; what follows the first ${count} entries was left out.`);
      break;
    }
    seen.add(nextCursor);
    position.cursor = nextCursor;
  }
  return { items: pages.length === 1 ? (pages[0] ?? []) : pages.flat(), problems, staleAt };
}
