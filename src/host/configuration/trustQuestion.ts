import { limits } from '../../base/limits.ts';
import { visibleText } from '../../base/visibleText.ts';
import { keepEnds } from '../../config/launchTarget.ts';
import { singleLine } from '../platform/displayText.ts';
import { type LaunchSubject, launchSummary, type LaunchSummary, type Section } from './launchSummary.ts';

export interface TrustQuestion {
  readonly message: string;
  /** All that runs or where it connects, with warnings first, if it fits into a dialog; otherwise a part of it. */
  readonly detail: string;
  readonly isWhole: boolean;
  readonly isRisky: boolean;
  /** The complete definition. */
  readonly text: string;
}

/** The question is asked again above the document, and would hide its first lines, which cannot be scrolled down. */
const belowQuestion = '\n'.repeat(5);

/**
 * The question before the first start of a new or changed definition. What runs code or sends data elsewhere is in the dialog,
 * the rest in the document. A dialog has no scrollbar: where not all of it fits, the document must be opened before.
 * @param reason why it is asked, where the person has not just asked for this start
 */
export function trustQuestion(subject: LaunchSubject, reason: readonly string[] = []): TrustQuestion {
  const message = questionMessage(subject);
  const summary = launchSummary(subject);
  const { details, isRisky } = summary;
  const first = [{ title: '', lines: reason }, ...firstSections(summary)];
  const whole = wholeDetail(first, summary);
  const isWhole = fits(whole);
  const text = belowQuestion + wrapped(`${message}\n\n${textOf([...first, ...details])}\n`);
  return { message, detail: isWhole ? whole : shortened(first, summary), isWhole, isRisky, text };
}

/** Whether a person sees all that matters of it at once. */
export function isShort(summary: LaunchSummary): boolean {
  return fits(wholeDetail(firstSections(summary), summary));
}

function wholeDetail(first: readonly Section[], { line, also, origin }: LaunchSummary): string {
  return textOf([...first, { title: '', lines: [line, ...also] }, { title: '', lines: [origin] }]);
}

function fits(text: string): boolean {
  return linesOf(text) <= limits.trustQuestion.lines;
}

function questionMessage({ label, view, changes }: LaunchSubject): string {
  // A label can be any text: a long one must not push the rest of the question away.
  const name = singleLine(visibleText(label), 60);
  const change =
    changes === undefined ? undefined : `The MCP server “${name}” has changed since you trusted it. Start it?`;
  const question = change ?? `Start the MCP server “${name}”?`;
  if (view.kind === 'stdio') return `${question} It will run a program on this machine.`;
  return `${question} It will connect to a ${view.socketPath === undefined ? 'server' : 'program on this machine'}.`;
}

function firstSections({ changes, warnings }: LaunchSummary): readonly Section[] {
  return [
    { title: 'What changed', lines: changes, isProse: true },
    { title: 'Before you start it', lines: warnings, isProse: true },
  ];
}

/** Both ends of what runs, and as many warnings as fit. */
function shortened(first: readonly Section[], { line, also, origin }: LaunchSummary): string {
  const { changes, warnings, columns } = limits.trustQuestion;
  const rooms = [changes, changes, warnings];
  const more = also.length === 0 ? [] : [`and ${also.length} more`];
  return textOf([
    ...first.map((section, index) => shortenSection(section, rooms[index] ?? 0)),
    { title: '', lines: [keepEnds(line, 3 * columns), ...more] },
    { title: '', lines: [cutLine(origin)] },
    { title: '', lines: ['Not everything fits here. Show the details before you start this server.'] },
  ]);
}

function shortenSection(section: Section, room: number): Section {
  const shown: string[] = [];
  let left = room;
  for (const line of section.lines.map(cutLine)) {
    left -= linesOf(line);
    if (left < 0) break;
    shown.push(line);
  }
  const missing = section.lines.length - shown.length;
  return { ...section, lines: missing === 0 ? shown : [...shown, `and ${missing} more`] };
}

function cutLine(text: string): string {
  return singleLine(text, limits.trustQuestion.lineLength);
}

function textOf(sections: readonly Section[]): string {
  return sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines, isProse = false }) => {
      const indent = isProse ? '• ' : '    ';
      return (title === '' ? lines : [`${title}:`, ...lines.map((line) => indent + line)]).join('\n');
    })
    .join('\n\n');
}

function linesOf(text: string): number {
  return text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / limits.trustQuestion.columns)), 0);
}

/** Wraps lines, because editors do not by default, and nothing may lie beyond the right edge. */
function wrapped(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.match(/.{1,64}$|.{1,63} |.{1,64}/gsu) ?? ['']).join(' ↩\n'))
    .join('\n');
}
