/** What the program ends with. Where several apply, the highest. */
export const exitCodes = {
  fine: 0,
  /** A check or a saved call failed, a tool reported an error, a difference is breaking. */
  findings: 1,
  /** Wrong arguments, or a file that cannot be used. */
  usage: 2,
  /** A server could not be started or reached. */
  unreachable: 3,
  /** A fault of Patchbay itself. */
  internal: 70,
  /** Ctrl+C. */
  interrupted: 130,
} as const;

/** The command line cannot be followed; the message is a full sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
