/** What went wrong on this side of the wire. Numeric JSON-RPC codes are a different family: see `protocol/jsonRpc.ts`. */
export type ErrorCode =
  /** The request may have reached the server, but its answer was lost on the way. */
  | 'answerLost'
  | 'capabilityMissing'
  | 'configuration'
  | 'connectionClosed'
  | 'crashed'
  | 'declined'
  | 'disposed'
  /** The answer of an HTTP server says that the request failed. */
  | 'httpStatus'
  | 'invalidArguments'
  | 'invalidMessage'
  /** A tool ran, and its result breaks the schema that the tool itself gives for it. */
  | 'invalidResult'
  | 'messageTooLarge'
  /** Settings for signing in hold secrets, but do not say which authorization server may get them. */
  | 'needsIssuer'
  | 'needsSignIn'
  | 'needsTrust'
  | 'notFound'
  | 'notRunning'
  /** A file of a skill is not what the skill's entry says (ext-skills, "Integrity and Verification"). */
  | 'notVerified'
  /** The server has forgotten the session; a new one has to be opened (Streamable HTTP, "Session Management"). */
  | 'sessionLost'
  | 'spawnFailed'
  /** A task of a server ended because somebody else cancelled it. */
  | 'taskCancelled'
  /** A server does not know a task any more, or cannot be asked about it. */
  | 'taskLost'
  | 'timeout'
  /** The address does not answer: refused, unknown name, broken TLS. The request never reached the server. */
  | 'unreachable'
  | 'unsupportedRevision';

/** An error made here, never sent to a server. `message` is a full sentence that says what to do next where that is known. */
export class PatchbayError extends Error {
  override readonly name = 'PatchbayError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The reason used when a person or a caller cancels; cancellation is not a failure and is never shown as one. */
export class CancelledError extends Error {
  override readonly name = 'AbortError';

  constructor(message = 'Cancelled') {
    super(message);
  }
}

/** True for our own cancellations, the platform's `AbortError` and VS Code's `Canceled`. */
export function isCancellation(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}

/** True when `error` is ours and has one of `codes` (any code if none is given). */
export function isPatchbayError(error: unknown, ...codes: ErrorCode[]): error is PatchbayError {
  return error instanceof PatchbayError && (codes.length === 0 || codes.includes(error.code));
}

/** The text to show for anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
