import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve('test/fuzz/corpus');

/** Cases that failed before, and must pass. */
export function readCorpus(target: string): readonly unknown[] {
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
