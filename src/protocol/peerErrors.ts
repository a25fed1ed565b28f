import { isCancellation, isPatchbayError, PatchbayError } from '../base/errors.ts';
import { isRecord, isString, toJsonText } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { visibleText } from '../base/visibleText.ts';
import { JsonRpcError, type JsonRpcErrorBody } from './jsonRpc.ts';

const maximumReason = 1_000;

/** A method name for texts, cut to 100 characters: a server chooses its length. */
export function shortMethod(method: string): string {
  return method.slice(0, 100);
}

/** The error for a malformed response. @param reason what is wrong with it */
export function invalidAnswerError(reason: string): PatchbayError {
  return new PatchbayError('invalidMessage', `The server sent an answer that does not follow the protocol: ${reason}.`);
}

export function timeoutError(method: string, milliseconds: number): PatchbayError {
  const seconds = Math.round(milliseconds / 100) / 10;
  return new PatchbayError('timeout', `The server did not answer ${method} within ${seconds} s.`);
}

/** Capabilities that are named in an error, and characters of each. */
const maximumCapabilities = { names: 10, characters: 100 };

/** Its message names the capabilities that the server requires (2026-07-28, -32021; drafts had another code). */
export function toThrownError({ code, message, data }: JsonRpcErrorBody): JsonRpcError {
  const missing = missingCapabilities(data);
  const more = missing.length === 0 ? '' : `. Patchbay did not declare what it needs: ${missing.join(', ')}`;
  return new JsonRpcError(code, `${message}${more}`, data);
}

/** @returns names such as `elicitation.url` */
function missingCapabilities(data: unknown): readonly string[] {
  const required = isRecord(data) ? data['requiredCapabilities'] : undefined;
  if (!isRecord(required)) return [];
  const names = Object.entries(required).flatMap(([name, value]) => {
    const parts = isRecord(value) ? Object.keys(value) : [];
    return parts.length === 0 ? [name] : parts.map((part) => `${name}.${part}`);
  });
  const { names: maximum, characters } = maximumCapabilities;
  return names.slice(0, maximum).map((name) => visibleText(name.slice(0, characters)));
}

export function describeErrorAnswer(method: string, { code, message, data }: JsonRpcErrorBody): string {
  const more = data === undefined || data === null ? '' : `\n${toJsonText(data, limits.text.error)}`;
  return `${method} was answered with an error: ${message} (code ${code})${more}`;
}

export function cancellationReason(error: Error): string {
  if (isCancellation(error)) return 'Cancelled by the user';
  if (isPatchbayError(error, 'connectionClosed')) return 'The client closes the connection';
  return isPatchbayError(error, 'timeout') ? 'Timed out' : 'No longer needed';
}

/** The end of a log sentence: the reason that the server gave, if any. */
export function describeReason(reason: unknown): string {
  return isString(reason) && reason !== '' ? `: ${reason.slice(0, maximumReason)}` : ', and gave no reason.';
}
