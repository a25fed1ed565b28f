import { type ErrorCode, isPatchbayError, messageOf } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { visibleText } from '../base/visibleText.ts';
import { JsonRpcError, type JsonRpcErrorBody } from '../protocol/jsonRpc.ts';

/** What a person can do about an error, as a button beside its message. */
export type Remedy = 'showLog' | 'openConfiguration' | 'manageTrust' | 'setIssuer' | 'signIn';

export interface ErrorDescription {
  /** Two or three words, to follow a server's name: "crashed". */
  readonly summary: string;
  /** Full sentences. */
  readonly message: string;
  /** Most helpful first. */
  readonly remedies: readonly Remedy[];
  /** The error of the server as it came, where it holds more than `message` says. */
  readonly details?: JsonRpcErrorBody | undefined;
}

/** Puts anything thrown into words for people. Cancellations are not errors: do not bring them here. */
export function describeError(error: unknown): ErrorDescription {
  const details = detailsOf(error);
  if (isPatchbayError(error)) return { ...descriptions[error.code], message: error.message, details };
  if (error instanceof JsonRpcError)
    return { summary: 'answered with an error', message: answeredWith(error), remedies: ['showLog'], details };
  return { summary: 'failed', message: messageOf(error), remedies: ['showLog'] };
}

const descriptions: Readonly<Record<ErrorCode, Omit<ErrorDescription, 'message'>>> = {
  answerLost: { summary: 'answer was lost', remedies: ['showLog'] },
  capabilityMissing: { summary: 'cannot do this', remedies: [] },
  configuration: { summary: 'configuration is wrong', remedies: ['openConfiguration'] },
  connectionClosed: { summary: 'connection closed', remedies: ['showLog'] },
  crashed: { summary: 'crashed', remedies: ['showLog', 'openConfiguration'] },
  declined: { summary: 'declined', remedies: [] },
  disposed: { summary: 'shut down', remedies: [] },
  httpStatus: { summary: 'refused the request', remedies: ['showLog', 'openConfiguration'] },
  invalidArguments: { summary: 'arguments do not fit', remedies: [] },
  invalidMessage: { summary: 'does not follow the protocol', remedies: ['showLog'] },
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
  unsupportedRevision: { summary: 'speaks another revision', remedies: ['showLog', 'openConfiguration'] },
};

function answeredWith(error: JsonRpcError): string {
  const said = `${asSentence(error.message)} (code ${error.code})`;
  const missing = missingCapabilities(error);
  if (missing.length === 0) return `The server answered with an error: ${said}`;
  return `The server needs what Patchbay has not declared to it: ${missing.join(', ')}. It says: ${said}`;
}

/** Names shown of capabilities, and characters of each. */
const shownCapabilities = { names: 10, characters: 100 };

/**
 * What a server asks for that it was not told of, such as `elicitation.url` (2026-07-28, -32021). Drafts had another code.
 */
function missingCapabilities({ data }: JsonRpcErrorBody): readonly string[] {
  const required = isRecord(data) ? data['requiredCapabilities'] : undefined;
  if (!isRecord(required)) return [];
  const names = Object.entries(required).flatMap(([name, value]) => {
    const parts = isRecord(value) ? Object.keys(value) : [];
    return parts.length === 0 ? [name] : parts.map((part) => `${name}.${part}`);
  });
  return names
    .slice(0, shownCapabilities.names)
    .map((name) => visibleText(name.slice(0, shownCapabilities.characters)));
}

/** Errors of ours may be about one of the server. */
function detailsOf(error: unknown): JsonRpcErrorBody | undefined {
  const cause = isPatchbayError(error) ? error.cause : undefined;
  const body = [error, cause].find((candidate) => candidate instanceof JsonRpcError);
  if (body?.data === undefined || body.data === null) return undefined;
  return { code: body.code, message: body.message, data: body.data };
}

function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
