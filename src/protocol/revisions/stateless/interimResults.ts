import { linkAbort } from '../../../base/abort.ts';
import type { Clock } from '../../../base/clock.ts';
import { type Disposable, toDisposable } from '../../../base/disposable.ts';
import { PatchbayError } from '../../../base/errors.ts';
import { isRecord, isString, type UnknownRecord } from '../../../base/json.ts';
import { createPausableClock } from '../../../base/pausableClock.ts';
import { invalidResult } from '../../mcp/base.ts';

/** A request with an interim result so far. */
export interface OpenCall {
  readonly method: string;
  /** Sends the request again with `more` added to its parameters. @returns the raw result */
  readonly resend: (more: UnknownRecord, signal: AbortSignal) => Promise<unknown>;
}

/** What a step can use. */
export interface StepContext {
  /** Aborted when the call ends. */
  readonly signal: AbortSignal;
  /** The user is asked: until disposed, the time limit of the call pauses. */
  readonly waitForPerson: () => Disposable;
}

/** The result after one step. */
export interface StepOutcome {
  /** The raw result, which may be interim again. */
  readonly result: unknown;
  /** Counts towards the maximum of steps: true for steps without a user. */
  readonly isCounted: boolean;
}

/** Continues a call after an interim result. Created for each call, so it can keep state. */
export type InterimStep = (result: UnknownRecord, call: OpenCall, context: StepContext) => Promise<StepOutcome>;

/** The limits of a call. */
export interface CallLimits {
  readonly signals: readonly (AbortSignal | undefined)[];
  /** Maximum milliseconds after the first interim result, without the time in which a user is asked. */
  readonly maximumMs: number;
  readonly clock: Clock;
}

/** Methods with a task as result; examples of the tasks extension show it for `tasks/get` too. */
const taskMethods = new Set(['tools/call', 'tasks/get']);

/** Maximum counted steps; a server with more will probably never complete the call. */
const maximumSteps = 100;

/**
 * True for a final result; for a call that became a task, that is the task. Servers of older drafts have no `resultType`
 * (2026-07-28, Basic, "Result Type").
 */
export function isComplete(method: string, result: unknown): boolean {
  if (!isRecord(result)) return true;
  const type = result['resultType'];
  return type === undefined || type === 'complete' || (type === 'task' && taskMethods.has(method));
}

/**
 * Continues a call until its result is complete.
 * @param steps by `resultType`: creates the step for this call
 * @throws {PatchbayError} `invalidMessage` for an unknown result type or too many steps, `timeout`; or an error of a step
 */
export async function completeCall(
  first: unknown,
  call: OpenCall,
  steps: ReadonlyMap<string, () => InterimStep>,
  { signals, maximumMs, clock }: CallLimits,
): Promise<unknown> {
  const patience = linkAbort(...signals);
  const time = createPausableClock(clock);
  const timer = time.after(maximumMs, () => patience.abort(tookTooLong(call.method, maximumMs)));
  const begun = new Map<string, InterimStep>();
  const stepFor = (type: unknown): InterimStep => {
    const create = isString(type) ? steps.get(type) : undefined;
    if (!isString(type) || create === undefined)
      throw invalidResult(`its type ${JSON.stringify(type).slice(0, 60)} is not known`);
    const step = begun.get(type) ?? create();
    begun.set(type, step);
    return step;
  };
  let persons = 0;
  const waitForPerson = (): Disposable => {
    persons += 1;
    time.pause();
    return toDisposable(() => {
      persons -= 1;
      if (persons === 0) time.resume();
    });
  };
  try {
    let result = first;
    for (let taken = 0; isRecord(result) && !isComplete(call.method, result);) {
      const step = stepFor(result['resultType']);
      if (taken === maximumSteps) throw invalidResult(`${call.method} is not complete after ${maximumSteps} rounds`);
      const outcome = await step(result, call, { signal: patience.signal, waitForPerson });
      result = outcome.result;
      if (outcome.isCounted) taken += 1;
    }
    return result;
  } finally {
    timer.dispose();
    patience.dispose();
  }
}

function tookTooLong(method: string, milliseconds: number): PatchbayError {
  const seconds = Math.round(milliseconds / 1_000);
  return new PatchbayError(
    'timeout',
    `${method} was not complete within ${seconds} s, what the server asked for included.`,
  );
}
