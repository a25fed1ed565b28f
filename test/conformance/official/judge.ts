import type { Check } from './suite.ts';

/**
 * Why a scenario has not passed, a line for each reason; empty when it has. Stricter than the suite, for which a client
 * that does nothing passes some scenarios: at least one check has to succeed, and a warning is a failure.
 */
export function complaintsAbout(checks: readonly Check[] = []): string[] {
  const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  return [
    ...bad.map(({ status, id, description, errorMessage = description }) => `${status} ${id}: ${errorMessage}`),
    ...(checks.some(({ status }) => status === 'SUCCESS') ? [] : ['No check succeeded.']),
  ];
}

/** The end of what a run printed, without the summary that {@link complaintsAbout} gives and without stack traces. */
export function lastWords(output: string): readonly string[] {
  const [said = output] = /Client (exited|timed out)[^]*?(?=\nResults saved)/.exec(output) ?? [];
  return said
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
    .slice(-12);
}
