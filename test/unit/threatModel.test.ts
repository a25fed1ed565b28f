import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'src/THREATS.md'), 'utf8');

/** Each "`test/….test.ts`: *name of a test*" of the page. */
const references = [...page.matchAll(/`(test\/[\w/.]+)`: \*([^|]+?)\*(?=;| \|)/g)].map(
  ([, file = '', name = '']) => [file, name] as const,
);

describe('the threat model', () => {
  it('names a test in each row of its tables', () => {
    const rows = page.split('\n').filter((line) => /^\| (?!wants|---)/.test(line) && !line.startsWith('|---'));
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) expect(row).toMatch(/`test\/[\w/.]+`: \*/);
  });

  it.each(references)('is right about %s: %s', (file, name) => {
    expect(existsSync(join(root, file))).toBe(true);
    const source = readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'");
    expect(source).toContain(name);
  });
});
