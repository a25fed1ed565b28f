import { PatchbayError } from '../base/errors.ts';
import type { JsonExcess } from '../base/jsonScan.ts';
import type { MessageLimits } from '../base/limits.ts';

/** The limit a message is beyond. */
export type MessageExcess = 'bytes' | JsonExcess;

/** A message is beyond a limit, and was not read. */
export class MessageTooLarge extends Error {
  override readonly name = 'MessageTooLarge';
  readonly excess: MessageExcess;

  constructor(excess: MessageExcess) {
    super(`A message is beyond its limit of ${excess}.`);
    this.excess = excess;
  }
}

/** @param who completes "… sent a message …" */
export function tooLargeProblem(who: string, excess: MessageExcess, limits: MessageLimits): PatchbayError {
  const option = excess === 'bytes' ? 'messageBytes' : excess;
  return new PatchbayError(
    'messageTooLarge',
    `${who} sent a message ${describeExcess(excess, limits)}. Ask it for less at once, or raise "limits.${option}" in its options.`,
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

/** In the order servers write it, and with little before it: the id stands first, or else last. */
const answerHead =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"id"\s*:\s*(\d{1,15})\s*,\s*)?(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"result"\s*:/;
const answerTail = /[,}]\s*"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;
/** Characters at either end in which an id is looked for. */
export const answerEdge = 200;

/**
 * Looks for the request that an answer is for, when the answer itself was not read.
 * @param head how it begins
 * @param tail how it ends, where that is known
 */
export function findAnswerId(head: string, tail?: string): number | undefined {
  const found = answerHead.exec(head.slice(0, answerEdge));
  if (found === null) return undefined;
  const digits = found[1] ?? (tail === undefined ? undefined : answerTail.exec(tail.slice(-answerEdge))?.[1]);
  return digits === undefined ? undefined : Number(digits);
}
