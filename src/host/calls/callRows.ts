import { exactMember } from '../../base/exactIntegers.ts';
import { type JsonObject, toJsonText } from '../../base/json.ts';
import { firstDifference } from '../../base/jsonDifference.ts';
import { jsonPath } from '../../base/jsonPath.ts';
import type { PastCallRow } from '../../shared/toolMessages.ts';
import { singleLine } from '../platform/displayText.ts';
import type { PastCall } from './callRecord.ts';

/** Arguments of a call that are looked at, and characters of one and of all of them in a row. */
const bounds = { arguments: 40, one: 60, all: 160 } as const;

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
  if (args === undefined) return { ...facts, differing: '', summary: omitted[0] ?? '' };
  return { ...facts, ...summarize(args, [older?.args, newer?.args]) };
}

/** The arguments in one line, in two parts: what is not as in one of `others`, and the rest. Both are cut. */
export function summarize(
  args: JsonObject,
  others: readonly (JsonObject | undefined)[] = [],
): Pick<PastCallRow, 'differing' | 'summary'> {
  const differing: string[] = [];
  const rest: string[] = [];
  const given = others.filter((other) => other !== undefined);
  const names = new Set([args, ...given].flatMap((each) => Object.keys(each).slice(0, bounds.arguments)));
  for (const name of [...names].slice(0, bounds.arguments)) {
    const value = exactMember(args, name);
    const difference = given.map((other) => firstDifference(value, exactMember(other, name))).find(Boolean);
    if (value === undefined) differing.push(`no ${name}`);
    else if (difference === undefined) rest.push(`${name}: ${valueText(value)}`);
    else differing.push(`${placeText([name, ...difference.path])}: ${valueText(difference.left, difference.right)}`);
  }
  const shown = join(differing, bounds.all);
  return { differing: shown, summary: join(rest, bounds.all - shown.length) };
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

function join(parts: readonly string[], maximum: number): string {
  return parts.length === 0 || maximum < lead ? '' : singleLine(parts.join(', '), maximum);
}

export function inOneLine({ differing, summary }: ReturnType<typeof summarize>): string {
  return [differing, summary].filter((part) => part !== '').join(', ');
}
