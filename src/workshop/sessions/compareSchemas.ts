import { isRecord, isString, isStringArray, type UnknownRecord } from '../../base/json.ts';
import { isSameJson } from '../../base/jsonDifference.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { visibleText } from '../../base/visibleText.ts';

/**
 * From the most to the least severe. `breaking`: a client that worked with the old server may fail; `wording`: only texts for people and
 * models differ.
 */
export const changeKinds = ['breaking', 'added', 'wording'] as const;

export type SessionChangeKind = (typeof changeKinds)[number];

/** @param message a sentence about the place that it names */
export type ReportChange = (kind: SessionChangeKind, message: string) => void;

const maximumDepth = 20;
/** Texts of a schema that decide nothing. */
const texts = ['title', 'description', '$comment', 'examples', 'default', 'x-order'];

/**
 * Says what differs for a client between two schemas of one tool. `input`: what a client may send; `output`: what it may expect.
 * Only what every host reads is judged: types, members, what is required, enumerations; another difference counts as breaking.
 */
export function compareSchemas(
  before: unknown,
  after: unknown,
  side: 'input' | 'output',
  report: ReportChange,
  place = '',
  depth = 0,
): void {
  if (isSameJson(before, after)) return;
  const [old, now] = [asRecord(before), asRecord(after)];
  const where = place === '' ? (side === 'input' ? 'The arguments' : 'The structured result') : `"${place}"`;
  if (depth > maximumDepth) return report('breaking', `${where} changed deep inside.`);
  // What is narrower breaks those who send, and what is wider those who receive.
  const change = (isNarrower: boolean, what: string): void =>
    report(isNarrower === (side === 'input') ? 'breaking' : 'added', `${where} ${what}.`);
  compareSets(typesOf(old), typesOf(now), (type, isGone) =>
    change(isGone, isGone ? `can no longer be ${type}` : `can be ${type} too`),
  );
  compareSets(valuesOf(old), valuesOf(now), (value, isGone) =>
    change(isGone, isGone ? `no longer has the value ${value}` : `has the new value ${value}`),
  );
  compareMembers(old, now, side, report, place, depth);
  if (old['items'] !== undefined || now['items'] !== undefined)
    compareSchemas(old['items'] ?? {}, now['items'] ?? {}, side, report, `${place}[]`, depth + 1);
  const known = new Set(['type', 'enum', 'const', 'properties', 'required', 'items', ...texts]);
  const others = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => !known.has(name));
  const changed = others.filter((name) => !isSameJson(own(old, name), own(now, name)));
  if (changed.length > 0) report('breaking', `${where} changed in ${changed.map(short).slice(0, 5).join(', ')}.`);
  if (texts.some((name) => !isSameJson(own(old, name), own(now, name))))
    report('wording', `${where} changed in wording.`);
}

function compareMembers(
  old: UnknownRecord,
  now: UnknownRecord,
  side: 'input' | 'output',
  report: ReportChange,
  place: string,
  depth: number,
): void {
  const [before, after] = [asRecord(old['properties']), asRecord(now['properties'])];
  const [needed, nowNeeded] = [requiredOf(old), requiredOf(now)];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const path = place === '' ? short(name) : `${place}.${short(name)}`;
    const [was, is] = [Object.hasOwn(before, name), Object.hasOwn(after, name)];
    const isRequired = nowNeeded.has(name);
    if (was && !is) report('breaking', `"${path}" is gone.`);
    else if (!was && is && isRequired && side === 'input') report('breaking', `"${path}" is new and required.`);
    else if (!was && is) report('added', `"${path}" is new.`);
    else {
      if (side === 'input' && isRequired && !needed.has(name)) report('breaking', `"${path}" is now required.`);
      if (side === 'input' && !isRequired && needed.has(name)) report('added', `"${path}" is now optional.`);
      if (side === 'output' && !isRequired && needed.has(name)) report('breaking', `"${path}" may now be missing.`);
      compareSchemas(before[name], after[name], side, report, path, depth + 1);
    }
  }
}

/** `undefined` is a schema without the keyword: everything is allowed. */
function compareSets(
  old: ReadonlySet<string> | undefined,
  now: ReadonlySet<string> | undefined,
  report: (value: string, isGone: boolean) => void,
): void {
  if (old === undefined && now === undefined) return;
  if (old === undefined) return report(`another value than ${listOf(now)}`, true);
  if (now === undefined) return report(`another value than ${listOf(old)}`, false);
  for (const value of old) if (!now.has(value)) report(short(value), true);
  for (const value of now) if (!old.has(value)) report(short(value), false);
}

function listOf(values: ReadonlySet<string> | undefined): string {
  return [...(values ?? [])].slice(0, 5).map(short).join(', ');
}

function typesOf({ type }: UnknownRecord): ReadonlySet<string> | undefined {
  const types = isString(type) ? [type] : isStringArray(type) ? type : undefined;
  if (types === undefined) return undefined;
  // An integer is a number.
  return new Set(types.includes('number') ? [...types, 'integer'] : types);
}

function valuesOf(schema: UnknownRecord): ReadonlySet<string> | undefined {
  const { enum: values } = schema;
  if (Array.isArray(values)) return new Set(values.map((value) => JSON.stringify(value)));
  return Object.hasOwn(schema, 'const') ? new Set([JSON.stringify(schema['const'])]) : undefined;
}

function requiredOf({ required }: UnknownRecord): ReadonlySet<string> {
  return new Set(isStringArray(required) ? required : []);
}

function own(record: UnknownRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function asRecord(value: unknown): UnknownRecord {
  return isRecord(value) ? value : {};
}

export function short(text: string): string {
  return visibleText(truncateWithEllipsis(text, 100));
}
