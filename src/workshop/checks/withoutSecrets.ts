import { limits } from '../../base/limits.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import type { CheckResult } from './checkResult.ts';

/** A result for a report or a window: names and titles may hold a secret that the server was started with, as messages may. */
export function withoutSecrets(result: CheckResult, redactor: Pick<Redactor, 'text'>): CheckResult {
  const { title, subject, message, failures } = result;
  const hidden = (text: string): string => redactor.text(text, limits.shown.text);
  return {
    ...result,
    title: hidden(title),
    subject: subject.name === undefined ? subject : { ...subject, name: hidden(subject.name) },
    ...(message !== undefined && { message: hidden(message) }),
    ...(failures !== undefined && {
      failures: failures.map(({ message: what, expected, actual, ...place }) => ({
        ...place,
        message: hidden(what),
        ...(expected !== undefined && { expected: hidden(expected) }),
        ...(actual !== undefined && { actual: hidden(actual) }),
      })),
    }),
  };
}
