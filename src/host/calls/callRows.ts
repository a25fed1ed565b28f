import { exactMember } from '../../base/exactIntegers.ts';
import { type JsonObject, toJsonText } from '../../base/json.ts';
import { firstDifference } from '../../base/jsonDifference.ts';
import { jsonPath } from '../../base/jsonPath.ts';
import type { ArgumentWords, PastCallRow } from '../../shared/toolMessages.ts';
import { singleLine } from '../platform/displayText.ts';
import type { PastCall } from './callRecord.ts';

/** Arguments of a call that are looked at, and characters of one, of one that is as elsewhere beside one that is not, and of all in a row. */
const bounds = { arguments: 40, one: 60, same: 24, all: 160 } as const;

const separator = ', ';

/** Characters of a text that stand before the first one that differs. */
const lead = 12;

interface Neighbours {
  readonly older: PastCall | undefined;
  readonly newer: PastCall | undefined;
}

/** Makes rows of calls; those that were made before, and have the same neighbours, are kept. */
export function createCallRows() {
  const made = new WeakMap<PastCall, Neighbours & { readonly row: PastCallRow }>();

  /** @param calls the newest first */
  return (calls: readonly PastCall[]): readonly PastCallRow[] => {
    const older = neighboursOf(calls.toReversed()).toReversed();
    const newer = neighboursOf(calls);
    return calls.map((call, index) => {
      const neighbours = { older: older[index], newer: newer[index] };
      const known = made.get(call);
      if (known?.older === neighbours.older && known?.newer === neighbours.newer && known !== undefined)
        return known.row;
      const row = toRow(call, neighbours);
      made.set(call, { ...neighbours, row });
      return row;
    });
  };
}

/** For each call the one of the same tool that came last before it in the list. */
function neighboursOf(calls: readonly PastCall[]): readonly (PastCall | undefined)[] {
  const last = new Map<string, PastCall>();
  return calls.map((call) => {
    const key = JSON.stringify([call.identity, call.tool]);
    const found = last.get(key);
    last.set(key, call);
    return found;
  });
}

function toRow(call: PastCall, { older, newer }: Neighbours): PastCallRow {
  const { id, at, durationMs, outcome, args, omitted } = call;
  const facts = { id, at, ...(durationMs !== undefined && { durationMs }), outcome };
  if (args === undefined) return { ...facts, words: omitted.slice(0, 1).map((text) => ({ text, differs: false })) };
  return { ...facts, words: summarize(args, [older?.args, newer?.args]) };
}

/**
 * The arguments in one line, in the order of the call: the only way in which they are shown so. Where there is little room, those that
 * are not as in one of `others` have it.
 */
export function summarize(
  args: JsonObject,
  others: readonly (JsonObject | undefined)[] = [],
): readonly ArgumentWords[] {
  const given = others.filter((other) => other !== undefined);
  const names = new Set([args, ...given].flatMap((each) => Object.keys(each).slice(0, bounds.arguments)));
  return fitted([...names].slice(0, bounds.arguments).map((name) => wordsOf(name, args, given)));
}

function wordsOf(name: string, args: JsonObject, others: readonly JsonObject[]): ArgumentWords {
  const value = exactMember(args, name);
  const difference = others.map((other) => firstDifference(value, exactMember(other, name))).find(Boolean);
  if (value === undefined) return { text: `no ${name}`, differs: true };
  if (difference === undefined) return { text: `${name}: ${valueText(value)}`, differs: false };
  const { path, left, right } = difference;
  return { text: `${placeText([name, ...path])}: ${valueText(left, right)}`, differs: true };
}

function fitted(words: readonly ArgumentWords[]): readonly ArgumentWords[] {
  const [differing, same] = [words.filter(({ differs }) => differs), words.filter(({ differs }) => !differs)];
  const longest = differing.length === 0 ? bounds.all : bounds.same;
  const texts = new Map<ArgumentWords, string>();
  let room: number = bounds.all;
  for (const each of [...differing, ...same]) {
    if (room < lead) break;
    const text = singleLine(each.text, Math.min(room, each.differs ? bounds.all : longest));
    texts.set(each, text);
    room -= text.length + separator.length;
  }
  const shown = words.flatMap((each) => {
    const text = texts.get(each);
    return text === undefined ? [] : [{ ...each, text }];
  });
  return shown.length === words.length ? shown : [...shown, { text: '…', differs: false }];
}

/** `options.days[0]` */
function placeText(path: readonly (string | number)[]): string {
  return path.length === 1 ? String(path[0]) : jsonPath(path).replace(/^\$\.?/, '');
}

/** @param other what a long text is compared with: it is shown from where they differ */
function valueText(value: unknown, other?: unknown): string {
  if (value === undefined) return 'not there';
  if (typeof value !== 'string' || typeof other !== 'string' || value.length <= bounds.one)
    return toJsonText(value, bounds.one);
  let same = 0;
  while (same < other.length && value[same] === other[same]) same += 1;
  return toJsonText(same <= lead * 2 ? value : `…${value.slice(same - lead)}`, bounds.one);
}

export function inOneLine(words: readonly ArgumentWords[]): string {
  return words.map(({ text }) => text).join(separator);
}
