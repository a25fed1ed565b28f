import { canonicalJson, sha256 } from '../../base/digest.ts';
import { copyDigits, parseExactly, stringifyExactly } from '../../base/exactIntegers.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { Redactor } from '../../secrets/redactor.ts';
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
 * @returns why there can be none, as a full sentence, or the text
 */
export async function toSnapshot(
  { structuredContent, content, isError }: CallToolResult,
  redactor: Redactor,
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
  const written = stringifyExactly(prepared(plain, bytes, redactor), 2);
  if (written.length > snapshotLimits.characters) return tooLarge;
  if (redactor.holdsSplit(written))
    return { refusal: 'The result holds a secret that is split over several texts, so no snapshot of it is written.' };
  return { text: `${written}\n` };
}

/** Whether two snapshots are the same but for the order of keys and for spaces. `undefined`: the kept one is no JSON. */
export function isSameSnapshot(kept: string, current: string): boolean | undefined {
  if (kept.length > 2 * snapshotLimits.characters) return undefined;
  const value = parseJson(kept);
  return value === undefined ? undefined : canonicalJson(value) === canonicalJson(parseExactly(current));
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
