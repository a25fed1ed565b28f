import type { ListPage } from '../mcp/base.ts';
import { isAtLeast } from './revision.ts';

export interface PagedList<Page> {
  readonly request: (cursor: string | undefined) => Promise<unknown>;
  readonly read: (result: unknown) => Page;
  /** The negotiated revision, which decides what an empty cursor means. */
  readonly revision: string;
  readonly maximumPages: number;
}

export interface ReadPage<Page> {
  readonly page: Page;
  /** The cursor of the next page; `undefined` for the last page. */
  readonly cursor: string | undefined;
}

/**
 * Reads the pages of a list (2025-11-25, Server Features / Utilities / Pagination), each one only when the caller asks for
 * it. Ends after the last page, at a cursor that repeats itself, or at `maximumPages`.
 * @throws the errors of `request` and `read`
 */
export async function* readPages<Page extends Pick<ListPage<unknown>, 'nextCursor'>>({
  request,
  read,
  revision,
  maximumPages,
}: PagedList<Page>): AsyncGenerator<ReadPage<Page>, void, undefined> {
  let last: string | undefined;
  for (let count = 0; count < maximumPages; count += 1) {
    const page = read(await request(last));
    const cursor = cursorAfter(page, revision);
    yield { page, cursor };
    if (cursor === undefined || cursor === last) return;
    last = cursor;
  }
}

/** Before 2026-07-28 an empty cursor means the end of the list; since then it is a cursor like any other. */
function cursorAfter({ nextCursor }: Pick<ListPage<unknown>, 'nextCursor'>, revision: string): string | undefined {
  return nextCursor === '' && !isAtLeast(revision, '2026-07-28') ? undefined : nextCursor;
}
