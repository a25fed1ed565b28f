import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import type { OpenTarget } from './target.ts';

const folder = resolve('test/fuzz/corpus');

/** Cases that failed before, and must pass. */
function readCorpus(target: string): readonly unknown[] {
  const own = join(folder, target);
  if (!existsSync(own)) return [];
  return readdirSync(own)
    .toSorted((one, other) => one.localeCompare(other))
    .map((file) => JSON.parse(readFileSync(join(own, file), 'utf8')) as unknown);
}

/** Saves a case, so that every run tries it first. @returns the file */
export function saveFinding(target: string, found: unknown): string {
  const own = join(folder, target);
  mkdirSync(own, { recursive: true });
  const text = `${JSON.stringify(found, undefined, 2)}\n`;
  const file = join(own, `${createHash('sha256').update(text).digest('hex').slice(0, 12)}.json`);
  writeFileSync(file, text);
  return file;
}

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

/** Messages of a worker to its parent process. */
export type FromWorker =
  | { readonly kind: 'case'; readonly input: unknown }
  | {
      readonly kind: 'end';
      readonly cases: number;
      readonly finding: Finding | undefined;
      /** Failures of the run as a whole. */
      readonly problems: readonly string[];
      /** Bytes in use after the first round and at the end. */
      readonly memory: readonly [number, number];
    };
