import { isRecord, isString } from '../base/json.ts';
import { isJsonPath } from '../base/jsonPath.ts';

/** What a reader gives for a value that it does not accept: `undefined` can be a value. */
const refused = Symbol('refused');

/** Checks a value, and gives what is used of it. */
export type Reader<T> = (value: unknown) => T | typeof refused;

type Shape = Readonly<Record<string, Reader<unknown>>>;

/** What a reader accepts. */
export type Read<R> = R extends Reader<infer T> ? T : never;

type ReadShape<S extends Shape> = { readonly [Name in keyof S]: Read<S[Name]> };

/** The messages that a reader of {@link createMessageReader} accepts. */
export type MessageOf<R extends (value: unknown) => unknown> = NonNullable<ReturnType<R>>;

/**
 * Makes the reader of all messages of a page.
 * @param shapes by type of message: its members
 * @returns a function that gives `undefined` for a message that is not valid in all parts
 */
export function createMessageReader<Shapes extends Readonly<Record<string, Shape>>>(shapes: Shapes) {
  type Messages = {
    readonly [Type in keyof Shapes & string]: {
      readonly [Name in 'type' | keyof Shapes[Type]]: Name extends 'type' ? Type : Read<Shapes[Type][Name]>;
    };
  };
  return (value: unknown): Messages[keyof Messages] | undefined => {
    if (!isRecord(value)) return undefined;
    const { type } = value;
    const shape = isString(type) && Object.hasOwn(shapes, type) ? shapes[type] : undefined;
    const members = shape === undefined ? refused : objectOf(shape)(value);
    return members === refused ? undefined : ({ type, ...members } as Messages[keyof Messages]);
  };
}

/** @returns `undefined` for a value that is not accepted */
export function readValue<T>(read: Reader<T>, value: unknown): T | undefined {
  const given = read(value);
  return given === refused ? undefined : given;
}

/** Takes what passes a check. */
export function checked<T>(check: (value: unknown) => value is T): Reader<T> {
  return (value) => (check(value) ? value : refused);
}

export const text: Reader<string> = checked(isString);

export const truth: Reader<boolean> = checked((value) => typeof value === 'boolean');

export const number: Reader<number> = checked((value): value is number => Number.isFinite(value));

export function wholeNumber(minimum = 0, maximum = Number.MAX_SAFE_INTEGER): Reader<number> {
  return checked(
    (value): value is number => Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
  );
}

export function oneOf<const T extends string>(...all: readonly T[]): Reader<T> {
  return (value) => all.find((each) => each === value) ?? refused;
}

/** Takes what one of two readers takes. */
export function either<A, B>(one: Reader<A>, other: Reader<B>): Reader<A | B> {
  return (value) => {
    const read = one(value);
    return read === refused ? other(value) : read;
  };
}

/** JSON has no `undefined`: it becomes null, or is left out. */
export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (value) => (value === undefined || value === null ? undefined : read(value));
}

export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return refused;
    const items = value.map(read);
    return items.includes(refused) ? refused : (items as readonly T[]);
  };
}

/** Keys and indexes from a value to a part of it. */
export const valuePath = checked(isJsonPath);

/** Each index at most once. */
export const indexes = checked(
  (value): value is readonly number[] =>
    Array.isArray(value) &&
    value.every((each) => Number.isSafeInteger(each) && each >= 0) &&
    new Set(value).size === value.length,
);

/** Takes the members of `shape`, and no others. */
export function objectOf<S extends Shape>(shape: S): Reader<ReadShape<S>> {
  return (value) => {
    if (!isRecord(value)) return refused;
    const members = Object.entries(shape).map(([name, read]) => [name, read(value[name])] as const);
    if (members.some(([, member]) => member === refused)) return refused;
    return Object.fromEntries(members) as ReadShape<S>;
  };
}
