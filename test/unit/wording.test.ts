import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** Words that CONTRIBUTING.md (*How Patchbay speaks*) keeps out of what a person reads. */
const unwanted = new RegExp(
  [
    String.raw`\b(whoever|whomever|nobody|somebody|told|stands|anew|mend|mends|mended|invented)\b`,
    // “is no longer”, “by itself”, “in”, “check”, “is not a …”, “continues”, “declined automatically”.
    String.raw`\b(any more|belongs? into|take care|goes on|is over|refused unseen|let through)\b`,
    String.raw`(?<!there )\bis no (?!longer)`,
  ].join('|'),
  'i',
);

/** Where a text is not a sentence of Patchbay's: programs and prompts of the demo server, in their own words. */
const ownWords = /^demo\//;

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !ownWords.test(path));

/** The texts in code: strings and templates with a space in them, without comments. */
async function textsOf(path: string): Promise<string[]> {
  const { code } = await transform(readFileSync(join('src', path), 'utf8'), { loader: 'ts', charset: 'utf8' });
  const literals = code.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? [];
  return literals.filter((literal) => literal.includes(' '));
}

describe('the words that a person reads', () => {
  it('are found in code, and only there: a comment may say them', async () => {
    const code = 'const a = `The server is told ${1}.`; // Nobody reads this.';
    const { code: plain } = await transform(code, { loader: 'ts' });
    expect(plain).toMatch(unwanted);
    expect(plain).not.toContain('Nobody');
    expect((await textsOf('host/signIn/authorizationFacts.ts')).some((text) => text.includes('Sign In Again'))).toBe(
      true,
    );
  });

  it('of the extension are plain', async () => {
    const found = await Promise.all(
      sources.map(async (path) =>
        (await textsOf(path)).filter((text) => unwanted.test(text)).map((text) => `${path}: ${text}`),
      ),
    );
    expect(found.flat()).toEqual([]);
  });

  it.each(['package.nls.json', 'README.md'])('of %s are plain', (path) => {
    const lines = readFileSync(path, 'utf8').split('\n');
    expect(lines.filter((line) => unwanted.test(line))).toEqual([]);
  });
});
