import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';

/**
 * Checks a value of a server. In objects, an optional member that is `null` counts as absent, since many servers send all
 * optional members. A value of the wrong type is reported with its path and the expected type.
 */
export interface Reader<T> {
  /** The expected type; completes "must be …". */
  readonly expected: string;
  /**
   * @param leftOut receives the optional members that were left out because of a wrong type
   * @returns the value itself; a copy where members were left out; a {@link Mismatch} for a value of the wrong type
   */
  readonly read: (value: unknown, leftOut: Mismatch[]) => T | Mismatch;
}

export class Mismatch {
  /** For instance `arguments[2].name`; empty for the whole value. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;

  constructor(path: string, expected: string, found: string) {
    this.path = path;
    this.expected = expected;
    this.found = found;
  }

  /** The same with the path extended by the object or list that holds the value. */
  within(holder: string): Mismatch {
    const isMember = this.path !== '' && !this.path.startsWith('[');
    return new Mismatch(`${holder}${isMember ? '.' : ''}${this.path}`, this.expected, this.found);
  }

  /** For instance `"arguments[2].name" must be a string, but is missing`. */
  toString(): string {
    const what = this.path === '' ? 'it' : `"${this.path}"`;
    return `${what} must be ${this.expected}, but is ${this.found}`;
  }
}

interface Member<T, Rule = 'required' | 'optional' | 'validIfGiven'> {
  readonly reader: Reader<T>;
  readonly rule: Rule;
}
type RequiredMember<T> = Member<T, 'required'>;
type OptionalMember<T> = Member<T, 'optional' | 'validIfGiven'>;

/** A reader for each member of `T`; the compiler checks that none is missing. */
export type Shape<T> = {
  readonly [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K>
    ? OptionalMember<Exclude<T[K], undefined>>
    : RequiredMember<T[K]>;
};

/** A required member: without it, the object is invalid. */
export function required<T>(reader: Reader<T>): RequiredMember<T> {
  return { reader, rule: 'required' };
}

/** An optional member: a value of the wrong type is left out, and the object stays valid. */
export function optional<T>(reader: Reader<T>): OptionalMember<T> {
  return { reader, rule: 'optional' };
}

/** An optional member that changes the meaning of the object: a value of the wrong type makes the object invalid. */
export function validIfGiven<T>(reader: Reader<T>): OptionalMember<T> {
  return { reader, rule: 'validIfGiven' };
}

/** A string. Written without `leaf`, because most members are strings and this saves a call for each. */
export const text: Reader<string> = {
  expected: 'a string',
  read: (value) => (typeof value === 'string' ? value : mismatch('a string', value)),
};
export const number: Reader<number> = leaf('a number', (value) => typeof value === 'number');
export const boolean: Reader<boolean> = leaf('true or false', (value) => typeof value === 'boolean');
/** An object whose members are not checked; `null` members are kept. */
export const opaqueObject: Reader<UnknownRecord> = {
  expected: 'an object',
  read: (value) => (isRecord(value) ? value : isEmptyList(value) ? {} : mismatch('an object', value)),
};

export function oneOf<T extends string>(...values: readonly T[]): Reader<T> {
  const names = values.map((value) => JSON.stringify(value)).join(' or ');
  return leaf(names, (value): value is T => values.some((known) => known === value));
}

/** A list; one entry of the wrong type makes it invalid. */
export function listOf<T>(reader: Reader<T>): Reader<readonly T[]> {
  const expected = 'a list';
  return {
    expected,
    read(value, leftOut) {
      if (!Array.isArray(value)) return mismatch(expected, value);
      let copy: T[] | undefined;
      for (let index = 0; index < value.length; index += 1) {
        const entry: unknown = value[index];
        const before = leftOut.length;
        const read = reader.read(entry, leftOut);
        if (read === entry) continue;
        placeWithin(leftOut, before, `[${index}]`);
        if (read instanceof Mismatch) return read.within(`[${index}]`);
        copy ??= [...(value as T[])];
        copy[index] = read;
      }
      return copy ?? (value as T[]);
    },
  };
}

/** An object with the members of `shape`; other members are kept unchanged. */
export function objectOf<T extends object>(shape: Shape<T>): Reader<T> {
  const expected = 'an object';
  const members = new Map(Object.entries<Member<unknown>>(shape as unknown as Record<string, Member<unknown>>));
  const needed = [...members].filter(([, { rule }]) => rule === 'required');
  return {
    expected,
    read(value, leftOut) {
      if (!isRecord(value)) return mismatch(expected, value);
      let copy: Record<string, unknown> | undefined;
      let found = 0;
      // For lists of ten thousand entries: loops over the members that are present, and allocates nothing for valid
      // ones.
      for (const name in value) {
        const member = members.get(name);
        if (member === undefined) continue;
        const { reader, rule } = member;
        const given = value[name];
        if (rule === 'required') found += 1;
        const before = leftOut.length;
        const isAbsent = rule !== 'required' && (given === null || given === undefined);
        const read = isAbsent ? undefined : reader.read(given, leftOut);
        if (read === given) continue;
        placeWithin(leftOut, before, name);
        if (read instanceof Mismatch && rule !== 'optional') return read.within(name);
        if (read instanceof Mismatch) leftOut.push(read.within(name));
        copy ??= { ...value };
        if (read === undefined || read instanceof Mismatch) delete copy[name];
        else copy[name] = read;
      }
      for (const [name, { reader }] of found < needed.length ? needed : [])
        if (value[name] === undefined) return mismatch(reader.expected, undefined).within(name);
      return (copy ?? value) as T;
    },
  };
}

/** Without `null` members. @param levels depth of nested objects from which `null` is removed too */
export function withoutNulls(record: UnknownRecord, levels = 1): UnknownRecord {
  const members = Object.entries(record).filter(([, value]) => value !== null);
  if (levels === 1) return Object.fromEntries(members);
  return Object.fromEntries(
    members.map(([name, value]) => [name, isRecord(value) ? withoutNulls(value, levels - 1) : value]),
  );
}

/** True for what PHP writes for an object without members. */
export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function leaf<T>(expected: string, is: (value: unknown) => value is T): Reader<T> {
  return { expected, read: (value) => (is(value) ? value : mismatch(expected, value)) };
}

/** Extends the paths of the entries since `from` by the member or entry that holds them. */
function placeWithin(leftOut: Mismatch[], from: number, holder: string): void {
  for (let index = from; index < leftOut.length; index += 1)
    leftOut[index] = (leftOut[index] as Mismatch).within(holder);
}

function mismatch(expected: string, value: unknown): Mismatch {
  return new Mismatch('', expected, describeFound(value));
}

function describeFound(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isString(value)) return value.length <= 40 ? JSON.stringify(value) : 'another string';
  return isRecord(value) ? 'an object' : JSON.stringify(value);
}
