/** Limits for the questions of one server. */
export interface ElicitationLimits {
  /** Questions that are open at the same time. */
  readonly maxOpen: number;
  /** Questions per minute, answered or not. */
  readonly maxPerMinute: number;
}

/** The limits unless settings change them. */
export const defaultElicitationLimits: ElicitationLimits = { maxOpen: 20, maxPerMinute: 30 };

/**
 * Decides whether a question is refused before it is shown.
 * @param state open questions of the same server, and those of the last minute
 * @returns the reason, as the end of a sentence; `undefined` if the question may be shown
 */
export function elicitationRefusal(
  state: { readonly open: number; readonly recent: number },
  limits: ElicitationLimits,
): string | undefined {
  if (state.open >= limits.maxOpen) return `more than ${limits.maxOpen} questions of this server are waiting`;
  return state.recent >= limits.maxPerMinute ? 'this server asks too often' : undefined;
}
