import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isString, type JsonObject } from '../../base/json.ts';
import { textDifference } from '../../base/textDifference.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import type { TextRange } from '../../config/configuredServer.ts';
import { applyTextEdits, setValue } from '../../config/editConfiguration.ts';
import { type JsonNode, nodeAt, parseJsonDocument, propertyOf } from '../../config/jsonDocument.ts';
import { modifyEdits, type TextEdit } from '../../config/memberEdits.ts';

/** What names a saved call; no two calls of one file have the same. */
export interface SavedCallKey {
  readonly server: string;
  readonly tool: string;
  readonly name: string;
}

export interface SavedCall extends SavedCallKey {
  readonly arguments: JsonObject;
  readonly description?: string | undefined;
}

export interface ParsedCall extends SavedCall {
  readonly index: number;
  readonly range: TextRange;
}

/** Something in the file that is not used; `range` is where. */
export interface SavedCallProblem {
  readonly message: string;
  readonly range: TextRange | undefined;
}

/** The file may be anyone's. `name` and `description` are characters. */
export const savedCallLimits = {
  bytes: 1024 * 1024,
  depth: 64,
  members: 20_000,
  calls: 1_000,
  name: 100,
  description: 1_000,
  problems: 20,
} as const;

const example = '{ "calls": [ { "name": "…", "server": "…", "tool": "…", "arguments": { … } } ] }';

/**
 * Reads a file. Never throws: valid calls are used, others are reported in whole sentences. Of calls with the same name, the first is used.
 * @returns `isBroken`: it is not JSON, or too large: what was read is not all, and it must not be edited
 */
export function parseSavedCalls(text: string) {
  const { root, problems } = parseJsonDocument(text, savedCallLimits);
  const found: SavedCallProblem[] = problems.map(({ code, message, range }) => ({
    message: code === 'tooLarge' ? tooLargeMessage : message,
    range,
  }));
  const isBroken = found.length > 0;
  const calls = root === undefined ? [] : readCalls(root, found);
  return { root, calls, problems: found.slice(0, savedCallLimits.problems), isBroken };
}

const tooLargeMessage = `It is larger than 1 MB, nested more than ${savedCallLimits.depth} levels deep, or has more than ${savedCallLimits.members} names and list items. None of it is used.`;

/** @param problems those that are found are added */
function readCalls(root: JsonNode, problems: SavedCallProblem[]): readonly ParsedCall[] {
  const list = propertyOf(root, 'calls')?.value;
  if (!hasShape(root)) {
    problems.push({ message: `The file must look like this: ${example}.`, range: root.range });
    return [];
  }
  const items = list?.items ?? [];
  if (items.length > savedCallLimits.calls)
    problems.push({ message: `Only the first ${savedCallLimits.calls} calls are used.`, range: list?.range });
  const calls = new Map<string, ParsedCall>();
  for (const [index, item] of items.slice(0, savedCallLimits.calls).entries()) {
    const call = readCall(item, index);
    if (isString(call)) problems.push({ message: call, range: item.range });
    else if (calls.has(keyOf(call))) {
      const message = `Another call “${call.name}” of this tool comes first. This one is not used.`;
      problems.push({ message, range: item.range });
    } else calls.set(keyOf(call), call);
  }
  return [...calls.values()];
}

/** @returns the call, or its problem */
function readCall(item: JsonNode, index: number): ParsedCall | string {
  const member = (key: string): JsonNode | undefined => propertyOf(item, key)?.value;
  const [name, server, tool] = ['name', 'server', 'tool'].map((key) => {
    const value = member(key)?.value;
    return isString(value) && value.trim() !== '' ? value : undefined;
  });
  if (name === undefined || server === undefined || tool === undefined)
    return 'A call needs a "name", a "server" and a "tool", which are texts.';
  if (name.length > savedCallLimits.name) return `A name has at most ${savedCallLimits.name} characters.`;
  const args = member('arguments')?.value ?? {};
  if (!isRecord(args)) return '"arguments" must be an object.';
  const description = member('description')?.value;
  return {
    name,
    server,
    tool,
    arguments: args as JsonObject,
    ...(isString(description) && { description: truncateWithEllipsis(description, savedCallLimits.description) }),
    index,
    range: item.range,
  };
}

function hasShape(root: JsonNode): boolean {
  const list = propertyOf(root, 'calls')?.value;
  return root.type === 'object' && (list === undefined || list.type === 'array');
}

export function keyOf({ server, tool, name }: SavedCallKey): string {
  return JSON.stringify([server, tool, name]);
}

/**
 * Creates the edits that save a call. Everything else stays: comments, order, indentation, line ends. Of an earlier call of
 * that name only the arguments are replaced.
 * @throws {PatchbayError} `configuration` for a file that cannot be read whole, or would become too large
 */
export function saveCallEdits(
  text: string,
  call: SavedCallKey & { readonly arguments: JsonObject },
): readonly TextEdit[] {
  const { root, calls, index } = requireWhole(text, call);
  const count = nodeAt(root, ['calls'])?.items.length ?? 0;
  const edits =
    index === undefined
      ? setValue(text, ['calls', count], call, true)
      : setValue(text, ['calls', index, 'arguments'], call.arguments);
  const after = applyTextEdits(text, edits);
  const expected = index === undefined ? calls.length + 1 : calls.length;
  const written = parseSavedCalls(after);
  if (written.isBroken || written.calls.length !== expected) throw unusable('would become too large or too deep');
  const { start, end, text: inserted } = textDifference(text, after);
  return [{ offset: start, length: end - start, text: inserted }];
}

/** The edits that remove a call; none if it is not there. @throws {PatchbayError} see {@link saveCallEdits} */
export function deleteCallEdits(text: string, key: SavedCallKey): readonly TextEdit[] {
  const { index } = requireWhole(text, key);
  return index === undefined ? [] : modifyEdits(text, ['calls', index], undefined);
}

/** The edits that give the calls of a server to another one. @throws {PatchbayError} see {@link saveCallEdits} */
export function moveCallsEdits(text: string, server: string, to: string): readonly TextEdit[] {
  const { root, calls } = readWhole(text);
  return calls.flatMap((call) => {
    const range = call.server === server ? nodeAt(root, ['calls', call.index, 'server'])?.range : undefined;
    return range === undefined ? [] : [{ ...range, text: JSON.stringify(to) }];
  });
}

function requireWhole(text: string, key: SavedCallKey) {
  const { root, calls } = readWhole(text);
  return { root, calls, index: calls.find((call) => keyOf(call) === keyOf(key))?.index };
}

function readWhole(text: string) {
  const { root, calls, isBroken } = parseSavedCalls(text);
  if (isBroken) throw unusable('is not valid JSON, or too large');
  if (root !== undefined && !hasShape(root)) throw unusable(`does not look like ${example}`);
  return { root, calls };
}

function unusable(fault: string): PatchbayError {
  const message = `.vscode/mcp-calls.json ${fault}. Nothing was changed. Fix it first.`;
  return new PatchbayError('configuration', message);
}
