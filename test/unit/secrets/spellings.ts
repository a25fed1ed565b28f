/** A value with everything that encodings treat in their own way. */
export const sample = 'hunter2-Tr0ub4dor&3/"x"';

const toBase64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');
const toHex = (text: string): string => Buffer.from(text).toString('hex');
const each = (text: string, write: (character: string, index: number) => string): string =>
  Array.from(text).map(write).join('');
const units = (text: string, write: (unit: number, index: number) => string): string =>
  Array.from({ length: text.length }, (_, index) => write(text.charCodeAt(index), index)).join('');
const bytes = (text: string, write: (digits: string, byte: number) => string): string =>
  Array.from(Buffer.from(text), (byte) => write(byte.toString(16).padStart(2, '0'), byte)).join('');
const hexOf = (character: string, digits = 2): string =>
  (character.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const toPercent = (text: string): string => bytes(text, (digits) => `%${digits}`);
const every = (text: string, length: number, between: string): string =>
  text.replaceAll(new RegExp(`.{${length}}`, 'gs'), (part) => part + between);

/** Lines of sixteen bytes: where they are, the bytes, and the text. */
const dump = (text: string, after: string, together: number, end: string): string =>
  (
    Buffer.from(text)
      .toString('latin1')
      .match(/.{1,16}/gs) ?? []
  )
    .map((part, index) => {
      const digits = Buffer.from(part, 'latin1').toString('hex');
      const start = (index * 16).toString(16).padStart(8, '0');
      return `\n${start}${after}${every(digits, together * 2, ' ')
        .trim()
        .padEnd(47)}${end} |${part.replaceAll(/[^ -~]/g, '.')}|`;
    })
    .join('');

/** Ways to write a text. Each can be applied to what another one has written. */
export const encoders: Readonly<Record<string, (text: string) => string>> = {
  JSON: (text) => JSON.stringify({ a: text }),
  'JSON for HTML': (text) => JSON.stringify(text).replaceAll(/[&<>'/]/g, (character) => `\\u${hexOf(character, 4)}`),
  'JSON with \\/': (text) => JSON.stringify(text).replaceAll('/', '\\/'),
  'unicode escapes': (text) => units(text, (unit) => `\\u${unit.toString(16).padStart(4, '0')}`),
  'some unicode escapes': (text) =>
    units(text, (unit, index) =>
      index % 3 === 0 ? `\\u${unit.toString(16).toUpperCase().padStart(4, '0')}` : String.fromCharCode(unit),
    ),
  'unicode escapes in braces': (text) => each(text, (character) => `\\u{${hexOf(character)}}`),
  '\\x': (text) => bytes(text, (digits) => `\\x${digits}`),
  octal: (text) => bytes(text, (_, byte) => `\\${byte.toString(8).padStart(3, '0')}`),
  base64: toBase64,
  'base64 for addresses': (text) => Buffer.from(text).toString('base64url'),
  'base64 after one byte': (text) => toBase64(`u${text}`),
  'base64 after two bytes': (text) => toBase64(`u:${text}:and more`),
  'base64 in short lines': (text) => every(toBase64(text), 8, '\n'),
  'base64 in lines of 5': (text) => every(toBase64(text), 5, '\r\n'),
  'base64 in quoted lines': (text) => every(toBase64(text), 7, '\n> '),
  'base64 in a difference': (text) => toBase64(text).replaceAll(/.{1,9}/g, '\n+$&'),
  'base64 in joined texts': (text) => `"${every(toBase64(text), 9, '" +\n  "')}"`,
  'a dump of xxd': (text) => dump(text, ': ', 2, ' '),
  'a dump of hexdump': (text) => dump(text, '  ', 1, '').replaceAll(/((?: \w\w){8}) /g, '$1  '),
  'base64 of UTF-16': (text) => toBase64(Buffer.from(text, 'utf16le')),
  'base64 of big-endian UTF-16': (text) => toBase64(utf16be(text)),
  hex: toHex,
  'hex in capitals': (text) => toHex(text).toUpperCase(),
  'hex with blanks': (text) => every(toHex(text), 2, ' '),
  'hex with colons': (text) => every(toHex(text), 2, ':'),
  'hex with 0x': (text) => bytes(text, (digits) => `0x${digits}, `),
  'hex of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('hex'),
  'numbers of characters': (text) => JSON.stringify([...Buffer.from(text)]),
  'binary digits': (text) => bytes(text, (_, byte) => `${byte.toString(2).padStart(8, '0')} `),
  percent: encodeURIComponent,
  'percent of all': toPercent,
  'percent of some': (text) => each(text, (character, index) => (index % 2 === 0 ? toPercent(character) : character)),
  form: (text) => new URLSearchParams({ a: text }).toString(),
  HTML: (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('/', '&sol;'),
  'decimal HTML': (text) => each(text, (character) => `&#${character.codePointAt(0)};`),
  'HTML with zeros before': (text) => each(text, (character) => `&#x00000000000${hexOf(character)};`),
  'braces with zeros before': (text) => each(text, (character) => `\\u{0000000000${hexOf(character)}}`),
  'hexadecimal HTML': (text) => each(text, (character) => `&#x${hexOf(character)};`),
  'quoted-printable': (text) =>
    bytes(text, (digits, byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9]/.test(character) ? character : `=${digits.toUpperCase()}`;
    }),
};

/** Ways to write a text that leave its letters and digits in their order, and other ways that are only for people. */
export const disguises: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  quoted: (text) => `'${text}'`,
  'SQL quotes': (text) => text.replaceAll('"', '""'),
  'shell quotes': (text) => text.replaceAll(/["&]/g, '\\$&'),
  'joined texts': (text) => `"${text.slice(0, 7)}" + "${text.slice(7)}"`,
  'joined texts over lines': (text) => `'${text.slice(0, 9)}' .\n    '${text.slice(9)}'`,
  blanks: (text) => each(text, (character) => `${character} `),
  'a line break': (text) => `${text.slice(0, 10)}\n${text.slice(10)}`,
  'many line breaks': (text) => `${text.slice(0, 10)}${'\n'.repeat(200)}${text.slice(10)}`,
  dashes: (text) => every(text, 4, '-'),
  capitals: (text) => text.toUpperCase(),
  'small letters': (text) => text.toLowerCase(),
  reversed: (text) => Array.from(text).toReversed().join(''),
  'full width': (text) => each(text, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0)),
  'mathematical letters': (text) =>
    text.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 0x61)),
  'Cyrillic letters': (text) => text.replaceAll('o', 'о').replaceAll('e', 'е').replaceAll('x', 'х'),
  'zero width': (text) => Array.from(text).join('\u200b'),
  'soft hyphens': (text) => Array.from(text).join('\u00ad'),
  joiners: (text) => Array.from(text).join('\u2060'),
  'variation selectors': (text) => each(text, (character) => `${character}\ufe0f`),
  'grapheme joiners': (text) => each(text, (character) => `${character}\u034f`),
  'combining accents': (text) => each(text, (character) => `${character}\u0301`),
  'tag characters': (text) => Array.from(text).join('\u{E0041}'),
};

/** All of them, and some of encodings inside of each other. */
export const spellings: Readonly<Record<string, (text: string) => string>> = {
  ...disguises,
  ...encoders,
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify({ a: text })),
  'JSON in JSON in JSON': (text) => JSON.stringify(JSON.stringify(JSON.stringify({ a: text }))),
  'base64 twice': (text) => toBase64(toBase64(text)),
  'base64 three times': (text) => toBase64(toBase64(toBase64(text))),
  'percent twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'percent of base64': (text) => encodeURIComponent(toBase64(text)),
  'base64 of hex': (text) => toBase64(toHex(text)),
  'hex of base64': (text) => toHex(toBase64(text)),
  'base64 of JSON': (text) => toBase64(JSON.stringify({ password: text })),
  'base64 of reversed text': (text) => toBase64(Array.from(text).toReversed().join('')),
  'base64 of Basic in JSON': (text) => JSON.stringify({ authorization: `Basic ${toBase64(`ada:${text}`)}` }),
  'lines of base64 in JSON': (text) => JSON.stringify(every(toBase64(text), 6, '\n')),
  'percent of UTF-16': (text) =>
    Array.from(Buffer.from(text, 'utf16le'), (byte) => `%${hexOf(String.fromCharCode(byte))}`).join(''),
  'HTML in JSON': (text) => JSON.stringify(text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')),
  'HTML twice': (text) => text.replaceAll('&', '&amp;amp;').replaceAll('"', '&amp;quot;'),
  'full width in percent': (text) =>
    encodeURIComponent(text.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))),
};
