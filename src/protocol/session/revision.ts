/** The protocol revisions that start with `initialize`, oldest first. */
export const handshakeRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

export type HandshakeRevision = (typeof handshakeRevisions)[number];

/** The newest one, offered first (2025-11-25, Basic / Lifecycle, "Version Negotiation"). */
export const latestHandshakeRevision: HandshakeRevision = '2025-11-25';

export function isHandshakeRevision(value: unknown): value is HandshakeRevision {
  return handshakeRevisions.includes(value as HandshakeRevision);
}

/** Those without `initialize`, oldest first: each request is complete (2026-07-28, Basic, "Statelessness"). */
export const statelessRevisions = ['2026-07-28'] as const;

export type StatelessRevision = (typeof statelessRevisions)[number];

export const latestStatelessRevision: StatelessRevision = '2026-07-28';

/** All supported revisions, oldest first. */
export const protocolRevisions = [...handshakeRevisions, ...statelessRevisions] as const;

export function isStatelessRevision(value: unknown): value is StatelessRevision {
  return statelessRevisions.includes(value as StatelessRevision);
}

/** True when `revision` is `other` or newer. Revisions are dates, so text order is time order. */
export function isAtLeast(revision: string, other: HandshakeRevision | StatelessRevision): boolean {
  return revision >= other;
}
