import { PatchbayError } from '../base/errors.ts';
import type { ExceededJsonLimit } from '../base/jsonScanner.ts';
import type { MessageLimits } from '../base/limits.ts';

export type MessageExcess = 'bytes' | ExceededJsonLimit;

/** A message exceeds a limit and was not read. */
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
  const raise =
    excess === 'depth' ? '' : `, or raise "limits.${excess === 'bytes' ? 'messageBytes' : excess}" in its options`;
  return new PatchbayError(
    'messageTooLarge',
    `${who} sent a message ${describeExcess(excess, limits)}. Ask it for less at once${raise}.`,
  );
}

/** Completes "a message …". */
function describeExcess(excess: MessageExcess, { bytes, members, depth }: MessageLimits): string {
  switch (excess) {
    case 'bytes':
      return `of more than ${Math.round(bytes / 1024 ** 2)} MB`;
    case 'members':
      return `with more than ${members} members`;
    case 'depth':
      return `that is nested deeper than ${depth} levels`;
  }
}

/** Responses in the usual order of members: the id is near the start, or near the end. */
const answerHead =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"id"\s*:\s*(\d{1,15})\s*,\s*)?(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"result"\s*:/;
const answerTail = /[,}]\s*"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;
/** Characters at each end in which the id is searched. */
export const maximumIdSearchLength = 200;

/**
 * Finds the request id of a response that was not parsed.
 * @param head its first characters
 * @param tail its last characters, where known
 * @returns `undefined` where there is none
 */
export function findAnswerId(head: string, tail?: string): number | undefined {
  const found = answerHead.exec(head.slice(0, maximumIdSearchLength));
  if (found === null) return undefined;
  const digits =
    found[1] ?? (tail === undefined ? undefined : answerTail.exec(tail.slice(-maximumIdSearchLength))?.[1]);
  return digits === undefined ? undefined : Number(digits);
}
