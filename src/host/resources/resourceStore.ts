import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { getOrMake } from '../../base/memoize.ts';
import type { ResourceContents } from '../../protocol/mcp/content.ts';
import type { ReadResourceResult } from '../../protocol/mcp/resources.ts';
import { fileName, nameFromUri, uniqueNames } from '../platform/fileName.ts';

export interface ResourcePart {
  /** Unique among the parts of its resource. */
  readonly name: string;
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly bytes: Uint8Array;
  /** It came as bytes and not as text. */
  readonly isBinary: boolean;
}

export interface LoadedResource {
  readonly parts: readonly ResourcePart[];
  /** When it was first seen like this: milliseconds since the epoch. */
  readonly changedAt: number;
}

interface Entry {
  readonly loaded: LoadedResource | undefined;
  /** `-Infinity` once invalidated. */
  readonly readAt: number;
  /** Counts reads begun and invalidations: a read begun before either must not replace what came of it. */
  readonly sequence: number;
}

const freshMs = 2_000;
const maximumEntries = 32;

/**
 * Keeps the contents read last, up to a maximum number of resources, for as long as one look at it takes, since editors ask several
 * times for one thing. Concurrent reads of one resource share one request.
 * @param definitionOf a label: what was read of one definition is not shown for another with its label
 */
export function createResourceStore(
  clock: Clock,
  definitionOf: (server: string) => string | undefined,
  read: (server: string, uri: string, signal: AbortSignal | undefined) => Promise<ReadResourceResult>,
) {
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<LoadedResource>>();
  const keyOf = (server: string, uri: string): string => JSON.stringify([server, definitionOf(server), uri]);
  let sequence = 0;

  function put(key: string, entry: Entry): void {
    entries.delete(key);
    entries.set(key, entry);
    for (const oldest of entries.keys()) if (entries.size > maximumEntries) entries.delete(oldest);
  }

  async function readNow(server: string, uri: string, signal: AbortSignal | undefined): Promise<LoadedResource> {
    const key = keyOf(server, uri);
    const begun = ++sequence;
    const { contents } = await read(server, uri, signal);
    const entry = entries.get(key);
    const loaded = toLoaded(toParts(contents, uri), entry?.loaded, clock.now());
    if (entry === undefined || entry.sequence < begun) put(key, { loaded, readAt: clock.now(), sequence: begun });
    return loaded;
  }

  function readShared(server: string, uri: string): Promise<LoadedResource> {
    const key = keyOf(server, uri);
    return getOrMake(loading, key, () => {
      const shared = readNow(server, uri, undefined).finally(() => {
        if (loading.get(key) === shared) loading.delete(key);
      });
      return shared;
    });
  }

  return {
    async load(server: string, uri: string, signal?: AbortSignal): Promise<LoadedResource> {
      const entry = entries.get(keyOf(server, uri));
      if (entry?.loaded !== undefined && clock.now() - entry.readAt < freshMs) return entry.loaded;
      // A reader that can be cancelled reads for itself: others must not go down with it.
      return signal === undefined ? readShared(server, uri) : readNow(server, uri, signal);
    },
    /** What was read last of the definition that the label stands for now, of whatever age. */
    last: (server: string, uri: string): LoadedResource | undefined => entries.get(keyOf(server, uri))?.loaded,
    /** The resource may have changed: the next load reads it again. */
    invalidate(server: string, uri: string): void {
      const key = keyOf(server, uri);
      loading.delete(key);
      put(key, { loaded: entries.get(key)?.loaded, readAt: Number.NEGATIVE_INFINITY, sequence: ++sequence });
    },
  };
}

export type ResourceStore = ReturnType<typeof createResourceStore>;

/** Editors take the time for a version: it differs exactly when the contents do. */
function toLoaded(parts: readonly ResourcePart[], before: LoadedResource | undefined, now: number): LoadedResource {
  if (before !== undefined && areSame(before.parts, parts)) return before;
  return { parts, changedAt: Math.max(now, (before?.changedAt ?? 0) + 1) };
}

function toParts(contents: readonly ResourceContents[], uri: string): readonly ResourcePart[] {
  // More is no folder that an editor could list.
  const kept = contents.slice(0, limits.shown.contents);
  const names = uniqueNames(kept.map((part) => fileName(nameFromUri(part.uri || uri), part.mimeType)));
  return kept.map((part, index) => ({
    name: names[index] ?? '',
    uri: part.uri,
    mimeType: part.mimeType,
    isBinary: part.text === undefined,
    bytes: part.text === undefined ? Buffer.from(part.blob ?? '', 'base64') : Buffer.from(part.text, 'utf8'),
  }));
}

function areSame(before: readonly ResourcePart[], after: readonly ResourcePart[]): boolean {
  const isSame = ({ name, bytes }: ResourcePart, other: ResourcePart | undefined): boolean =>
    name === other?.name && Buffer.compare(bytes, other.bytes) === 0;
  return before.length === after.length && before.every((part, index) => isSame(part, after[index]));
}
