import type { CancelSignal } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { canonicalJson } from '../../base/digest.ts';
import { isPatchbayError, messageOf, PatchbayError } from '../../base/errors.ts';
import { jsonLength } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import { isPublicResult, type ListPage, readTtl } from '../../protocol/mcp/base.ts';
import { offersSkills, type ServerCapabilities } from '../../protocol/mcp/lifecycle.ts';
import { readPromptsPage } from '../../protocol/mcp/prompts.ts';
import { readResourcesPage, readResourceTemplatesPage } from '../../protocol/mcp/resources.ts';
import { readSkillsPage } from '../../protocol/mcp/skills.ts';
import { readToolsPage, type Tool } from '../../protocol/mcp/tools.ts';
import { readPages } from '../../protocol/session/pagination.ts';
import type { ProtocolSession } from '../../protocol/session/session.ts';
import type { ContentKind, ListOwner } from '../contents.ts';

/** A list with all its pages, or those up to a limit or a failure. */
export interface List {
  readonly items: readonly unknown[];
  /** What was left out of it, one sentence each. */
  readonly problems: readonly string[];
  /** When its first page becomes stale, in milliseconds of the clock; `undefined` if the server gives no `ttlMs`. */
  readonly staleAt: number | undefined;
  /** Why a page after the first could not be read; `items` has the entries of the pages before it. */
  readonly failure: Error | undefined;
  /** Every page has the cache scope `public` (2026-07-28, Server Features / Utilities / Caching). */
  readonly isPublic: boolean;
}

export type ListedSession = Pick<
  ProtocolSession,
  'revision' | 'capabilities' | 'request' | 'validateTool' | 'receivesListChanges'
>;

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

/** @returns an error with `message` and the code of `cause`, for uses that need a list that could not be read */
export function listError(message: string, cause: unknown): Error {
  if (isPatchbayError(cause)) return new PatchbayError(cause.code, message, { cause });
  if (cause instanceof JsonRpcError) return new JsonRpcError(cause.code, message, cause.data);
  return new Error(message, { cause });
}

/**
 * Reads all pages of a list, or those up to its limits (2025-11-25, Server Features / Utilities / Pagination). When the
 * server rejects a cursor as invalid, reads the list once more from the beginning. Leaves out tools that the negotiated
 * revision cannot call.
 * @throws the error of the first page; the signal's reason
 */
export async function readList(
  source: ListSource,
  session: ListedSession,
  clock: Clock,
  signal: CancelSignal,
): Promise<List> {
  const first = await readOnce(source, session, clock, signal);
  const { list } = first.isStale ? await readOnce(source, session, clock, signal) : first;
  return source.kind === 'tools' ? validateTools(session, list) : list;
}

function validateTools(session: ListedSession, list: List): List {
  const reasons: string[] = [];
  const items = (list.items as readonly Tool[]).filter((tool) => {
    const reason = session.validateTool(tool);
    if (reason !== undefined) reasons.push(reason);
    return reason === undefined;
  });
  if (reasons.length === 0) return list;
  return { ...list, items, problems: [...list.problems, ...reasons.slice(0, limits.list.problems)] };
}

/** @returns `isStale` if the server rejected a cursor as invalid */
async function readOnce(
  { method, read }: ListSource,
  session: ListedSession,
  clock: Clock,
  signal: CancelSignal,
): Promise<{ readonly list: List; readonly isStale: boolean }> {
  const collected = new ListPages(method);
  const listed = (failure: Error | undefined): List => {
    const { items, problems } = collected;
    return { items, problems, staleAt, isPublic, failure };
  };
  let staleAt: number | undefined;
  let isPublic = true;
  let hasFirstPage = false;
  const request = (cursor: string | undefined): Promise<unknown> =>
    session.request(method, cursor === undefined ? undefined : { cursor }, { signal });
  const readPage = (result: unknown): ListPage<unknown> => {
    const ttlMs = readTtl(result);
    if (ttlMs !== undefined) staleAt = Math.min(staleAt ?? Infinity, clock.now() + ttlMs);
    isPublic &&= isPublicResult(result);
    return read(result);
  };
  // The limits end the list, with a sentence for the user.
  const pages = readPages(request, readPage, session.revision, Infinity);
  try {
    for await (const { page, cursor } of pages) {
      const next = collected.add(page, cursor);
      hasFirstPage = true;
      if (next === undefined) break;
    }
    return { list: listed(undefined), isStale: false };
  } catch (error) {
    signal.throwIfAborted();
    if (!hasFirstPage) throw error;
    const isStale = error instanceof JsonRpcError && error.code === ErrorCodes.invalidParams;
    const rest = `What follows the first ${collected.items.length} entries was left out.`;
    const failure = listError(`${method} could not be read to its end: ${messageOf(error)} ${rest}`, error);
    return { list: listed(failure), isStale };
  }
}

/** The pages of one list that have been read, and the rules that end the reading. */
class ListPages {
  readonly #method: string;
  readonly #pages: (readonly unknown[])[] = [];
  readonly problems: string[] = [];
  readonly #cursors = new Set<string>();
  /** By {@link outlineOf}: only pages with the same outline are compared. */
  readonly #outlines = new Map<string, readonly unknown[]>();
  #items: number = limits.list.items;
  #characters: number = limits.list.characters;
  #hasRepeated = false;

  constructor(method: string) {
    this.#method = method;
  }

  get items(): readonly unknown[] {
    return this.#pages.length === 1 ? (this.#pages[0] ?? []) : this.#pages.flat();
  }

  /** @returns the cursor of the next page; `undefined` at the end of the list or at a limit */
  add(page: ListPage<unknown>, cursor: string | undefined): string | undefined {
    const items = firstItems(page, this.#items, this.#characters);
    this.#characters -= page.characters;
    const isRepeated = this.#isRepeated(items);
    if (!isRepeated) {
      this.#pages.push(items);
      this.#items -= items.length;
      for (const problem of page.problems) this.#complain(problem);
    }
    const isCut = items.length < page.items.length;
    const end = isCut || cursor !== undefined ? this.#reasonToStop(cursor, isRepeated) : undefined;
    const rest = `what follows the first ${limits.list.items - this.#items} entries was left out`;
    if (end !== undefined) this.#complain(`${this.#method} ${end}; ${rest}.`);
    else if (isRepeated) this.#complain(`${this.#method} gave the same page twice; the second was left out.`);
    if (cursor !== undefined) this.#cursors.add(cursor);
    this.#hasRepeated ||= isRepeated;
    return end === undefined ? cursor : undefined;
  }

  #complain(problem: string): void {
    if (this.problems.length < limits.list.problems) this.problems.push(problem);
  }

  /** A server without pagination may ignore cursors and return its only page each time. */
  #isRepeated(items: readonly unknown[]): boolean {
    const outline = outlineOf(items);
    if (outline === undefined) return false;
    const known = this.#outlines.get(outline);
    this.#outlines.set(outline, items);
    return known !== undefined && areSamePages(known, items);
  }

  /** @returns the end of a sentence that begins with the method. Cursors are opaque; a repeated one ends the list. */
  #reasonToStop(cursor: string | undefined, isRepeated: boolean): string | undefined {
    if (this.#items <= 0) return 'has too many entries';
    if (this.#characters <= 0) return 'is too long';
    const isLoop = cursor !== undefined && this.#cursors.has(cursor);
    if (isRepeated && (isLoop || this.#hasRepeated)) return 'gives the same page again and again';
    return isLoop || this.#cursors.size >= limits.list.pages ? 'did not come to an end' : undefined;
  }
}

/** A cheap key that is equal for equal pages; `undefined` for an empty page. */
function outlineOf(items: readonly unknown[]): string | undefined {
  return items.length === 0 ? undefined : `${items.length} ${keyOf(items[0])} ${keyOf(items.at(-1))}`;
}

function keyOf(item: unknown): string {
  const { name, uri, uriTemplate } = item as { readonly [key: string]: unknown };
  return JSON.stringify([name, uri, uriTemplate]);
}

/** Characters of entries that are compared; pages that are equal up to here, and in all names, count as equal. */
const comparedCharacters = 256_000;

function areSamePages(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (!one.every((item, index) => keyOf(item) === keyOf(other[index]))) return false;
  let remaining = comparedCharacters;
  for (const [index, item] of one.entries()) {
    const text = canonicalJson(item, remaining);
    if (text !== canonicalJson(other[index], remaining)) return false;
    if (text === undefined) return true;
    remaining -= text.length;
  }
  return true;
}

function firstItems(
  { items, characters }: ListPage<unknown>,
  most: number,
  mostCharacters: number,
): readonly unknown[] {
  const some = items.slice(0, most);
  if (characters <= mostCharacters) return some;
  let left = mostCharacters;
  const end = some.findIndex((item) => (left -= jsonLength(item)) < 0);
  return end === -1 ? some : some.slice(0, end);
}
