import { type ErrorCode, isPatchbayError, messageOf } from '../../base/errors.ts';
import { JsonRpcError } from '../../protocol/jsonRpc.ts';

/** What a person can do about an error, as a button beside its message. */
export type Remedy = 'showLog' | 'openConfiguration' | 'manageTrust' | 'setIssuer' | 'signIn' | 'enable';

export interface ErrorDescription {
  /** Two or three words, to follow a server's name: "crashed". */
  readonly summary: string;
  /** Full sentences. */
  readonly message: string;
  /** Most helpful first. */
  readonly remedies: readonly Remedy[];
}

/** Puts anything thrown into words for people. Cancellations are not errors: do not bring them here. */
export function describeError(error: unknown): ErrorDescription {
  if (isPatchbayError(error)) return { ...descriptions[error.code], message: error.message };
  if (error instanceof JsonRpcError) {
    const end = /[.!?\u2026]$/.test(error.message) ? '' : '.';
    return {
      summary: 'answered with an error',
      message: `The server answered with an error: ${error.message}${end} (code ${error.code})`,
      remedies: ['showLog'],
    };
  }
  return { summary: 'failed', message: messageOf(error), remedies: ['showLog'] };
}

const descriptions: Readonly<Record<ErrorCode, Omit<ErrorDescription, 'message'>>> = {
  answerLost: { summary: 'answer was lost', remedies: ['showLog'] },
  capabilityMissing: { summary: 'cannot do this', remedies: [] },
  configuration: { summary: 'configuration is wrong', remedies: ['openConfiguration'] },
  connectionClosed: { summary: 'connection closed', remedies: ['showLog'] },
  crashed: { summary: 'crashed', remedies: ['showLog', 'openConfiguration'] },
  declined: { summary: 'declined', remedies: [] },
  disabled: { summary: 'disabled', remedies: ['enable'] },
  disposed: { summary: 'shut down', remedies: [] },
  httpStatus: { summary: 'refused the request', remedies: ['showLog', 'openConfiguration'] },
  invalidArguments: { summary: 'arguments do not fit', remedies: [] },
  invalidMessage: { summary: 'does not follow the protocol', remedies: ['showLog'] },
  invalidResult: { summary: 'result does not match its schema', remedies: [] },
  messageTooLarge: { summary: 'message too large', remedies: ['showLog'] },
  needsIssuer: { summary: 'needs an issuer', remedies: ['setIssuer', 'openConfiguration'] },
  needsSignIn: { summary: 'needs you to sign in', remedies: ['signIn', 'showLog', 'openConfiguration'] },
  needsTrust: { summary: 'needs your approval', remedies: ['manageTrust'] },
  notFound: { summary: 'not found', remedies: [] },
  notRunning: { summary: 'not running', remedies: ['showLog'] },
  notVerified: { summary: 'cannot be verified', remedies: ['showLog'] },
  sessionLost: { summary: 'session was lost', remedies: ['showLog'] },
  spawnFailed: { summary: 'could not be started', remedies: ['openConfiguration', 'showLog'] },
  taskCancelled: { summary: 'cancelled the task', remedies: ['showLog'] },
  taskLost: { summary: 'lost the task', remedies: ['showLog'] },
  timeout: { summary: 'took too long', remedies: ['showLog', 'openConfiguration'] },
  unreachable: { summary: 'cannot be reached', remedies: ['openConfiguration', 'showLog'] },
  unsupportedRevision: { summary: 'uses another protocol revision', remedies: ['showLog', 'openConfiguration'] },
};
