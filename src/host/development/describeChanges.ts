import { canonicalJson } from '../../base/digest.ts';
import { isRecord } from '../../base/json.ts';
import type { NextSlice } from '../../base/slices.ts';
import type { Contents } from '../../client/contents.ts';
import { countOf, singleLine } from '../platform/displayText.ts';
import { contentKinds } from '../servers/serverStatus.ts';

/** Names in the row, and sentences in the hover and the log. */
const most = { names: 2, lines: 12 };

interface ListChanges {
  readonly noun: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Each name with the members that differ. */
  readonly changed: ReadonlyMap<string, readonly string[]>;
}

/**
 * What differs between two lists of the contents of a server.
 * @returns `words` for a row: "+1 tool, search changed", empty where nothing differs; `lines`, a sentence each
 */
export async function describeChanges(before: Contents, after: Contents, nextSlice: NextSlice) {
  const lists: ListChanges[] = [];
  for (const { kind, noun } of contentKinds) lists.push(await compare(noun, before[kind], after[kind], nextSlice));
  const words = lists.flatMap(wordsOf).join(', ');
  const count = lists.reduce(
    (sum, { added, removed, changed }) => sum + added.length + removed.length + changed.size,
    0,
  );
  const lines = lists.flatMap(linesOf).slice(0, most.lines);
  return { words, lines: count > most.lines ? [...lines, `… and ${count - most.lines} more.`] : lines };
}

async function compare(
  noun: string,
  before: readonly object[],
  after: readonly object[],
  nextSlice: NextSlice,
): Promise<ListChanges> {
  const old = await byKey(before, nextSlice);
  const now = await byKey(after, nextSlice);
  const changed = new Map<string, readonly string[]>();
  for (const [key, item] of now) {
    await nextSlice();
    const earlier = old.get(key);
    const members = earlier === undefined ? [] : differingMembers(earlier, item);
    if (members.length > 0) changed.set(key, members);
  }
  return {
    noun,
    added: [...now.keys()].filter((key) => !old.has(key)),
    removed: [...old.keys()].filter((key) => !now.has(key)),
    changed,
  };
}

/** By what a server knows its items by; several of one name count as one. */
async function byKey(items: readonly object[], nextSlice: NextSlice): Promise<ReadonlyMap<string, object>> {
  const found = new Map<string, object>();
  for (const item of items) {
    await nextSlice();
    found.set(keyOf(item), item);
  }
  return found;
}

function keyOf(item: object): string {
  const { uri, uriTemplate, name } = isRecord(item) ? item : {};
  return String(uri ?? uriTemplate ?? name);
}

function differingMembers(before: object, after: object): readonly string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const textOf = (value: unknown): string => (value === undefined ? '' : canonicalJson(value));
  return [...new Set([...old.keys(), ...now.keys()])].filter((key) => textOf(old.get(key)) !== textOf(now.get(key)));
}

function wordsOf({ noun, added, removed, changed }: ListChanges): readonly string[] {
  const names = [...changed.keys()];
  const isFew = names.length <= most.names;
  return [
    ...(added.length === 0 ? [] : [`+${countOf(added.length, noun)}`]),
    ...(removed.length === 0 ? [] : [`−${countOf(removed.length, noun)}`]),
    ...(isFew ? names.map((name) => `${singleLine(name, 30)} changed`) : [`${countOf(names.length, noun)} changed`]),
  ];
}

/** The first of them. */
function linesOf({ noun, added, removed, changed }: ListChanges): readonly string[] {
  const named = (key: string): string => `${noun} ${singleLine(key, 60)}`;
  const first = <T>(all: readonly T[]): readonly T[] => all.slice(0, most.lines);
  return [
    ...first(added).map((key) => `Added: ${named(key)}.`),
    ...first(removed).map((key) => `Removed: ${named(key)}.`),
    ...first([...changed]).map(([key, members]) => `Changed: ${named(key)} (${singleLine(members.join(', '), 80)}).`),
  ];
}
