/** Codes of errors raised in this process. Numeric JSON-RPC codes are separate: see `protocol/jsonRpc.ts`. */
export type ErrorCode =
  /** The connection was lost after the request was sent: the server may have processed it. */
  | 'answerLost'
  | 'capabilityMissing'
  | 'configuration'
  | 'connectionClosed'
  | 'crashed'
  | 'declined'
  /** The person does not want the server in this workspace. */
  | 'disabled'
  | 'disposed'
  | 'httpStatus'
  | 'invalidArguments'
  | 'invalidMessage'
  /** The result of a tool does not match the tool's output schema. */
  | 'invalidResult'
  | 'messageTooLarge'
  /** The `auth` settings contain secrets, but no `issuer` that they may be sent to. */
  | 'needsIssuer'
  | 'needsSignIn'
  | 'needsTrust'
  | 'notFound'
  | 'notRunning'
  /** A file of a skill does not match the skill's entry (ext-skills, "Integrity and Verification"). */
  | 'notVerified'
  /** The server has ended the session (2025-11-25, Basic / Transports / Streamable HTTP / Session Management). */
  | 'sessionLost'
  | 'spawnFailed'
  /** A task of a server was cancelled, but not by this client. */
  | 'taskCancelled'
  /** The server no longer knows a task, or cannot be reached to poll it. */
  | 'taskLost'
  | 'timeout'
  /** No connection to the address: refused, unknown host, TLS error. The request did not reach the server. */
  | 'unreachable'
  | 'unsupportedRevision';

/** An error of this process, never sent to a server. `message` is a full sentence and says what to do next where known. */
export class PatchbayError extends Error {
  override readonly name = 'PatchbayError';
  readonly code: ErrorCode;
  /** The part of `message` that other failures of the code do not have, which a short place shows; possibly output of a program. */
  readonly detail: string | undefined;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown; detail?: string }) {
    super(message, options);
    this.code = code;
    this.detail = options?.detail;
  }
}

/** The abort reason when a person or a caller cancels. A cancellation is not a failure and is never shown as one. */
export class CancelledError extends Error {
  override readonly name = 'AbortError';

  constructor(message = 'Cancelled') {
    super(message);
  }
}

/** True for {@link CancelledError}, the platform's `AbortError` and VS Code's `Canceled`. */
export function isCancellation(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}

/** True when `error` is a {@link PatchbayError} with one of `codes`, or with any code if none is given. */
export function isPatchbayError(error: unknown, ...codes: ErrorCode[]): error is PatchbayError {
  return error instanceof PatchbayError && (codes.length === 0 || codes.includes(error.code));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
