import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';

/**
 * Reads objects of a server member by member, the same way for all of them: a member that is `null` counts as absent where
 * it may be absent (many servers write every optional member they know of), and whatever does not fit is named with its
 * place and what it must be.
 */
export interface Kind<T> {
  /** Completes "must be …". */
  readonly expected: string;
  /**
   * @param leftOut takes the optional members that did not fit and were left out
   * @returns the value itself; a copy where members of it were left out; a {@link Misfit} for a value of another kind
   */
  readonly read: (value: unknown, leftOut: Misfit[]) => T | Misfit;
}

/** A value that is not of the kind it must be. */
export class Misfit {
  /** The member, with those that lead to it: `arguments[2].name`; empty for the whole value. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;

  constructor(path: string, expected: string, found: string) {
    this.path = path;
    this.expected = expected;
    this.found = found;
  }

  /** The same, seen from the object or list that holds the value. */
  within(holder: string): Misfit {
    const isMember = this.path !== '' && !this.path.startsWith('[');
    return new Misfit(`${holder}${isMember ? '.' : ''}${this.path}`, this.expected, this.found);
  }

  /** For instance `"arguments[2].name" must be a string, but is missing`. */
  toString(): string {
    const what = this.path === '' ? 'it' : `"${this.path}"`;
    return `${what} must be ${this.expected}, but is ${this.found}`;
  }
}

interface Member<T> {
  readonly kind: Kind<T>;
  readonly rule: 'required' | 'optional' | 'validIfGiven';
}
interface RequiredMember<T> extends Member<T> {
  readonly rule: 'required';
}
interface OptionalMember<T> extends Member<T> {
  readonly rule: 'optional' | 'validIfGiven';
}

/** What each member of an object has to be; the compiler sees to it that none is forgotten. */
export type Shape<T> = {
  readonly [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K>
    ? OptionalMember<Exclude<T[K], undefined>>
    : RequiredMember<T[K]>;
};

/** A member without which the object is not usable. */
export function required<T>(kind: Kind<T>): RequiredMember<T> {
  return { kind, rule: 'required' };
}

/** A member that only describes: one of another kind is left out, and the object is still usable. */
export function optional<T>(kind: Kind<T>): OptionalMember<T> {
  return { kind, rule: 'optional' };
}

/** A member that may be absent, but that decides what the object means: one of another kind makes it unusable. */
export function validIfGiven<T>(kind: Kind<T>): OptionalMember<T> {
  return { kind, rule: 'validIfGiven' };
}

/** Written out, as most members are texts: a check that is handed in costs a call more for each. */
export const text: Kind<string> = {
  expected: 'a string',
  read: (value) => (typeof value === 'string' ? value : misfit('a string', value)),
};
export const number: Kind<number> = leaf('a number', (value) => typeof value === 'number');
export const boolean: Kind<boolean> = leaf('true or false', (value) => typeof value === 'boolean');
/** An object whose members are not looked at: nulls in it mean what its author wants them to mean. */
export const opaqueObject: Kind<UnknownRecord> = leaf('an object', isRecord);

export function oneOf<T extends string>(...values: readonly T[]): Kind<T> {
  const names = values.map((value) => JSON.stringify(value)).join(' or ');
  return leaf(names, (value): value is T => values.some((known) => known === value));
}

export function listOf<T>(kind: Kind<T>): Kind<readonly T[]> {
  const expected = 'a list';
  return {
    expected,
    read(value, leftOut) {
      if (!Array.isArray(value)) return misfit(expected, value);
      let copy: T[] | undefined;
      for (let index = 0; index < value.length; index += 1) {
        const entry: unknown = value[index];
        const before = leftOut.length;
        const read = kind.read(entry, leftOut);
        if (read === entry) continue;
        placeWithin(leftOut, before, `[${index}]`);
        if (read instanceof Misfit) return read.within(`[${index}]`);
        copy ??= [...(value as T[])];
        copy[index] = read;
      }
      return copy ?? (value as T[]);
    },
  };
}

/** Members that are not in `shape` are kept as they came. */
export function objectOf<T extends object>(shape: Shape<T>): Kind<T> {
  const expected = 'an object';
  const members = new Map(Object.entries<Member<unknown>>(shape as unknown as Record<string, Member<unknown>>));
  const needed = [...members].filter(([, { rule }]) => rule === 'required');
  return {
    expected,
    read(value, leftOut) {
      if (!isRecord(value)) return misfit(expected, value);
      let copy: Record<string, unknown> | undefined;
      let found = 0;
      // Lists have ten thousand entries: what an entry has is less than it may have, and nothing is made for what is fine.
      for (const name in value) {
        const member = members.get(name);
        if (member === undefined) continue;
        const { kind, rule } = member;
        const given = value[name];
        if (rule === 'required') found += 1;
        const before = leftOut.length;
        const isAbsent = rule !== 'required' && (given === null || given === undefined);
        const read = isAbsent ? undefined : kind.read(given, leftOut);
        if (read === given) continue;
        placeWithin(leftOut, before, name);
        if (read instanceof Misfit && rule !== 'optional') return read.within(name);
        if (read instanceof Misfit) leftOut.push(read.within(name));
        copy ??= { ...value };
        if (read === undefined || read instanceof Misfit) delete copy[name];
        else copy[name] = read;
      }
      for (const [name, { kind }] of found < needed.length ? needed : [])
        if (value[name] === undefined) return misfit(kind.expected, undefined).within(name);
      return (copy ?? value) as T;
    },
  };
}

/**
 * The members of an object that are given: for readers that look at each member by themselves.
 * @param levels of objects inside each other in which `null` counts as absent; what lies deeper is kept as it came
 */
export function givenMembers(record: UnknownRecord, levels = 1): UnknownRecord {
  const members = Object.entries(record).filter(([, value]) => value !== null);
  if (levels === 1) return Object.fromEntries(members);
  return Object.fromEntries(
    members.map(([name, value]) => [name, isRecord(value) ? givenMembers(value, levels - 1) : value]),
  );
}

function leaf<T>(expected: string, is: (value: unknown) => value is T): Kind<T> {
  return { expected, read: (value) => (is(value) ? value : misfit(expected, value)) };
}

/** Says of what was left out since `from` in which member or entry it lies. */
function placeWithin(leftOut: Misfit[], from: number, holder: string): void {
  for (let index = from; index < leftOut.length; index += 1) leftOut[index] = (leftOut[index] as Misfit).within(holder);
}

function misfit(expected: string, value: unknown): Misfit {
  return new Misfit('', expected, foundWords(value));
}

function foundWords(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isString(value)) return value.length <= 40 ? JSON.stringify(value) : 'another string';
  return isRecord(value) ? 'an object' : JSON.stringify(value);
}
