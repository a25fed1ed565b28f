import { looksLikeSecretName, looksLikeSecretValue } from '../../../config/secretDetection.ts';
import { truncate } from '../../../base/truncate.ts';
import { withoutHidden } from '../../../base/visibleText.ts';

/** Minimum characters of a value that is looked for: shorter ones occur by chance. */
const minimumValueLength = 6;
/** Minimum characters of a value whose name does not say that it is secret. */
const minimumUnnamedLength = 8;
/** From this length on, words alone may be a passphrase. */
const minimumPassphraseLength = 16;
/** Minimum characters of one line of a value with several, such as a private key. */
const minimumLineLength = 16;
/** Lines of such a value that are looked for. */
const maximumLines = 20;
/** Characters of a value that are looked for; of a longer one, the beginning. */
const maximumValueLength = 8_000;

const commonValues = new Set(
  `undefined localhost default enabled disabled production prod-eu staging development testing sandbox preview release
  verbose warning silent changeme change-me password postgres mysql mariadb sqlite sqlite3 mongodb redis admin administrator
  username example example.com anonymous unknown nothing console application/json 127.0.0.1 0.0.0.0 255.255.255.255 chrome
  firefox github gitlab latest stable nightly memory filesystem session cookie bearer basic required optional always never
  master english united states 000000 0000000 00000000 111111 123456 1234567 12345678 123456789 1234567890`.split(
    /\s+/,
  ),
);

/**
 * True for a value that is looked for in requests: at least six characters that are no common word of settings (`production`,
 * `localhost`, `changeme`) and no repetition of one character.
 */
export function isWorthFinding(value: string): boolean {
  const text = withoutHidden(value).trim();
  return text.length >= minimumValueLength && !commonValues.has(text.toLowerCase()) && !/^(.)\1*$/s.test(text);
}

/**
 * True for a setting of an env file that may be secret. Such files contain more than secrets, and a mark for each `my-shop` or
 * `https://api.example.com` would teach people to ignore marks. Without a secret's name (`…_TOKEN`, `…_KEY`) or form (`ghp_…`),
 * these are not secret: values shorter than eight characters; words with at most two digits after them, shorter than 16
 * characters (`us-east-1`, `my-shop`); numbers, versions and dates; an address without a user, a query and a path; a path in
 * the project.
 */
export function isSecretSetting(name: string, value: string): boolean {
  const text = withoutHidden(value).trim();
  if (!isWorthFinding(text)) return false;
  if (looksLikeSecretName(name.slice(0, 200)) || looksLikeSecretValue(text.slice(0, maximumValueLength))) return true;
  if (text.length < minimumUnnamedLength) return false;
  if (text.length < minimumPassphraseLength && /^[A-Za-z]+(?:[-_. /][A-Za-z]+)*[-_ ]?\d{0,2}$/.test(text)) return false;
  return !/^(?:[\d.,:+TZ -]+|[a-z][a-z+]{1,15}:\/\/[\w.-]{1,200}(?::\d{1,5})?\/?|\.{0,2}\/[\w./-]*)$/i.test(text);
}

/**
 * The texts in which a value may occur: as it is, its longer lines (of many, some from
 * all of it), inside JSON, inside a URL or a form, as hexadecimal digits, and as base64 (also inside the base64 of
 * a longer text, where each of three alignments gives another text).
 */
export function formsOf(value: string): readonly string[] {
  const text = truncate(withoutHidden(value).trim(), maximumValueLength);
  const lines = text.split(/\r?\n/).filter(({ length }) => length >= minimumLineLength);
  const percent = encodeURIComponent(text);
  const bytes = new TextEncoder().encode(text);
  const hexadecimal = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const forms = [
    text,
    ...spread(lines, maximumLines),
    JSON.stringify(text).slice(1, -1),
    percent,
    percent.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    new URLSearchParams([['', text]]).toString().slice(1),
    hexadecimal,
    hexadecimal.toUpperCase(),
    ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset)),
  ];
  return [...new Set(forms)].filter((form) => form.length >= minimumValueLength);
}

/** At most `maximum` entries, at equal distances: whoever copies a part of a long value copies one of them. */
function spread<T>(entries: readonly T[], maximum: number): readonly T[] {
  const distance = Math.ceil(entries.length / maximum);
  return entries.filter((_entry, index) => index % distance === 0);
}

/** The base64 characters that depend on `bytes` alone, when `offset` other bytes are before them in their group of three. */
function base64At(bytes: Uint8Array, offset: number): readonly string[] {
  const before = '\0'.repeat(offset);
  const encoded = btoa(before + Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const standard = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  return [standard, standard.replaceAll('+', '-').replaceAll('/', '_')];
}
