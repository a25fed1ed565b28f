import { isRecord, toJsonText, type UnknownRecord, isStringArray } from '../base/json.ts';
import { capitalized, truncateWithEllipsis } from '../base/truncate.ts';
import { kindWords, kindsOfTypes, type Kind, typesOf } from '../schema/kinds.ts';
import { numberIn, numbersIn, own, textIn, textsIn } from '../schema/schemaNode.ts';
import type { Shape, Alternative } from './shape.ts';

const maximumLength = 300;

/** Of lists whose items are all different. */
export const uniqueItems = 'Each item once.';

const maximumSentences = 20;

const formats: Readonly<Record<string, string>> = {
  date: 'A date, such as 2026-03-14.',
  time: 'A time with its zone, such as 09:30:00Z.',
  'date-time': 'A date and time with its zone, such as 2026-03-14T09:30:00Z.',
  duration: 'A duration, such as P3DT12H.',
  email: 'An email address.',
  'idn-email': 'An email address.',
  uri: 'A whole address, such as https://example.com.',
  url: 'A whole address, such as https://example.com.',
  uuid: 'A UUID.',
  ipv4: 'An IPv4 address.',
  ipv6: 'An IPv6 address.',
  hostname: 'The name of a host.',
};

export function limitsInWords({ parts, demands }: Shape, kind: Kind): readonly string[] {
  const schemas = parts.map(({ schema }) => schema);
  return [...sentencesOf[kind](schemas), ...demands].slice(0, maximumSentences);
}

const sentencesOf: Readonly<Record<Kind, (schemas: readonly UnknownRecord[]) => readonly string[]>> = {
  text: textSentences,
  number: numberSentences,
  list: listSentences,
  object: objectSentences,
  boolean: () => [],
};

function textSentences(schemas: readonly UnknownRecord[]): readonly string[] {
  const texts = (name: string): readonly string[] => schemas.flatMap((schema) => textIn(schema, name) ?? []);
  const [format = ''] = texts('format');
  const [encoding] = texts('contentEncoding');
  const patterns = [...new Set(texts('pattern'))];
  return [
    ...(Object.hasOwn(formats, format) ? [formats[format] ?? ''] : []),
    ...(encoding === 'base64' ? ['Encoded as Base64.'] : []),
    ...(hasWideLength(schemas) ? [] : lengthSentence(schemas)),
    // Two patterns can be meant: both are shown.
    ...patterns.map((pattern) => `Pattern: ${truncateWithEllipsis(pattern, maximumLength)}`),
  ];
}

function lengthSentence(schemas: readonly UnknownRecord[]): readonly string[] {
  return countSentence(schemas, 'minLength', 'maxLength', ['character', 'characters']);
}

/** A text of so many characters is rare: the limit is said when it is near. */
const wideLength = 1_000;

function hasWideLength(schemas: readonly UnknownRecord[]): boolean {
  const { least = 0, most = Number.POSITIVE_INFINITY } = boundsOf(schemas, 'minLength', 'maxLength', (n) => n >= 0);
  return least <= 1 && most >= wideLength;
}

/** How long a text may be, where that is not said anyway and the text is almost as long, or longer. */
export function lengthNearLimit({ parts }: Shape, length: number): readonly string[] {
  if (length < wideLength * 0.9) return [];
  const schemas = parts.map(({ schema }) => schema);
  const { most } = boundsOf(schemas, 'minLength', 'maxLength', (bound) => bound >= 0);
  const isNear = most !== undefined && length >= most * 0.9;
  return isNear && hasWideLength(schemas) ? lengthSentence(schemas) : [];
}

function numberSentences(schemas: readonly UnknownRecord[]): readonly string[] {
  const { least: minimum, most: maximum } = boundsOf(schemas, 'minimum', 'maximum', isWithinSafe);
  const { least: above, most: below } = boundsOf(schemas, 'exclusiveMinimum', 'exclusiveMaximum', isWithinSafe);
  const steps = [...new Set(numbersIn(schemas, 'multipleOf'))];
  const multiples = steps.filter((step) => step !== 1).map((step) => `A multiple of ${step}.`);
  if (minimum !== undefined && maximum !== undefined && above === undefined && below === undefined)
    return [minimum === maximum ? `Exactly ${minimum}.` : `From ${minimum} to ${maximum}.`, ...multiples];
  const bounds = { 'at least': minimum, 'more than': above, 'at most': maximum, 'less than': below };
  const sentence = Object.entries(bounds)
    .flatMap(([words, bound]) => (bound === undefined ? [] : [`${words} ${bound}`]))
    .join(' and ');
  return [...(sentence === '' ? [] : [`${capitalized(sentence)}.`]), ...multiples];
}

/** Generators state the range of whole numbers that JavaScript has, which says nothing to a person. */
function isWithinSafe(bound: number): boolean {
  return Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}

function listSentences(schemas: readonly UnknownRecord[]): readonly string[] {
  const isUnique = schemas.some((schema) => own(schema, 'uniqueItems') === true);
  return [
    ...countSentence(schemas, 'minItems', 'maxItems', ['item', 'items']),
    ...(isUnique ? [uniqueItems] : []),
    ...schemas.flatMap(containsSentence),
  ];
}

function containsSentence(schema: UnknownRecord): readonly string[] {
  const wanted = own(schema, 'contains');
  if (!isRecord(wanted)) return [];
  const least = numberIn(schema, 'minContains') ?? 1;
  if (least <= 0) return [];
  const count = `At least ${least} ${least === 1 ? 'item is' : 'items are'}`;
  if (Object.hasOwn(wanted, 'const')) return [`${count} ${toJsonText(own(wanted, 'const'), 100)}.`];
  const [kind] = kindsOfTypes(typesOf(wanted) ?? new Set());
  return [kind === undefined ? `${count} of a kind of its own.` : `${count} ${kindWords[kind].one}.`];
}

function objectSentences(schemas: readonly UnknownRecord[]): readonly string[] {
  return [
    ...countSentence(schemas, 'minProperties', 'maxProperties', ['entry', 'entries']),
    ...schemas.flatMap((schema) => namesSentence(own(schema, 'propertyNames'))),
    ...patternsSentence(schemas),
  ];
}

function namesSentence(names: unknown): readonly string[] {
  if (names === false) return ['No entries.'];
  if (!isRecord(names)) return [];
  const listed = textsIn(names, 'enum');
  if (listed.length > 0) return [`Names: ${truncateWithEllipsis(listed.slice(0, 50).join(', '), maximumLength)}.`];
  const sentences = textSentences([names]);
  if (sentences.length === 0) return typesOf(names)?.has('string') === true ? [] : ['Names follow rules of their own.'];
  return [`Names: ${sentences.map(asClause).join(', ')}`];
}

/** "At least 3 characters." as "at least 3 characters"; what follows "Pattern:" stays as it is. */
function asClause(sentence: string): string {
  const clause = sentence.startsWith('Pattern:') ? sentence : sentence.replace(/\.$/, '');
  return `${clause.charAt(0).toLowerCase()}${clause.slice(1)}`;
}

/** Other names are forbidden: then the patterns are what names must be like. */
function patternsSentence(schemas: readonly UnknownRecord[]): readonly string[] {
  return schemas.flatMap((schema) => {
    const patterns = own(schema, 'patternProperties');
    if (!isRecord(patterns) || own(schema, 'additionalProperties') !== false) return [];
    const shown = Object.keys(patterns).slice(0, 10).join(' or ');
    return shown === '' ? [] : [`Names match ${truncateWithEllipsis(shown, maximumLength)}`];
  });
}

function countSentence(
  schemas: readonly UnknownRecord[],
  minimumName: string,
  maximumName: string,
  [one, many]: readonly [string, string],
): readonly string[] {
  const { least = 0, most } = boundsOf(schemas, minimumName, maximumName, (number) => number >= 0);
  const count = (number: number): string => `${number} ${number === 1 ? one : many}`;
  if (most === undefined) return least > 0 ? [`At least ${count(least)}.`] : [];
  if (least === most) return [`Exactly ${count(most)}.`];
  return [least > 0 ? `${least} to ${count(most)}.` : `At most ${count(most)}.`];
}

/** The bounds that count where several schemas state them. */
function boundsOf(
  schemas: readonly UnknownRecord[],
  minimumName: string,
  maximumName: string,
  isUsed: (bound: number) => boolean,
): { readonly least: number | undefined; readonly most: number | undefined } {
  const [minimums = [], maximums = []] = [minimumName, maximumName].map((name) =>
    numbersIn(schemas, name).filter(isUsed),
  );
  return {
    least: minimums.length === 0 ? undefined : Math.max(...minimums),
    most: maximums.length === 0 ? undefined : Math.min(...maximums),
  };
}

/** Keywords that say what is in a value, and so what a form shows. */
const structure = (
  'properties patternProperties additionalProperties unevaluatedProperties ' +
  'items prefixItems additionalItems unevaluatedItems dependentSchemas dependencies if'
).split(' ');

/**
 * True for an alternative that changes nothing a form shows: it only asks for more of the same value.
 * @param kinds of the value without its alternatives
 */
export function isDemand(
  { parts, listed, union, obstacle, types, kinds: may }: Shape,
  kinds: readonly Kind[],
): boolean {
  if (listed !== undefined || union !== undefined || obstacle !== undefined) return false;
  if (types !== undefined && (kinds.length === 0 || kinds.some((kind) => !may.includes(kind)))) return false;
  return parts.every(({ schema }) => structure.every((name) => !Object.hasOwn(schema, name)));
}

/** What alternatives ask for together, as a sentence; nothing if that is not only which properties are required. */
export function demandsOf(keyword: 'anyOf' | 'oneOf', alternatives: readonly Alternative[]): readonly string[] {
  const wanted = alternatives.map(({ shape }) => requiredBy(shape));
  if (wanted.some((names) => names.length === 0)) return [];
  const count = keyword === 'anyOf' ? 'At least one' : 'Exactly one';
  const names = wanted.slice(0, 20).map((each) => each.join(' with '));
  return [`${count} of these is needed: ${truncateWithEllipsis(names.join(', '), 300)}.`];
}

function requiredBy({ parts }: Shape): readonly string[] {
  const [only] = parts;
  if (parts.length !== 1 || only === undefined || isRecord(own(only.schema, 'not'))) return [];
  const required = own(only.schema, 'required');
  return isStringArray(required) ? required.slice(0, 20) : [];
}
