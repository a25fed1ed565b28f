import type { Clock } from '../../../base/clock.ts';
import { isRecord, isString } from '../../../base/json.ts';
import { isPublicResult, readTtl } from '../../mcp/base.ts';

/**
 * Caches results of `resources/read` for the time the server allows (2026-07-28, Server Features / Utilities /
 * Caching). One for each session.
 */
export interface ResourceCache {
  /** @returns the raw result, or `undefined` */
  get(uri: string): unknown;
  /** Call before reading. @returns stores the result, unless an entry was invalidated since */
  begin(uri: string): (result: unknown) => void;
  /** Removes a resource, those below it, and those it may be part of (compared by prefix). */
  invalidate(uri: string): void;
  /**
   * Removes results of one authorization context (2026-07-28, Server Features / Utilities / Caching, "Cache Scope").
   */
  clearPrivate(): void;
}

interface Entry {
  readonly result: unknown;
  readonly freshUntil: number;
  readonly size: number;
  readonly isPublic: boolean;
}

const maximumEntries = 100;
/** Maximum characters of text and base64 in total. */
const maximumSize = 16 * 1024 * 1024;

export function createResourceCache(clock: Clock): ResourceCache {
  // In insertion order, the oldest first.
  const entries = new Map<string, Entry>();
  let size = 0;
  let drops = 0;

  function remove(uri: string): void {
    size -= entries.get(uri)?.size ?? 0;
    entries.delete(uri);
  }

  function keep(uri: string, result: unknown): void {
    remove(uri);
    const ttlMs = readTtl(result) ?? 0;
    const needed = sizeOf(result);
    if (ttlMs === 0 || needed > maximumSize) return;
    const isPublic = isPublicResult(result);
    entries.set(uri, { result, freshUntil: clock.now() + ttlMs, size: needed, isPublic });
    size += needed;
    for (const oldest of entries.keys()) {
      if (entries.size <= maximumEntries && size <= maximumSize) break;
      remove(oldest);
    }
  }

  return {
    get(uri) {
      const entry = entries.get(uri);
      if (entry === undefined || clock.now() < entry.freshUntil) return entry?.result;
      remove(uri);
      return undefined;
    },
    begin(uri) {
      const before = drops;
      return (result) => {
        if (before === drops) keep(uri, result);
      };
    },
    invalidate(uri) {
      drops += 1;
      for (const kept of entries.keys()) if (kept.startsWith(uri) || uri.startsWith(kept)) remove(kept);
    },
    clearPrivate() {
      drops += 1;
      for (const [uri, { isPublic }] of entries) if (!isPublic) remove(uri);
    },
  };
}

function sizeOf(result: unknown): number {
  const contents = isRecord(result) ? result['contents'] : undefined;
  if (!Array.isArray(contents)) return 0;
  let size = 0;
  for (const part of contents) {
    if (!isRecord(part)) continue;
    for (const text of [part['text'], part['blob']]) if (isString(text)) size += text.length;
  }
  return size;
}
