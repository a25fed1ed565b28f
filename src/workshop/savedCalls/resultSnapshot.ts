import { canonicalJson, sha256 } from '../../base/digest.ts';
import { copyDigits, parseExactly, stringifyExactly } from '../../base/exactIntegers.ts';
import { isRecord } from '../../base/json.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { type ManySteps, replacedAt } from './jsonQuery.ts';
import type { SavedCallTest } from './savedCallTests.ts';

/** Characters of a snapshot, and levels in it. */
export const snapshotLimits = { characters: 1024 * 1024, depth: 200 };

/** The folder of snapshots, from the folder of the workspace. */
export const snapshotFolder = '.vscode/mcp-snapshots';

/** @returns the path of the snapshot of a test, from the folder of the workspace; never outside of {@link snapshotFolder} */
export async function snapshotPath({ id, expect: { snapshot }, ...test }: SavedCallTest): Promise<string> {
  if (typeof snapshot === 'string') return `${snapshotFolder}/${snapshot}`;
  const names = [test.tool, test.call, ...(test.case === undefined ? [] : [test.case])];
  const readable = names.map((name) => name.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 40)).join('--');
  // The names alone may be the same for two calls, as in letters that differ in case only.
  return `${snapshotFolder}/call-${readable}-${(await sha256(id)).slice(0, 8)}.json`;
}

/**
 * Writes a result as a snapshot: keys sorted, secrets hidden, bytes as their digest, without `_meta` and hints for display.
 * @param ignored places of values that are left out, see {@link withoutIgnored}
 * @returns why there can be none, as a full sentence, or the text
 */
export async function toSnapshot(
  { structuredContent, content, isError }: CallToolResult,
  redactor: Redactor,
  ignored: readonly ManySteps[] = [],
): Promise<{ readonly refusal: string } | { readonly text: string }> {
  const whole = { ...(isError && { isError }), content, ...(structuredContent !== undefined && { structuredContent }) };
  const bytes = new Map<string, string>();
  for (const text of bytesIn(content)) bytes.set(text, `sha256:${await sha256(text)} (${text.length} characters)`);
  const sorted = canonicalJson(whole, 4 * snapshotLimits.characters);
  const tooLarge = {
    refusal: 'The result is too large for a snapshot, which has at most 1 MB and 200 levels. Expect "paths" instead.',
  };
  if (sorted === undefined) return tooLarge;
  const plain = parseExactly(sorted);
  if (depthOf(plain) > snapshotLimits.depth) return tooLarge;
  const written = stringifyExactly(withoutIgnored(prepared(plain, bytes, redactor), ignored), 2);
  if (written.length > snapshotLimits.characters) return tooLarge;
  if (redactor.holdsSplit(written))
    return { refusal: 'The result holds a secret that is split over several texts, so no snapshot of it is written.' };
  return { text: `${written}\n` };
}

/**
 * A kept snapshot as {@link toSnapshot} writes it: keys sorted, without what is ignored now.
 * @returns `undefined`: it is no JSON, or too large
 */
export function readSnapshotText(kept: string, ignored: readonly ManySteps[] = []): string | undefined {
  const value = kept.length > 2 * snapshotLimits.characters ? undefined : parseOrUndefined(kept);
  if (value === undefined || depthOf(value) > snapshotLimits.depth) return undefined;
  return `${stringifyExactly(parseExactly(canonicalJson(withoutIgnored(value, ignored))), 2)}\n`;
}

const ignoredValue = '(ignored)';

/** Replaces values in the structured content, and in each text that is a JSON object or list. What is not there stays so. */
function withoutIgnored(snapshot: unknown, ignored: readonly ManySteps[]): unknown {
  if (ignored.length === 0 || !isRecord(snapshot)) return snapshot;
  const replaced = (value: unknown): unknown =>
    ignored.reduce((before, steps) => replacedAt(before, steps, ignoredValue), value);
  const { content, structuredContent } = snapshot;
  const blocks = (Array.isArray(content) ? (content as readonly unknown[]) : []).map((block) => {
    const value = isRecord(block) && block['type'] === 'text' ? parseOrUndefined(String(block['text'])) : undefined;
    if (typeof value !== 'object' || value === null || depthOf(value) > snapshotLimits.depth) return block;
    return { ...(block as object), text: canonicalJson(replaced(value)) };
  });
  return {
    ...snapshot,
    ...(Array.isArray(content) && { content: blocks }),
    ...(structuredContent !== undefined && { structuredContent: replaced(structuredContent) }),
  };
}

function parseOrUndefined(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

function* bytesIn(content: CallToolResult['content']): Iterable<string> {
  for (const block of content) {
    if (block.type === 'image' || block.type === 'audio') yield block.data;
    if (block.type === 'resource' && block.resource.blob !== undefined) yield block.resource.blob;
  }
}

const leftOut: readonly string[] = ['_meta', 'annotations'];

function prepared(value: unknown, bytes: ReadonlyMap<string, string>, redactor: Redactor): unknown {
  if (typeof value === 'string') return bytes.get(value) ?? redactor.text(value);
  if (Array.isArray(value))
    return copyDigits(
      value,
      value.map((item) => prepared(item, bytes, redactor)),
    );
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([key]) => !(leftOut.includes(key) && isBlock(value)));
  return copyDigits(
    value,
    Object.fromEntries(members.map(([key, member]) => [redactor.text(key), prepared(member, bytes, redactor)])),
  );
}

/** A block of content, whose hints say nothing of the result. */
function isBlock(value: Readonly<Record<string, unknown>>): boolean {
  return typeof value['type'] === 'string' || typeof value['uri'] === 'string';
}

/** Not recursive. */
function depthOf(value: unknown): number {
  let level: readonly unknown[] = [value];
  let depth = 0;
  while (level.length > 0 && depth <= snapshotLimits.depth) {
    depth += 1;
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : [],
    );
  }
  return depth;
}
