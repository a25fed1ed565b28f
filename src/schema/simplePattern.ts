/** One character of a pattern, or a set of characters, repeated. */
interface Step {
  readonly has: (character: string) => boolean;
  readonly least: number;
  readonly most: number;
}

/** How many more characters may be looked at. */
export interface CharacterBudget {
  left: number;
}

/** Longer patterns and texts are not matched. */
const maximumLength = 200;

/** A set without sets in it, a shorthand, an escaped sign or a character that is no sign; then how often. */
const stepPattern =
  /(\[\^?(?:\\[^A-Za-z0-9]|\\[dws]|[^[\]\\])*\]|\\[dws]|\\[^\w\s]|[^^$()|*+?{}[\]\\])(?:([*+?])|\{(\d{1,3})(?:(,)(\d{0,3}))?\})?/uy;

/**
 * Reads a regular expression of a server, which is run for single characters only: a plain sequence of characters, sets and
 * repetitions is understood.
 * @returns a function that says whether a text matches; `undefined` for any other pattern, for a text that is too long, and once
 *   more characters would have to be looked at than are left
 */
export function simplePattern(pattern: string): (text: string, budget?: CharacterBudget) => boolean | undefined {
  const isFromStart = pattern.startsWith('^');
  const isToEnd = pattern.endsWith('$') && !pattern.endsWith('\\$');
  const isShort = pattern.length <= maximumLength;
  const steps = isShort ? parse(pattern.slice(isFromStart ? 1 : 0, isToEnd ? -1 : undefined)) : undefined;
  return (text, budget = { left: Infinity }) => {
    if (steps === undefined || text.length > maximumLength) return undefined;
    const characters = Array.from(text);
    // The places of the text that can be reached with the steps so far.
    let places = new Set(isFromStart ? [0] : characters.keys());
    if (!isFromStart) places.add(characters.length);
    for (const step of steps) places = after(step, places, characters, budget);
    if (budget.left < 0) return undefined;
    return isToEnd ? places.has(characters.length) : places.size > 0;
  };
}

function after(
  { has, least, most }: Step,
  places: ReadonlySet<number>,
  characters: readonly string[],
  budget: CharacterBudget,
): Set<number> {
  const reached = new Set<number>();
  for (const place of places) {
    for (let count = 0; count <= most && budget.left >= 0; count += 1) {
      budget.left -= 1;
      if (count >= least) reached.add(place + count);
      const next = characters[place + count];
      if (next === undefined || !has(next)) break;
    }
  }
  return reached;
}

function parse(source: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (let at = 0; at < source.length; at = stepPattern.lastIndex) {
    stepPattern.lastIndex = at;
    const [, atom, sign, count, comma, limit] = stepPattern.exec(source) ?? [];
    const has = atom === undefined ? undefined : testOf(atom);
    if (has === undefined) return undefined;
    const least = Number(count ?? (sign === '*' || sign === '?' ? 0 : 1));
    const isOpen = sign === '*' || sign === '+' || (comma === ',' && limit === '');
    const most = isOpen ? Infinity : Number(limit || count || 1);
    steps.push({ has, least, most });
  }
  return steps;
}

function testOf(atom: string): Step['has'] | undefined {
  if (atom.length === 1 && atom !== '.') return (character) => character === atom;
  // Some escapes, as `\-` outside a set, are none in patterns that know Unicode.
  for (const flags of ['u', '']) {
    try {
      const pattern = new RegExp(`^${atom}$`, flags);
      return (character) => pattern.test(character);
    } catch {
      // Another way of reading it, or none.
    }
  }
  return undefined;
}
