import { type ExactValue, isRecord, toJsonText } from '../../base/json.ts';
import { truncate, truncateWithEllipsis } from '../../base/truncate.ts';
import { readableText } from '../../base/visibleText.ts';
import { element, exactText, fill, linkButton, markedText } from '../dom.ts';

const valueLength = 60;
/** A longer text is folded. */
const foldedLength = 280;
const foldedLines = 4;
const longestText = 20_000;

/** A value in one short line. */
export function shownValue(value: ExactValue): string {
  // A little more than is shown, so that the cut is made once.
  return readableText(truncateWithEllipsis(toJsonText(value, valueLength * 2).replaceAll('\n', ' '), valueLength));
}

/** What the first members of a value say, for the header of a closed part. */
export function previewOf(value: ExactValue | undefined): string {
  if (!isRecord(value)) return value === undefined ? '' : shownValue(value);
  const parts = Object.entries(value)
    .slice(0, 3)
    .map(([key, member]) => `${truncate(key, 20)}: ${toJsonText(member, valueLength)}`);
  return readableText(truncateWithEllipsis(parts.join(', ').replaceAll('\n', ' '), valueLength));
}

/** A text of a server about a field. A long one is cut, with a button that shows the rest. */
export function foldedText(text: string): HTMLElement {
  const whole = truncateWithEllipsis(text.trim(), longestText);
  const start = startOf(whole);
  const shown = exactText(start);
  let isWhole = false;
  const more = linkButton(() => {
    isWhole = !isWhole;
    fill(shown, markedText(isWhole ? whole : start));
    more.textContent = isWhole ? 'Show less' : 'Show more';
    more.ariaExpanded = String(isWhole);
  }, 'Show more');
  more.ariaExpanded = 'false';
  return element('div', { class: 'hint form-about' }, shown, start !== whole && more);
}

function startOf(text: string): string {
  const lines = text.split('\n', foldedLines + 1);
  const start = lines.length > foldedLines ? lines.slice(0, foldedLines).join('\n') : text;
  // A few characters more are better than a button for them.
  const isShort = start.length <= foldedLength + 40;
  if (isShort) return start === text ? text : `${start}…`;
  return truncateWithEllipsis(start, foldedLength);
}
