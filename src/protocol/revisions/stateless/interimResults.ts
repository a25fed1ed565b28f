import { linkAbort } from '../../../base/abort.ts';
import type { Clock } from '../../../base/clock.ts';
import { type Disposable, toDisposable } from '../../../base/disposable.ts';
import { PatchbayError } from '../../../base/errors.ts';
import { isRecord, isString, type UnknownRecord } from '../../../base/json.ts';
import { createPausableClock } from '../../../base/pausableClock.ts';
import { invalidResult } from '../../mcp/base.ts';

/** A request whose answer so far is not the last word. */
export interface OpenCall {
  readonly method: string;
  /** Sends the request once more, as a new one, with `more` beside its parameters. @returns the raw result */
  readonly resend: (more: UnknownRecord, signal: AbortSignal) => Promise<unknown>;
}

/** What a step may use. */
export interface StepContext {
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  /** Says that a person is at it: until disposed no time passes for the call. */
  readonly waitForPerson: () => Disposable;
}

export interface StepOutcome {
  /** Raw, and maybe interim again. */
  readonly result: unknown;
  /** Only so many such steps are taken: nothing else would end them. */
  readonly isCounted: boolean;
}

/** Takes one step on from an interim result. Each call has a step of its own, which may remember what it did for it. */
export type InterimStep = (result: UnknownRecord, call: OpenCall, context: StepContext) => Promise<StepOutcome>;

/** What ends a call early. */
export interface CallLimits {
  readonly signals: readonly (AbortSignal | undefined)[];
  /** Milliseconds from the first interim result on, without those a person takes. */
  readonly maximumMs: number;
  readonly clock: Clock;
}

/** What is answered with a task; examples in the extension's text show it for `tasks/get` too. */
const taskMethods = new Set(['tools/call', 'tasks/get']);

/** More counted steps than this are taken for a server that will never be done. */
const maximumSteps = 100;

/**
 * True for the last word a request gets: for a call that has become a task that is the task. A server of an older draft
 * does not say so (2026-07-28, "Result Type").
 */
export function isComplete(method: string, result: unknown): boolean {
  if (!isRecord(result)) return true;
  const type = result['resultType'];
  return type === undefined || type === 'complete' || (type === 'task' && taskMethods.has(method));
}

/**
 * Goes from an interim result to the last one.
 * @param steps what is known here, by `resultType`: each makes the step of this call
 * @throws {PatchbayError} `invalidMessage` for an unknown type of result or too many of them, `timeout`; what a step throws
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
