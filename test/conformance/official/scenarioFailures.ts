import { isRecord } from '../../../src/base/json.ts';
import type { Check } from './suite.ts';

/**
 * Why a scenario has not passed, a line for each reason; empty when it has. Stricter than the suite, for which a client
 * that does nothing passes some scenarios: at least one check has to succeed, and a warning is a failure.
 */
export function failuresOf(checks: readonly Check[] = []): string[] {
  const bad = checks.filter((check) => ['FAILURE', 'WARNING'].includes(check.status) && !isOnlyLate(check));
  return [
    ...bad.map(({ status, id, description, errorMessage = description }) => `${status} ${id}: ${errorMessage}`),
    ...(checks.some(({ status }) => status === 'SUCCESS') ? [] : ['No check succeeded.']),
  ];
}

/**
 * 0.1.16 also fails a reconnection that is 0.2 s later than requested. This measures the
 * machine: later releases check for early ones only, and our tests with a manual clock for both.
 */
function isOnlyLate({ id, details }: Check): boolean {
  return id === 'client-sse-retry-timing' && isRecord(details) && details['tooEarly'] === false;
}

/** The end of the output of a run, without the summary that {@link failuresOf} gives and without stack traces. */
export function endOfOutput(output: string): readonly string[] {
  const [said = output] = /Client (exited|timed out)[^]*?(?=\nResults saved)/.exec(output) ?? [];
  return said
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
    .slice(-12);
}
