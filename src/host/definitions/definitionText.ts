import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { writeJsonInPieces } from '../../base/jsonPreview.ts';
import { readableText, visibleText } from '../../base/visibleText.ts';
import { kindNames } from '../../client/definitions/definitionPins.ts';
import type { DefinitionChange } from '../../client/definitions/definitionSnapshot.ts';
import type { ChangedDefinition } from '../../client/definitions/ports.ts';
import type { UseOrigin } from '../../client/useDispatcher.ts';
import { countOf, singleLine } from '../platform/displayText.ts';

/** Lines for one member, so that no member pushes the others away. */
const linesOfMember = 3;

export function definitionQuestion(changed: ChangedDefinition, origin: UseOrigin) {
  const paragraphs = [
    origin === 'extension' ? 'Another extension wants to use it.' : '',
    ['What changed:', ...changeLines(changed).map((line) => `    ${line}`)].join('\n'),
    'Nothing has been sent to the server. Show the difference before you use it.',
  ];
  return {
    message: `The ${describeDefinition(changed)} has changed since you last used it.`,
    detail: paragraphs.filter((text) => text !== '').join('\n\n'),
  };
}

/** `tool “add” of “demo”`. Uses the name, because the title may have changed. */
export function describeDefinition({ server, kind, key }: ChangedDefinition): string {
  return `${kindNames[kind]} “${shown(key)}” of “${shown(server)}”`;
}

function shown(text: string): string {
  return singleLine(visibleText(text), 60);
}

/** The changes, one line each, with visible hidden characters. */
export function changeLines({ before, after, difference }: ChangedDefinition): readonly string[] {
  if (after === '[]') return ['The server no longer lists it.'];
  if (before === undefined) return ['The earlier definition is no longer known or was too long to keep.'];
  const members = new Map<string, DefinitionChange[]>();
  for (const change of difference.changes) {
    const member = change.path.split(/[.[]/, 1)[0] ?? '';
    members.set(member, [...(members.get(member) ?? []), change]);
  }
  const lines = [...members.values()].flatMap((changes) => {
    const more = changes.length - linesOfMember;
    const rest = more > 0 ? [`${changes[0]?.path.split('.', 1)[0]}: ${countOf(more, 'more change')}`] : [];
    return [...changes.slice(0, linesOfMember).map(lineOf), ...rest];
  });
  if (difference.isCut) return [...lines, 'There are more differences than could be compared.'];
  return lines.length === 0 ? ['The order of its parts.'] : lines;
}

function lineOf({ path, before, after }: DefinitionChange): string {
  const label = path === '' ? 'Everything' : visibleText(path).slice(0, 200);
  if (before === undefined) return `${label} added: ${toOneLine(after)}`;
  if (after === undefined) return `${label} removed: ${toOneLine(before)}`;
  return `${label}: ${toOneLine(before)} → ${toOneLine(after)}`;
}

function toOneLine(text = ''): string {
  return readableText(text.replace(/\r?\n/g, ' ⏎ '));
}

/** A definition as a document for comparison: texts as they are, other values as JSON. @param text of a snapshot */
export function definitionDocument(text: string | undefined): string {
  if (text === undefined) return 'No longer known, or too long to keep.\n';
  const definitions: unknown = JSON.parse(text);
  if (!Array.isArray(definitions) || definitions.length === 0) return 'Not listed by the server.\n';
  const document = definitions.filter(isRecord).map(describe).join('\n\n');
  const lines = readableText(truncateWithCount(document, limits.shown.document)).split('\n');
  return `${lines.map(wrapLine).join('\n')}\n`;
}

const firstMembers = ['name', 'uri', 'uriTemplate', 'title', 'description'];

function describe(definition: UnknownRecord): string {
  const members = [...new Set([...firstMembers, ...Object.keys(definition)])].filter((member) => member in definition);
  const sections = members.map((member) => {
    const value = definition[member];
    return `${member}:\n${isString(value) ? value : [...writeJsonInPieces(value)].join('')}`;
  });
  return sections.join('\n\n');
}

/** The columns of a line: two documents side by side in a small window show no more. */
const columns = 44;
/** A line of at most that many characters, cut at a space if there is one. */
const longLine = /.{1,44}(?: |$)|.{44}/gu;

function wrapLine(line: string): string {
  return line.length <= columns ? line : line.replace(longLine, '$&\n').trimEnd();
}
