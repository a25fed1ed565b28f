import { applyEdits } from 'jsonc-parser';
import type { ConfigurationFix, ConfigurationProblem, PropertyPath } from './configurationProblem.ts';
import { type InputDefinition, inputIds } from './inputs.ts';
import { indentationAt, nodeAt, parseJsonDocument, propertyOf } from './jsonDocument.ts';
import {
  appendMember,
  lastMember,
  layoutOf,
  modifyEdits,
  moveIntoEdits,
  moveOutEdits,
  type TextEdit,
} from './memberEdits.ts';
import { listToObjectEdits } from './pairLists.ts';
import { splitCommandLine } from './splitCommandLine.ts';
import { isString } from '../base/json.ts';
import { type FileKind, findServerSection, limitsOf } from './serverSection.ts';
import { digitsAt } from '../base/exactIntegers.ts';
import { limits } from '../base/limits.ts';

/**
 * Creates the edits that add a server to the section that is read. Everything else stays: comments, order, indentation, line
 * ends. An existing entry of that label is replaced. An empty text becomes a complete file.
 * @returns no edits where the section or the file is no object
 */
export function addServerEdits(text: string, kind: FileKind, label: string, entry: object): TextEdit[] {
  const { root, problems } = parseJsonDocument(text, limitsOf(kind));
  if (isUnread(problems) || (root !== undefined && root.type !== 'object')) return [];
  const { path } = findServerSection(root, kind);
  const section = nodeAt(root, path);
  // Nothing can be added to `null`.
  if (section?.type === 'null') return setValue(text, path, { [label]: entry });
  if (section !== undefined && section.type !== 'object') return [];
  return setValue(text, [...path, label], entry);
}

/** @returns the edits that add an input; none if one with that id exists, or the inputs are not a list, or the file no object */
export function addInputEdits(text: string, kind: FileKind, input: InputDefinition): TextEdit[] {
  const { root, problems } = parseJsonDocument(text, limitsOf(kind));
  return isUnread(problems) ? [] : insertInput(text, findServerSection(root, kind).inputsPath, input);
}

/** True for a file with content that was not parsed, and must not be replaced. */
function isUnread(problems: readonly ConfigurationProblem[]): boolean {
  return problems.some(({ code }) => code === 'tooLarge');
}

/** Of any kind of file: its own limits were applied before. */
function parseAny(text: string): ReturnType<typeof parseJsonDocument> {
  return parseJsonDocument(text, limits.import);
}

function insertInput(text: string, path: PropertyPath, input: InputDefinition): TextEdit[] {
  const { root } = parseAny(text);
  if (root !== undefined && root.type !== 'object') return [];
  const inputs = nodeAt(root, path);
  if (inputs?.type === 'null') return setValue(text, path, [input]);
  if (inputs !== undefined && inputs.type !== 'array') return [];
  const items = inputs?.items ?? [];
  if (inputIds(inputs).has(input.id)) return [];
  return setValue(text, [...path, items.length], input, true);
}

/** @returns the edits of a quick fix; none if the text has changed so that the fix no longer applies */
export function editsForFix(text: string, fix: ConfigurationFix): TextEdit[] {
  switch (fix.kind) {
    case 'replaceText':
      return [{ ...fix.range, text: fix.text }];
    case 'listToObject':
      return listToObjectEdits(text, fix.range, limits.import);
    case 'addProperty':
      return setValue(text, fix.path, fix.value);
    case 'addInput':
      return insertInput(text, fix.path, newInput(fix.id));
    case 'splitCommand':
      return splitCommandEdits(text, fix.path);
    case 'moveOut':
      return moveOutEdits(text, parseAny(text).root, fix.path);
    case 'moveInto':
      return moveIntoEdits(text, parseAny(text).root, fix.path, fix.into);
  }
}

function splitCommandEdits(text: string, path: PropertyPath): TextEdit[] {
  const { root } = parseAny(text);
  const command = nodeAt(root, [...path, 'command']);
  const args = nodeAt(root, [...path, 'args']);
  if (!isString(command?.value)) return [];
  const [program, ...words] = splitCommandLine(command.value);
  const name = { ...command.range, text: JSON.stringify(program) };
  if (args !== undefined) {
    const own = isString(args.value)
      ? splitCommandLine(args.value)
      : args.items.map(({ value, written }) => written ?? value);
    return [name, { ...args.range, text: formatJson([...words, ...own], '') }];
  }
  const { offset } = command.range;
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const gap = /^\s*"command"\s*:\s*$/.test(line) ? layoutOf(text).eol + indentationAt(text, offset) : ' ';
  return [{ ...name, text: `${name.text},${gap}"args": ${formatJson(words, '')}` }];
}

/** A password prompt is the safe default, since most inputs are keys. */
function newInput(id: string): InputDefinition {
  return { type: 'promptString', id, description: `Value for ${id}`, default: undefined, password: true };
}

export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  return applyEdits(
    text,
    edits.map(({ offset, length, text: content }) => ({ offset, length, content })),
  );
}

/** @returns the edits that set a member, or insert an item; a text without JSON becomes a whole file */
export function setValue(text: string, path: PropertyPath, value: unknown, isArrayInsertion = false): TextEdit[] {
  const { root, problems } = parseAny(text);
  if (isUnread(problems)) return [];
  if (root === undefined) return [{ offset: 0, length: text.length, text: wholeFile(text, path, value) }];
  const container = nodeAt(root, path.slice(0, -1));
  const key = path.at(-1);
  const exists = container !== undefined && typeof key === 'string' && propertyOf(container, key) !== undefined;
  const last = container === undefined || exists ? undefined : lastMember(text, container);
  if (last !== undefined && key !== undefined) {
    const { eol, unit } = layoutOf(text);
    const prefix = typeof key === 'string' ? `${JSON.stringify(key)}: ` : '';
    return appendMember(text, last, (indent) => prefix + formatJson(value, unit, indent).replaceAll('\n', eol));
  }
  return modifyEdits(text, path, value, isArrayInsertion);
}

/** For a text without JSON; its comments stay at the top. */
function wholeFile(text: string, path: PropertyPath, value: unknown): string {
  const nested = path
    .toReversed()
    .reduce((inner: unknown, segment) => (typeof segment === 'number' ? [inner] : { [segment]: inner }), value);
  const comments = text.trim();
  return `${comments === '' ? '' : `${comments}\n`}${formatJson(nested, '  ')}\n`;
}

const lineWidth = 100;

/**
 * Formats JSON like people write it: one line for each member, a short list of scalars on one line.
 * @param unit one level of indentation
 * @param indent the indentation of the line that the value starts on
 */
export function formatJson(value: unknown, unit: string, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = indent + unit;
  const parts = Array.isArray(value)
    ? value.map((item: unknown, index) => digitsAt(value, index) ?? formatJson(item, unit, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => `${JSON.stringify(key)}: ${digitsAt(value, key) ?? formatJson(member, unit, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  const line = `${open}${parts.join(', ')}${close}`;
  const isPlain = Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
  if (isPlain && inner.length + line.length <= lineWidth) return line;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}
