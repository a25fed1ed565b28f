import { isRecord, isString, jsonLength, type UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { PatchbayError } from '../../base/errors.ts';
import { cutText } from '../../base/shown.ts';
import { boundEntry } from './boundEntry.ts';
import {
  type Kind,
  listOf,
  Misfit,
  objectOf,
  oneOf,
  opaqueObject,
  optional,
  required,
  type Shape,
  text,
} from './members.ts';

/** `_meta`: opaque to us but for the keys the specification reserves (basic, "_meta"). */
export type Meta = UnknownRecord;

/** An icon a server offers (2025-11-25). */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** What most listed things share. */
export interface BaseMetadata {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** Who the other side says it is. For display and logs only, never for decisions. */
export interface Implementation extends BaseMetadata {
  readonly version: string;
  readonly websiteUrl?: string;
}

const icon: Kind<Icon> = objectOf<Icon>({
  src: required(text),
  mimeType: optional(text),
  sizes: optional(listOf(text)),
  theme: optional(oneOf('light', 'dark')),
});

/** The members of {@link BaseMetadata}, to be read. */
export const baseMetadata: Shape<BaseMetadata> = {
  name: required(text),
  title: optional(text),
  description: optional(text),
  icons: optional(listOf(icon)),
  _meta: optional(opaqueObject),
};

/** A page of a list, and what of it could not be used. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Opaque; an empty string is a cursor too since 2026-07-28, see `cursorAfter`. */
  readonly nextCursor: string | undefined;
  /** One sentence for each entry that was left out or cut, up to a bound: one bad entry never hides the rest. */
  readonly problems: readonly string[];
  /** Characters of the whole result as JSON, about. */
  readonly characters: number;
}

/**
 * Reads `result[key]` as a list, leaving out entries that are not of the `kind`.
 * @throws {PatchbayError} `invalidMessage` when there is no such list at all
 */
export function readListPage<T>(result: unknown, key: string, kind: Kind<T>): ListPage<T> {
  const list = isRecord(result) ? result[key] : undefined;
  if (!isRecord(result) || !Array.isArray(list)) throw invalidResult(`"${key}" is not a list`);
  const characters = jsonLength(result);
  const isSmall = characters <= limits.item.schema;
  const problems: string[] = [];
  const nextCursor = result['nextCursor'] ?? undefined;
  if (nextCursor !== undefined && !isString(nextCursor))
    problems.push(`The "nextCursor" of "${key}" is not a string: what follows the page was left out.`);
  const complain = (index: number, words: string): void => {
    // A page of nothing but bad entries should not take more memory for the complaints than for itself.
    if (problems.length < limits.list.problems) problems.push(`${key}[${index}]${nameOf(list[index])} ${words}.`);
  };
  const items: T[] = [];
  const leftOut: Misfit[] = [];
  for (const [index, entry] of (list as unknown[]).entries()) {
    const read = kind.read(entry, leftOut);
    if (read instanceof Misfit) {
      complain(index, `was left out: ${read.toString()}`);
      leftOut.length = 0;
      continue;
    }
    if (leftOut.length > 0) {
      for (const member of leftOut) complain(index, `is shown without one of its members: ${member.toString()}`);
      leftOut.length = 0;
    }
    const bound = boundEntry(read as UnknownRecord, isSmall);
    for (const problem of bound.problems) complain(index, problem);
    if (bound.entry !== undefined) items.push(bound.entry as T);
  }
  return { items, problems, characters, nextCursor: isString(nextCursor) ? nextCursor : undefined };
}

/** Names an entry in a sentence, where it has a name. */
function nameOf(entry: unknown): string {
  const { name, uri } = isRecord(entry) ? entry : {};
  const named = isString(name) && name !== '' ? name : uri;
  return isString(named) ? ` ${JSON.stringify(cutText(named, 100))}` : '';
}

/** How many milliseconds a result stays fresh, where its server says so (2026-07-28, "Caching"). */
export function readTtl(result: unknown): number | undefined {
  const ttlMs = isRecord(result) ? result['ttlMs'] : undefined;
  return typeof ttlMs === 'number' ? Math.max(0, ttlMs) : undefined;
}

/** Whether a result is the same in every authorization context; only where its server says so (2026-07-28, "Cache Scope"). */
export function isPublicResult(result: unknown): boolean {
  return isRecord(result) && result['cacheScope'] === 'public';
}

/** The error for a result that does not have the shape the specification gives it. */
export function invalidResult(detail: string): PatchbayError {
  return new PatchbayError('invalidMessage', `The server sent a result that does not follow the protocol: ${detail}.`);
}
