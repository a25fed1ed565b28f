import type { ListPage } from '../mcp/base.ts';

/** The protocol revisions that open with `initialize`, oldest first. */
export const handshakeRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

export type HandshakeRevision = (typeof handshakeRevisions)[number];

/** The newest one, offered first (lifecycle, "Version Negotiation"). */
export const latestHandshakeRevision: HandshakeRevision = '2025-11-25';

export function isHandshakeRevision(value: unknown): value is HandshakeRevision {
  return handshakeRevisions.includes(value as HandshakeRevision);
}

/** The revisions in which every request stands for itself (2026-07-28, "Statelessness"), oldest first. */
export const statelessRevisions = ['2026-07-28'] as const;

export type StatelessRevision = (typeof statelessRevisions)[number];

export const latestStatelessRevision: StatelessRevision = '2026-07-28';

/** All that Patchbay speaks, oldest first. */
export const protocolRevisions = [...handshakeRevisions, ...statelessRevisions] as const;

export function isStatelessRevision(value: unknown): value is StatelessRevision {
  return statelessRevisions.includes(value as StatelessRevision);
}

/** True when `revision` is `other` or newer. Revisions are dates, so text order is time order. */
export function isAtLeast(revision: string, other: HandshakeRevision | StatelessRevision): boolean {
  return revision >= other;
}

/**
 * Where the list goes on after a page. Before 2026-07-28 servers write an empty cursor to say that there is no more; since
 * then it is a cursor like any other (2026-07-28, "Pagination").
 * @returns `undefined` at the end of the list
 */
export function cursorAfter(
  { nextCursor }: Pick<ListPage<unknown>, 'nextCursor'>,
  revision: string,
): string | undefined {
  return nextCursor === '' && !isAtLeast(revision, '2026-07-28') ? undefined : nextCursor;
}
