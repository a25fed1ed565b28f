import { truncate } from './truncate.ts';

/** Characters that are looked at: more than any text of a failed start has. */
const maximumRead = 4_000;
/** A call of a stack trace, the place that stands above it, or the mark below a line of code. */
const traceLine = /^(?:at\s.*|(?:file:|node:|\/|[a-z]:\\)\S*:\d+|[\^~]+|)$/i;
/** What an error says, and lines that may: those before the others. */
const errorLines = [/^(?:Uncaught )?[\w.]*(?:Error|Exception)(?: \[\w+\])?: /, /error|exception|fatal|panic/i];

/** Of a text with many lines the last one that names an error, or the last one; empty where all of it is a stack trace. */
export function errorLine(text: string): string {
  return errorLineOf(tellingLines(text)) ?? '';
}

/** The lines of a text that are no stack trace. */
export function tellingLines(text: string): readonly string[] {
  return truncate(text, maximumRead)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !traceLine.test(line));
}

/** The last of these lines that names an error, or the last one. */
export function errorLineOf(lines: readonly string[]): string | undefined {
  const [found = lines.at(-1)] = errorLines.flatMap((pattern) => lines.findLast((line) => pattern.test(line)) ?? []);
  return found;
}
