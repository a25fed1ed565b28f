import { Location, type TestItem, TestMessage, type TestRun, Uri } from 'vscode';
import { limits } from '../../base/limits.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { readableText } from '../../base/visibleText.ts';
import type { CheckFailure, CheckResult } from '../../workshop/checks/checkResult.ts';
import { verdictWords } from '../../workshop/checks/summarise.ts';
import { singleLine } from '../platform/displayText.ts';
import { itemLabel, lineRange } from './testItems.ts';

/** Gives an item the verdict of its check, with the words that say why and the link to its rule. */
export function report(run: TestRun, item: TestItem, result: CheckResult): void {
  const { verdict, durationMs, message, references, place } = result;
  const links = references.map(({ title, url }) => `${title}: ${url}`);
  const text = shown([message ?? result.title, ...links].join('\n\n'));
  const location = place && new Location(Uri.file(place.path), lineRange(place.line));
  if (verdict === 'failed') {
    const failure = new TestMessage(text);
    if (location !== undefined) failure.location = location;
    item.description = '';
    run.failed(item, result.failures === undefined ? failure : failuresOf(result.failures, place), durationMs);
    return;
  }
  const words = verdict === 'passed' ? '' : verdictWords[verdict];
  const about = message === undefined ? '' : singleLine(message, 120);
  item.description = itemLabel([words, about].filter(Boolean).join(': '));
  if (verdict !== 'passed')
    run.appendOutput(`${item.label}: ${words}\n${text}\n\n`.replaceAll('\n', '\r\n'), location, item);
  if (verdict === 'nothingToCheck' || verdict === 'notRun') run.skipped(item);
  else run.passed(item, durationMs);
}

/** One message each, where there are both sides as a difference. */
function failuresOf(failures: readonly CheckFailure[], place: CheckResult['place']): TestMessage[] {
  return failures.map(({ message, line, expected, actual }) => {
    const isCompared = expected !== undefined && actual !== undefined;
    const made = isCompared
      ? TestMessage.diff(shown(message), readableText(expected), readableText(actual))
      : new TestMessage(shown(message));
    if (place !== undefined) made.location = new Location(Uri.file(place.path), lineRange(line ?? place.line));
    return made;
  });
}

export function shown(text: string): string {
  return readableText(truncateWithEllipsis(text, limits.shown.tooltip));
}
