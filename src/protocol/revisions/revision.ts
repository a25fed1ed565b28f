/** The protocol revisions that open with `initialize`, oldest first. */
export const handshakeRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

export type HandshakeRevision = (typeof handshakeRevisions)[number];

/** The newest one, offered first (lifecycle, "Version Negotiation"). */
export const latestHandshakeRevision: HandshakeRevision = '2025-11-25';

export function isHandshakeRevision(value: unknown): value is HandshakeRevision {
  return handshakeRevisions.includes(value as HandshakeRevision);
}

/** True when `revision` is `other` or newer. Revisions are dates, so text order is time order. */
export function isAtLeast(revision: string, other: HandshakeRevision): boolean {
  return revision >= other;
}
