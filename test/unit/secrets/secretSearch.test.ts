import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinedTexts } from '../../../src/secrets/jsonTexts.ts';
import type { KnownSecret } from '../../../src/secrets/knownValues.ts';
import { createRedactor } from '../../../src/secrets/redactor.ts';
import { secretMask } from '../../../src/secrets/secretNames.ts';
import { createSecretSearch, type SearchResult } from '../../../src/secrets/secretSearch.ts';
import { runNow } from '../../../src/secrets/steps.ts';
import { disguises, encoders, sample, spellings } from './spellings.ts';
import { cases } from '../../fixtures/cases.ts';

const secretOf = (value: string): KnownSecret => ({ value, kind: 'secretInput', what: 'the secret' });
const others = ['zq81-env-token', 'correct horse battery staple', 'ghp-0f1e2d3c4b5a', 'pa55word/é+ñ'].map(secretOf);
const search = createSecretSearch([secretOf(sample), ...others]);

function find(text: string, values?: readonly string[]): SearchResult {
  const used = values === undefined ? search : createSecretSearch(values.map(secretOf));
  return runNow(used.search(text));
}

const found = (text: string, values?: readonly string[]): readonly string[] =>
  find(text, values).hits.map(({ start, end }) => text.slice(start, end));

/** Combinations that read as another text, or that THREATS.md excludes. */
function isAmbiguous(inner: string, first: string, second: string): boolean {
  // Of UTF-16, only Latin-1 is read.
  if (second.includes('UTF-16')) return !/^[ -~\s]*$/.test(inner);
  // A backslash that is not escaped itself goes with the escape after it.
  if (second === 'some unicode escapes') return inner.includes('\\');
  // A plus for a blank is a digit of base64, and no blank of a dump.
  return second === 'form' && /^base64 in (?:quoted|joined)|dump/.test(first);
}

describe('a known secret', () => {
  it.each(Object.entries(spellings))('is found as %s', (_name, write) => {
    const written = write(sample);
    const { hits, isWhole } = find(`Before it, ${written} and after it.`);
    expect(isWhole).toBe(true);
    expect(hits.map(({ secret }) => secret.value)).toContain(sample);
  });

  it.each(Object.entries(spellings))('without a letter is not found as %s', (_name, write) => {
    expect(found(write(sample.replace('b', '')))).toEqual([]);
  });

  it.each(Object.entries(disguises))('is covered as a whole as %s', (_name, write) => {
    const written = write(sample);
    expect(
      found(`«${written}»`)
        .join('')
        .replaceAll(/[^\p{L}\p{N}]/gu, ''),
    ).toBe(written.replaceAll(/[^\p{L}\p{N}]/gu, ''));
  });

  it.each(Object.entries(encoders))('is covered, and little else, as %s', (_name, write) => {
    const [start, end] = ['begin ', ' end'];
    const text = `${start}${write(`in front ${sample} behind`)}${end}`;
    const [hit, ...more] = find(text).hits;
    expect(more).toEqual([]);
    const rest = `${text.slice(0, hit?.start)}${text.slice(hit?.end)}`;
    expect(found(rest)).toEqual([]);
    // What stands for the words before and after it stays, but for what it has in common with the secret.
    const covered = (hit?.end ?? 0) - (hit?.start ?? 0);
    expect(covered / (text.length - start.length - end.length)).toBeLessThan(0.75);
  });

  it('is found in what an encoder made of what another one made', () => {
    const missed: string[] = [];
    for (const [first, write] of Object.entries({ ...encoders, ...disguises })) {
      for (const [second, encode] of Object.entries(encoders)) {
        if (isAmbiguous(write(sample), first, second)) continue;
        const { hits } = find(`Before it, ${encode(write(sample))} and after it.`);
        if (!hits.some(({ secret }) => secret.value === sample)) missed.push(`${second} of ${first}`);
      }
    }
    expect(missed).toEqual([]);
  });

  it('is found whatever it is made of, in every encoding', () => {
    const value = fc
      .string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 60 })
      .map((text) => text.trim())
      .filter(
        (text) => /[0-9]/.test(text) && /[A-Za-z]/.test(text) && text.replaceAll(/[^A-Za-z0-9]/g, '').length >= 8,
      );
    fc.assert(
      fc.property(value, fc.constantFrom(...Object.keys(encoders)), (secret, name) => {
        expect(find(`x ${encoders[name]?.(secret)} y`, [secret]).hits).not.toEqual([]);
      }),
      { numRuns: cases(40, 600) },
    );
  });

  it('in other scripts is found in UTF-8, escaped and in capitals', () => {
    const value = 'пароль-Ключ-42-秘密';
    const ways = ['JSON', 'unicode escapes', 'base64', 'hex', 'percent of all', 'decimal HTML'] as const;
    for (const way of ways) expect(find(`x ${encoders[way]?.(value)}`, [value]).hits, way).toHaveLength(1);
    expect(found(value.toUpperCase(), [value])).toEqual([value.toUpperCase()]);
  });

  it('with escapes in it is found as it is and as what they stand for', () => {
    for (const value of ['C:\\users\\x26\\new1', 'a%41b%42c%2Fd9', 'x&amp;y-secret-1', '\\u0041\\u0042-tokens-7']) {
      for (const write of [String, JSON.stringify, (text: string) => JSON.stringify(JSON.stringify(text))])
        expect(find(write(value), [value]).hits, write(value)).toHaveLength(1);
    }
  });

  it('of many lines is found whole, and by its longer lines', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index} of the private key 0f${index}`);
    const value = lines.join('\n');
    expect(found(`x ${value} y`, [value])).toEqual([value]);
    expect(found(JSON.stringify({ value }), [value])).toEqual([JSON.stringify(value).slice(1, -1)]);
    expect(found(`> ${lines[4]}`, [value])).toEqual([lines[4]]);
  });

  it('is found across the borders of windows', () => {
    for (const before of [57_300, 57_344, 65_500, 65_530]) {
      const text = `${'word '.repeat(before / 5)}${btoa(sample)} ${'word '.repeat(20_000)}`;
      expect(find(text).hits).toHaveLength(1);
    }
  });

  it('that is short, or has no digits, is found as it is and encoded, but not in other words', () => {
    const values = ['hunter2', 'node-20', 'open sesame'];
    expect(found('hunter2 node-20 open sesame', values)).toEqual(values);
    for (const [name, write] of Object.entries(encoders))
      for (const value of values)
        expect(find(`- ${write(value)} -`, [value]).hits, `${name}: ${value}`).toHaveLength(1);
    expect(found('Hunter 2, Node 20, opens a meeting', values)).toEqual([]);
  });

  it.each(['tr!ckypass', 'Sup3r!S3', '48213975', 'x!9$K#2@q/&'])(
    '%s, of few letters and digits, is found in several lines, texts and widths',
    (value) => {
      const [first, second] = [value.slice(0, 6), value.slice(6)];
      const wide = value.replaceAll(/./g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));
      const blocks = JSON.stringify([first, second].map((text) => ({ type: 'text', text })));
      const written = [`${first}\n${second}`, JSON.stringify(`${first}\n${second}`), wide, Array.from(value).join(' ')];
      for (const text of written) expect(find(`- ${text} -`, [value]).hits, text).toHaveLength(1);
      expect(joinedTexts(blocks).some((text) => find(text, [value]).hits.length > 0)).toBe(true);
    },
  );

  it('of few letters or digits is not found in tables and sentences', () => {
    expect(found('48 21 39, t o g e t her, HUNTER 2, node -20', ['482139', 'toget', 'hunter2', 'node20'])).toEqual([]);
    expect(found('482\n139', ['482139'])).toEqual(['482\n139']);
  });

  it('is found where an entity of HTML ends without a semicolon', () => {
    expect(found('- abc&ampdef12345 -', ['abc&def12345'])).toEqual(['abc&ampdef12345']);
  });

  it('that is long is found to its end', () => {
    const words = Array.from({ length: 2_000 }, (_, index) => `w${index * index}`);
    const value = words.join('/');
    expect(value.length).toBeGreaterThan(12_000);
    expect(found(`- ${value} -`, [value])).toEqual([value]);
  });

  it('is found without its first and last lines', () => {
    const lines = Array.from({ length: 30 }, (_, index) =>
      btoa(`${index} ${index ** 9} a line of the key ${index ** 7}`),
    );
    const value = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----'].join('\n');
    const body = lines.join('\n> ').replace(/=+$/, '');
    expect(found(`It is:\n> ${body}`, [value])).toEqual([body]);
  });

  it('is found as it is where there are too many', () => {
    const many = Array.from({ length: 2_100 }, (_, index) => `Value-${index ** 3}-of-them!`);
    const last = many.at(-1) ?? '';
    const all = createSecretSearch(many.map(secretOf));
    expect(all.left).toHaveLength(1);
    expect(runNow(all.search(`${many[0]?.toUpperCase()}, ${last}`)).hits).toHaveLength(2);
    expect(createRedactor(many.map(secretOf)).text(`it is ${last}.`)).toBe(`it is ${secretMask}.`);
  });

  it('that occurs by chance is only found where that is wanted', () => {
    expect(found('true production 4711', ['true', 'production', '4711'])).toEqual([]);
    const wide = createSecretSearch(['4711', 'abc'].map(secretOf), true);
    expect(runNow(wide.search('the 4711 pin, abc')).hits).toHaveLength(1);
  });
});

describe('ordinary text', () => {
  const files = [
    'README.md',
    'CHANGELOG.md',
    'src/README.md',
    'package.json',
    ...readdirSync('test/fixtures/toolSchemas').map((name) => `test/fixtures/toolSchemas/${name}`),
  ];

  it.each(files)('holds no secret: %s', (file) => {
    const text = readFileSync(file, 'utf8');
    const values = [
      'my-api-key-1',
      'token-for-tests',
      'a1b2c3d4',
      'patchbay-secret-1',
      'server-password-x',
      'x7f9a0b1c2',
      'p4ssw0rd!',
    ];
    const { hits, isWhole } = find(text, values);
    expect(hits).toEqual([]);
    expect(isWhole).toBe(true);
  });
});

describe('an ordinary mail', () => {
  const link = (index: number): string =>
    `https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.example.com%2Fnews%2F${index}%3Fid%3D${index * 7_919}%26utm_source%3Dmail%252Fweekly&data=05%7C02%7Ckim%40example.com%7C${'0a1b2c3d'.repeat(4)}%7C0%7CUnknown%7C${encodeURIComponent(btoa('{"V":"0.0.0000","P":"Win32","AN":"Mail","WT":2}'))}%7C0&sdata=${encodeURIComponent(btoa(`signature of the link ${index}`))}&reserved=0`;
  const mail = Array.from({ length: 30 }, (_, index) => `Item ${index}: <${link(index)}> and more words.\r\n`).join('');
  const quotedPrintable = mail.replaceAll('=', '=3D').replaceAll(/((?:=3D|[^=\r\n]){1,72})/g, '$1=\r\n');

  it.each(Object.entries({ plain: mail, HTML: mail.replaceAll('&', '&amp;'), 'quoted-printable': quotedPrintable }))(
    'with long links is searched as a whole: %s',
    (_name, text) => {
      expect(find(text)).toEqual({ hits: [], isWhole: true });
      expect(find(JSON.stringify({ text }))).toEqual({ hits: [], isWhole: true });
      expect(find(`${text}${link(1).replace('www', encodeURIComponent(sample))}`).hits).toHaveLength(1);
    },
  );
});

describe('a text that is made to hold up the search', () => {
  const atoms = [
    'a',
    'YWFh',
    '%25',
    '%2',
    '&#3',
    '\\u00',
    '\\\\',
    '0x4',
    '104, ',
    'hunter2-Tr0ub4dor',
    btoa(sample.slice(0, -3)),
    'ｈ',
    '\u200b',
    '=3D',
    '\\x4',
    '&amp;',
  ];

  it.each(atoms)('%j: is searched as a whole, or said not to be', (atom) => {
    const text = `${atom.repeat(300_000 / atom.length)} ${sample}`;
    const { hits, isWhole } = find(text);
    if (isWhole) expect(hits.length).toBeGreaterThan(0);
  });

  it('is not searched further than its share', () => {
    // Base64 of base64 of base64 …, in which each of the four ways to group its characters decodes to text.
    let text = 'A'.repeat(4_000);
    for (let level = 0; level < 8; level += 1) text = btoa(text);
    const { isWhole } = find(encodeURIComponent(encodeURIComponent(text.slice(0, 200_000))).replaceAll('A', '%2541'));
    expect(typeof isWhole).toBe('boolean');
  });
});

describe('texts of JSON', () => {
  it('are joined in order, without names and types', () => {
    const blocks = [
      { type: 'text', text: sample.slice(0, 12) },
      { type: 'text', text: sample.slice(12), annotations: { priority: 1 } },
    ];
    const joined = joinedTexts(JSON.stringify({ content: blocks, isError: false }));
    expect(joined).toEqual([`${sample.slice(0, 12)}\n${sample.slice(12)}`]);
    expect(found(joined[0] ?? '')).toHaveLength(1);
    expect(joinedTexts('{"a":')).toEqual([]);
    expect(joinedTexts('"a"')).toEqual([]);
  });

  const [first, second] = [sample.slice(0, 12), sample.slice(12)];

  it.each<[string, unknown]>([
    [
      'resources',
      [
        { type: 'text', text: first },
        { type: 'resource', resource: { uri: 'file:///a', text: second } },
      ],
    ],
    ['contents with addresses', [first, second].map((text, index) => ({ uri: `file:///${index}`, text }))],
    ['a picture between', [{ text: first }, { type: 'image', data: btoa('a picture of nothing') }, { text: second }]],
    ['rows with ids', [first, second].map((note, index) => ({ id: `row ${index}`, note }))],
    ['rows without names', [first, second].map((note, index) => [`row ${index}`, note])],
    [
      'arrays of texts',
      [
        { lines: [first], of: 'a' },
        { lines: [second], of: 'b' },
      ],
    ],
  ])('are joined by the names of their members: %s', (_name, value) => {
    expect(joinedTexts(JSON.stringify(value)).some((text) => found(text).length > 0)).toBe(true);
  });
});
