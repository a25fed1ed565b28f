import type { UnknownRecord } from '../base/json.ts';
import { invalidParams } from './rpcServer.ts';

/** Small, so that every list shows how pagination works. */
const pageSize = 5;

/**
 * Makes the result of a list request with one page of `items` (2025-11-25, Server / Utilities / Pagination).
 * @param key the member of the result for the page
 * @throws {JsonRpcError} `-32602` for an unknown cursor
 */
export function paginate(key: string, items: readonly object[], params: UnknownRecord): object {
  const start = readCursor(params['cursor']);
  const end = start + pageSize;
  return { [key]: items.slice(start, end), ...(end < items.length && { nextCursor: `from-${end}` }) };
}

function readCursor(cursor: unknown): number {
  if (cursor === undefined) return 0;
  const start = typeof cursor === 'string' ? /^from-(\d{1,6})$/.exec(cursor)?.[1] : undefined;
  if (start === undefined) throw invalidParams('unknown cursor.');
  return Number(start);
}
