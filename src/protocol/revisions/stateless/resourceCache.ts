import type { Clock } from '../../../base/clock.ts';
import { jsonLength } from '../../../base/json.ts';
import { isPublicResult, readTtl } from '../../mcp/base.ts';

interface Entry {
  readonly result: unknown;
  readonly freshUntil: number;
  readonly size: number;
  readonly isPublic: boolean;
}

const maximumEntries = 100;
/** Characters of all results, approximately. */
const maximumSize = 16 * 1024 * 1024;

/** The results of one session (2026-07-28, Server Features / Utilities / Caching). */
export class ResourceCache {
  readonly #clock: Clock;
  /** In insertion order, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  #size = 0;
  #drops = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns the raw result, or `undefined` */
  get(uri: string): unknown {
    const entry = this.#entries.get(uri);
    if (entry === undefined || this.#clock.now() < entry.freshUntil) return entry?.result;
    this.#remove(uri);
    return undefined;
  }

  /** Call before reading. @returns stores the result, unless an entry was invalidated since */
  begin(uri: string): (result: unknown) => void {
    const before = this.#drops;
    return (result) => {
      if (before === this.#drops) this.#keep(uri, result);
    };
  }

  /** Removes a resource, those below it, and those it may be part of (compared by prefix). */
  invalidate(uri: string): void {
    this.#drops += 1;
    for (const kept of this.#entries.keys()) if (kept.startsWith(uri) || uri.startsWith(kept)) this.#remove(kept);
  }

  /** Removes results of one authorization context (2026-07-28, Server Features / Utilities / Caching, "Cache Scope"). */
  clearPrivate(): void {
    this.#drops += 1;
    for (const [uri, { isPublic }] of this.#entries) if (!isPublic) this.#remove(uri);
  }

  #remove(uri: string): void {
    this.#size -= this.#entries.get(uri)?.size ?? 0;
    this.#entries.delete(uri);
  }

  #keep(uri: string, result: unknown): void {
    this.#remove(uri);
    const ttlMs = readTtl(result) ?? 0;
    if (ttlMs === 0) return;
    const size = jsonLength(result);
    if (size > maximumSize) return;
    const isPublic = isPublicResult(result);
    this.#entries.set(uri, { result, freshUntil: this.#clock.now() + ttlMs, size, isPublic });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maximumEntries && this.#size <= maximumSize) break;
      this.#remove(oldest);
    }
  }
}
