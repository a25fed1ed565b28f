import { PatchbayError } from '../base/errors.ts';
import type { ExceededJsonLimit } from '../base/jsonScanner.ts';
import type { MessageLimits } from '../base/limits.ts';
import { truncateWithEllipsis } from '../base/truncate.ts';

export type MessageExcess = 'bytes' | ExceededJsonLimit;

export class MessageTooLarge extends Error {
  override readonly name = 'MessageTooLarge';
  readonly excess: MessageExcess;

  constructor(excess: MessageExcess) {
    super(`A message is beyond its limit of ${excess}.`);
    this.excess = excess;
  }
}

/** The error for a message that exceeds a limit. @param who completes "… sent a message …" */
export function messageTooLargeError(who: string, excess: MessageExcess, limits: MessageLimits): PatchbayError {
  const size = {
    bytes: `of more than ${Math.round(limits.bytes / 1024 ** 2)} MB`,
    members: `with more than ${limits.members} members`,
    depth: `that is nested deeper than ${limits.depth} levels`,
  }[excess];
  const raise =
    excess === 'depth' ? '' : `, or raise "limits.${excess === 'bytes' ? 'messageBytes' : excess}" in its options`;
  return new PatchbayError('messageTooLarge', `${who} sent a message ${size}. Ask it for less at once${raise}.`);
}

/** @param line the response, of which the start is shown */
export function unreadableAnswerError(line: string): PatchbayError {
  const problem = 'The server sent an answer that is not JSON, so it cannot be read.';
  const advice = `Report it to the author of the server; its log has the line: ${truncateWithEllipsis(line, 200)}`;
  return new PatchbayError('invalidMessage', `${problem} ${advice}`);
}

/** Responses in the usual order of members: the id is near the start, or near the end. */
const answerHead =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"id"\s*:\s*"?(\d{1,15})"?\s*,\s*)?(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"result"\s*:/;
const answerTail = /[,}]\s*"id"\s*:\s*"?(\d{1,15})"?\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;
/** Characters at each end in which the id is searched. */
export const maximumIdSearchLength = 200;

/** Finds the id of a response that was not parsed, in its first and, where known, its last characters. */
export function findAnswerId(head: string, tail?: string): number | undefined {
  const found = answerHead.exec(head.slice(0, maximumIdSearchLength));
  if (found === null) return undefined;
  const digits =
    found[1] ?? (tail === undefined ? undefined : answerTail.exec(tail.slice(-maximumIdSearchLength))?.[1]);
  return digits === undefined ? undefined : Number(digits);
}
