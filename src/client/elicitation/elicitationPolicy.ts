/** Bounds on what one server may ask of the person. */
export interface ElicitationLimits {
  /** Questions open at once. */
  readonly maxOpen: number;
  /** Questions in any minute, answered or not. */
  readonly maxPerMinute: number;
}

export const defaultElicitationLimits: ElicitationLimits = { maxOpen: 20, maxPerMinute: 30 };

/**
 * Why a question is refused before anybody sees it; `undefined` for one that may be asked.
 * @param state how many of the same server are open, and how many were asked within the last minute
 */
export function elicitationRefusal(
  state: { readonly open: number; readonly recent: number },
  limits: ElicitationLimits,
): string | undefined {
  if (state.open >= limits.maxOpen) return `more than ${limits.maxOpen} questions of this server are waiting`;
  return state.recent >= limits.maxPerMinute ? 'this server asks too often' : undefined;
}
