import type { ListPage } from '../mcp/base.ts';
import { isAtLeast } from './revision.ts';

/**
 * Reads the pages of a list (2025-11-25, Server Features / Utilities / Pagination), each one only when the caller asks for
 * it. Ends after the last page, at a cursor that repeats itself, or at `maximumPages`.
 * @param revision the negotiated one, which decides what an empty cursor means
 * @returns pages with the cursor of the next one; `undefined` for the last page
 * @throws the errors of `request` and `read`
 */
export async function* readPages<Page extends Pick<ListPage<unknown>, 'nextCursor'>>(
  request: (cursor: string | undefined) => Promise<unknown>,
  read: (result: unknown) => Page,
  revision: string,
  maximumPages: number,
) {
  let last: string | undefined;
  for (let count = 0; count < maximumPages; count += 1) {
    const page = read(await request(last));
    const { nextCursor } = page;
    // Before 2026-07-28 an empty cursor means the end of the list; since then it is a cursor like any other.
    const cursor = nextCursor === '' && !isAtLeast(revision, '2026-07-28') ? undefined : nextCursor;
    yield { page, cursor };
    if (cursor === undefined || cursor === last) return;
    last = cursor;
  }
}
