/**
 * True when `pattern` cannot take exponential time, judged with room to spare: no repetition of unknown length
 * around something that repeats or branches itself. A server writes both the pattern and the text it runs on, and a
 * JavaScript regular expression cannot be stopped.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > 1_000 || /\\[1-9k]/.test(pattern)) return false;
  // Escapes and classes count as one character each: whatever is in them neither groups nor repeats.
  let rest = pattern.replace(/\\[\s\S]/g, 'x').replace(/\[[^\]]*\]/g, 'x');
  const innerGroup = /\((?:\?(?:<?[=!]|:|<\w+>))?([^()]*)\)(\*|\+|\{\d+,\}|\{\d+(?:,\d+)?\})?/;
  for (let match = innerGroup.exec(rest); match !== null; match = innerGroup.exec(rest)) {
    const [whole, body = '', repetition] = match;
    const isRisky = /[*+{|]/.test(body);
    if (isRisky && repetition !== undefined) return false;
    // A group that repeats or branches keeps doing so inside an outer one.
    rest = rest.replace(whole, () => (isRisky || repetition !== undefined ? 'x+' : 'x'));
  }
  return true;
}

/** A pattern ready to be tried on texts. ajv tells patterns apart by `toString`. */
export interface CompiledPattern {
  test(text: string): boolean;
  toString(): string;
}

/** Compiles a pattern as JSON Schema means it. One that is not safe, or not a regular expression, matches everything. */
export function compilePattern(pattern: string): CompiledPattern {
  const expression = isSafePattern(pattern) ? (tryCompile(pattern, 'u') ?? tryCompile(pattern, '')) : undefined;
  const longest = longestText(pattern);
  return {
    test: (text) => expression === undefined || text.length > longest || expression.test(text),
    toString: () => `/${pattern}/`,
  };
}

/**
 * Characters a text may have for `pattern` to be tried on it. What is left after {@link isSafePattern} takes polynomial
 * time, a power for each repetition and one for the start; this keeps it below some hundred million steps.
 */
function longestText(pattern: string): number {
  const repetitions = pattern.match(/[*+{]/g)?.length ?? 0;
  return Math.floor(1e8 ** (1 / (repetitions + 1)));
}

function tryCompile(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    // Not in this dialect of regular expressions. Many schemas are written for one without the u flag.
    return undefined;
  }
}
