/** One step of a {@link SimplePattern}: a character of some set, repeated. */
interface Step {
  readonly has: (character: string) => boolean;
  readonly least: number;
  readonly most: number;
}

const shorthands: Readonly<Record<string, (character: string) => boolean>> = {
  d: isDigit,
  w: (character) => isDigit(character) || /^[A-Za-z_]$/.test(character),
  s: (character) => /^\s$/.test(character),
};

/** Longer patterns and texts are not matched. */
const maximumLength = 200;

/**
 * Matches a text with a regular expression of a server, without running it: only a plain sequence of characters, sets and
 * repetitions is understood. Time is bounded by the product of the lengths.
 * @returns `undefined` for any other pattern
 */
export function matchesSimplePattern(pattern: string, text: string): boolean | undefined {
  if (pattern.length > maximumLength || text.length > maximumLength) return undefined;
  const isFromStart = pattern.startsWith('^');
  const isToEnd = pattern.endsWith('$') && !pattern.endsWith('\\$');
  const steps = parse(pattern.slice(isFromStart ? 1 : 0, isToEnd ? -1 : undefined));
  if (steps === undefined) return undefined;
  const characters = Array.from(text);
  // The places of the text that can be reached with the steps so far.
  let places = new Set(isFromStart ? [0] : characters.keys());
  if (!isFromStart) places.add(characters.length);
  for (const step of steps) places = after(step, places, characters);
  return isToEnd ? places.has(characters.length) : places.size > 0;
}

function after({ has, least, most }: Step, places: ReadonlySet<number>, characters: readonly string[]): Set<number> {
  const reached = new Set<number>();
  for (const place of places) {
    for (let count = 0; count <= most; count += 1) {
      if (count >= least) reached.add(place + count);
      const next = characters[place + count];
      if (next === undefined || !has(next)) break;
    }
  }
  return reached;
}

function parse(source: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let rest = source;
  while (rest !== '') {
    const atom = parseAtom(rest);
    if (atom === undefined) return undefined;
    rest = rest.slice(atom.length);
    const count = /^(?:[*+?]|\{(\d{1,3})(,?)(\d{0,3})\})/.exec(rest);
    rest = rest.slice(count?.[0].length ?? 0);
    steps.push({ has: atom.has, ...countOf(count) });
  }
  return steps;
}

function countOf(count: RegExpExecArray | null): Pick<Step, 'least' | 'most'> {
  const [sign, least = '', comma, most = ''] = count ?? [];
  if (sign === undefined) return { least: 1, most: 1 };
  if (sign === '*' || sign === '+') return { least: sign === '+' ? 1 : 0, most: Infinity };
  if (sign === '?') return { least: 0, most: 1 };
  if (comma === '') return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? Infinity : Number(most) };
}

interface Atom {
  readonly has: Step['has'];
  /** Of its source. */
  readonly length: number;
}

function parseAtom(source: string): Atom | undefined {
  const [first = '', second = ''] = source;
  if (first === '[') return parseSet(source);
  if (first === '.') return { has: (character) => character !== '\n' && character !== '\r', length: 1 };
  if (first === '\\') return parseEscape(second);
  // A sign of repetition here follows another one: "a+?".
  return '^$()|*+?{}]'.includes(first) ? undefined : { has: (character) => character === first, length: first.length };
}

function parseEscape(name: string): Atom | undefined {
  const shorthand = shorthands[name];
  if (shorthand !== undefined) return { has: shorthand, length: 2 };
  return /^[^\w\s]$/.test(name) ? { has: (character) => character === name, length: 2 } : undefined;
}

/** `[a-z0-9_]` or `[^…]`. */
function parseSet(source: string): Atom | undefined {
  const isInverted = source.startsWith('[^');
  const members: Step['has'][] = [];
  let index = isInverted ? 2 : 1;
  while (source[index] !== ']') {
    const [character, escaped = ''] = source.slice(index);
    if (character === undefined || character === '[') return undefined;
    const single = character === '\\' ? parseEscape(escaped) : { has: is(character), length: 1 };
    if (single === undefined) return undefined;
    const last = source[index + 2];
    if (character !== '\\' && source[index + 1] === '-' && last !== undefined && last !== ']') {
      if (last === '\\') return undefined;
      members.push((each) => each >= character && each <= last);
      index += 3;
    } else {
      members.push(single.has);
      index += single.length;
    }
  }
  return { has: (character) => members.some((has) => has(character)) !== isInverted, length: index + 1 };
}

function is(wanted: string): Step['has'] {
  return (character) => character === wanted;
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}
