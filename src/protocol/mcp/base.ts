import { isRecord, isString, jsonLength, type UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { PatchbayError } from '../../base/errors.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { boundEntry } from './boundEntry.ts';
import {
  type Reader,
  listOf,
  Mismatch,
  objectOf,
  oneOf,
  opaqueObject,
  optional,
  required,
  type Shape,
  text,
} from './readers.ts';

/** `_meta`: opaque, except for the reserved keys (2025-11-25, Basic, "_meta"). */
export type Meta = UnknownRecord;

/** An icon of a server (2025-11-25, Basic, "Icons"). */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

export interface BaseMetadata {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** Name and version of a client or server. For display and logs only, never for decisions. */
export interface Implementation extends BaseMetadata {
  readonly version: string;
  readonly websiteUrl?: string;
}

const icon: Reader<Icon> = objectOf<Icon>({
  src: required(text),
  mimeType: optional(text),
  sizes: optional(listOf(text)),
  theme: optional(oneOf('light', 'dark')),
});

export const baseMetadata: Shape<BaseMetadata> = {
  name: required(text),
  title: optional(text),
  description: optional(text),
  icons: optional(listOf(icon)),
  _meta: optional(opaqueObject),
};

export interface ListPage<T> {
  readonly items: readonly T[];
  /** Opaque; since 2026-07-28 an empty string is a cursor too, see `readPages`. */
  readonly nextCursor: string | undefined;
  /** One sentence for each entry that was left out or cut, up to `limits.list.problems`. */
  readonly problems: readonly string[];
  /** Approximate characters of the whole result as JSON. */
  readonly characters: number;
}

/** Leaves out entries that `reader` cannot read. @throws {PatchbayError} `invalidMessage` without a list */
export function readListPage<T>(result: unknown, key: string, reader: Reader<T>): ListPage<T> {
  const list = isRecord(result) ? result[key] : undefined;
  if (!isRecord(result) || !Array.isArray(list)) throw invalidResult(`"${key}" is not a list`);
  const characters = jsonLength(result);
  const isSmall = characters <= limits.item.schema;
  const problems: string[] = [];
  const nextCursor = result['nextCursor'] ?? undefined;
  if (nextCursor !== undefined && !isString(nextCursor))
    problems.push(`The "nextCursor" of "${key}" is not a string: what follows the page was left out.`);
  const addProblem = (index: number, words: string): void => {
    // For a page of bad entries, the problems must not take more memory than the page.
    if (problems.length < limits.list.problems)
      problems.push(`${key}[${index}]${describeEntryName(list[index])} ${words}.`);
  };
  const items: T[] = [];
  const leftOut: Mismatch[] = [];
  for (const [index, entry] of (list as unknown[]).entries()) {
    const read = reader.read(entry, leftOut);
    if (read instanceof Mismatch) {
      addProblem(index, `was left out: ${read.toString()}`);
      leftOut.length = 0;
      continue;
    }
    if (leftOut.length > 0) {
      for (const member of leftOut) addProblem(index, `is shown without one of its members: ${member.toString()}`);
      leftOut.length = 0;
    }
    const bound = boundEntry(read as UnknownRecord, isSmall);
    for (const problem of bound.problems) addProblem(index, problem);
    if (bound.entry !== undefined) items.push(bound.entry as T);
  }
  return { items, problems, characters, nextCursor: isString(nextCursor) ? nextCursor : undefined };
}

/** The name or URI of an entry for a sentence; empty without one. */
function describeEntryName(entry: unknown): string {
  const { name, uri } = isRecord(entry) ? entry : {};
  const named = isString(name) && name !== '' ? name : uri;
  return isString(named) ? ` ${JSON.stringify(truncateWithCount(named, 100))}` : '';
}

/** Milliseconds for which a result stays fresh (2026-07-28, Server Features / Utilities / Caching). */
export function readTtl(result: unknown): number | undefined {
  const ttlMs = isRecord(result) ? result['ttlMs'] : undefined;
  return typeof ttlMs === 'number' ? Math.max(0, ttlMs) : undefined;
}

/** True for a result that is the same for all accounts (2026-07-28, … / Caching, "Cache Scope"). */
export function isPublicResult(result: unknown): boolean {
  return isRecord(result) && result['cacheScope'] === 'public';
}

/** The error for a result that violates the specification. @param detail completes the sentence */
export function invalidResult(detail: string): PatchbayError {
  return new PatchbayError('invalidMessage', `The server sent a result that does not follow the protocol: ${detail}.`);
}
