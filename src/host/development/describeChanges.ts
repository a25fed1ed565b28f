import { canonicalJson } from '../../base/digest.ts';
import { isRecord } from '../../base/json.ts';
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
export function describeChanges(before: Contents, after: Contents) {
  const lists = contentKinds.map(({ kind, noun }) => compare(noun, before[kind], after[kind]));
  const words = lists.flatMap(wordsOf).join(', ');
  const lines = lists.flatMap(linesOf);
  const left = lines.length - most.lines;
  return { words, lines: left > 0 ? [...lines.slice(0, most.lines), `… and ${left} more.`] : lines };
}

function compare(noun: string, before: readonly object[], after: readonly object[]): ListChanges {
  const [old, now] = [byKey(before), byKey(after)];
  const changed = [...now].flatMap(([key, item]): [string, readonly string[]][] => {
    const earlier = old.get(key);
    const members = earlier === undefined ? [] : differingMembers(earlier, item);
    return members.length === 0 ? [] : [[key, members]];
  });
  return {
    noun,
    added: [...now.keys()].filter((key) => !old.has(key)),
    removed: [...old.keys()].filter((key) => !now.has(key)),
    changed: new Map(changed),
  };
}

/** By what a server knows its items by; several of one name count as one. */
function byKey(items: readonly object[]): ReadonlyMap<string, object> {
  return new Map(items.map((item) => [keyOf(item), item]));
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

function linesOf({ noun, added, removed, changed }: ListChanges): readonly string[] {
  const named = (key: string): string => `${noun} ${singleLine(key, 60)}`;
  return [
    ...added.map((key) => `Added: ${named(key)}.`),
    ...removed.map((key) => `Removed: ${named(key)}.`),
    ...[...changed].map(([key, members]) => `Changed: ${named(key)} (${singleLine(members.join(', '), 80)}).`),
  ];
}
