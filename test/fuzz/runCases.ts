import * as fc from 'fast-check';
import { readCorpus } from './corpus.ts';
import type { OpenTarget } from './target.ts';

export interface Finding {
  /** The smallest case that shows it. */
  readonly found: unknown;
  readonly problem: string;
}

export interface Ran {
  readonly cases: number;
  readonly finding: Finding | undefined;
}

export interface RunOptions {
  readonly seed: number;
  readonly cases: number;
  /** Whether the time for new cases is over. */
  readonly isOver?: () => boolean;
  /** Runs one case, and may monitor it. */
  readonly around?: (input: unknown, run: () => Promise<void>) => Promise<void>;
}

/**
 * Runs the cases of the corpus, then new cases generated from the seed.
 * @returns with what was found, made small; without where all holds
 */
export async function runCases(
  name: string,
  target: OpenTarget,
  { seed, cases, isOver = () => false, around = (_input, run) => run() }: RunOptions,
): Promise<Ran> {
  const examples = readCorpus(name).map((input): [unknown] => [input]);
  let count = 0;
  const property = fc.asyncProperty(target.cases, async (input) => {
    if (isOver()) return;
    count += 1;
    await around(input, () => target.run(input));
  });
  const details = await fc.check(property, { seed, examples, numRuns: cases + examples.length });
  if (!details.failed) return { cases: count, finding: undefined };
  const error = details.errorInstance;
  const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { cases: count, finding: { found: details.counterexample?.[0], problem } };
}
