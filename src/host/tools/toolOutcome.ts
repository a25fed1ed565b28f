import { isCancellation, isPatchbayError, messageOf } from '../../base/errors.ts';
import { toJsonText } from '../../base/json.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { OutcomeView } from '../../shared/toolMessages.ts';
import { describeError } from '../platform/describeError.ts';
import { type ResultDocument, toResultView } from '../results/resultDocument.ts';

/** How a call ended, as its page shows it. `document` is the result, if there is one. */
export interface ShownOutcome {
  readonly view: OutcomeView;
  readonly document?: ResultDocument;
}

/** When a call was made and how long it took. */
export interface CallTimes {
  readonly at: number;
  /** Absent if nothing was sent. */
  readonly durationMs?: number;
  /** The call is one of the history. */
  readonly isPast?: boolean;
}

/** Characters of a server's error that are shown. */
const maximumMessage = 4_000;

/** The outcome of a call that gave a result. */
export function resultOutcome(document: ResultDocument, times: CallTimes): ShownOutcome {
  return { view: { ...times, kind: 'result', result: toResultView(document) }, document };
}

/** How a call failed: a call that was cancelled before it was sent was not allowed. */
export function failureKind(
  error: unknown,
  isCancelled: boolean,
  times: CallTimes,
): 'cancelled' | 'declined' | 'error' {
  if (isCancellation(error)) return isCancelled || times.durationMs !== undefined ? 'cancelled' : 'declined';
  return isPatchbayError(error) && error.code === 'declined' ? 'declined' : 'error';
}

/**
 * The outcome of a call that failed.
 * @param isCancelled the person pressed *Cancel*
 */
export function errorOutcome(error: unknown, isCancelled: boolean, times: CallTimes): ShownOutcome {
  switch (failureKind(error, isCancelled, times)) {
    case 'cancelled':
      return { view: { ...times, kind: 'cancelled' } };
    case 'declined': {
      const message = isCancellation(error) ? 'You did not allow the call. Nothing was sent.' : messageOf(error);
      return { view: { ...times, kind: 'declined', message } };
    }
    case 'error': {
      const message = truncateWithCount(describeError(error).message, maximumMessage);
      return { view: { ...times, kind: 'error', message, ...wordsOf(error) } };
    }
  }
}

function wordsOf(error: unknown): { readonly title: string; readonly detail?: string } {
  if (error instanceof JsonRpcError) {
    const { code, message, data } = error;
    const detail = { code, message, ...(data !== undefined && { data }) };
    return { title: `The server answered with error ${code}`, detail: toJsonText(detail, maximumMessage) };
  }
  if (isPatchbayError(error) && error.code === 'invalidArguments') return { title: 'The tool was not called' };
  return { title: 'The call failed' };
}
