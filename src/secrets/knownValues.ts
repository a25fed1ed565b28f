import { withoutHidden } from '../base/visibleText.ts';
import { looksLikeSecretName, looksLikeSecretValue } from './secretNames.ts';

export interface KnownSecret {
  readonly value: string;
  readonly kind: 'secretInput' | 'envFile';
  /** A few words for people: `the value of the input "apiKey"`, "GITHUB_TOKEN of .env". */
  readonly what: string;
  /** What can be written in its place, if it comes from there: `${input:apiKey}`. */
  readonly reference?: string | undefined;
  /** True for what was put into a secret input: also a short one is no word of settings. */
  readonly isInput?: true;
}

export interface KnownSecrets {
  readonly secrets: readonly KnownSecret[];
  /** False if an env file was left out, so that its values are not known. */
  readonly isWhole: boolean;
}

/** Minimum characters of a value that is looked for: shorter ones occur by chance. */
const minimumValueLength = 6;
/** Minimum characters of a value whose name does not say that it is secret. */
const minimumUnnamedLength = 8;
/** From this length on, words alone may be a passphrase. */
const minimumPassphraseLength = 16;
/** Characters of a value that are judged. */
const judgedLength = 8_000;

/** Words that messages are full of. */
const protocolWords = new Set(
  'true false none null text type name oauth bearer basic test json object string'.split(' '),
);

const commonValues = new Set(
  `undefined localhost default enabled disabled production prod-eu staging development testing sandbox preview release
  verbose warning silent changeme change-me password postgres mysql mariadb sqlite sqlite3 mongodb redis admin administrator
  username example example.com anonymous unknown nothing console application/json 127.0.0.1 0.0.0.0 255.255.255.255 chrome
  firefox github gitlab latest stable nightly memory filesystem session cookie required optional always never
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
  return text.length >= minimumValueLength && !isCommon(text);
}

/**
 * True for a value that may be hidden wherever a text has it: one that {@link isWorthFinding}, or a shorter one of a secret input,
 * or with letters and digits, that is no common word either.
 */
export function isWorthHiding({ value, isInput }: KnownSecret): boolean {
  if (isWorthFinding(value)) return true;
  const text = withoutHidden(value).trim();
  const isWordOrNumber = /^(?:\p{L}*|\p{N}*)$/u.test(text);
  return !isCommon(text) && (isInput === true || !isWordOrNumber);
}

/** True for a value that is hidden where it is the whole text. */
export function isHiddenWhole({ value, isInput }: KnownSecret): boolean {
  return isInput === true || !protocolWords.has(value.trim().toLowerCase());
}

function isCommon(text: string): boolean {
  const word = text.toLowerCase();
  return commonValues.has(word) || protocolWords.has(word) || /^(.)\1*$/s.test(text);
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
  if (looksLikeSecretName(name.slice(0, 200)) || looksLikeSecretValue(text.slice(0, judgedLength))) return true;
  if (text.length < minimumUnnamedLength) return false;
  if (text.length < minimumPassphraseLength && /^[A-Za-z]+(?:[-_. /][A-Za-z]+)*[-_ ]?\d{0,2}$/.test(text)) return false;
  return !/^(?:[\d.,:+TZ -]+|[a-z][a-z+]{1,15}:\/\/[\w.-]{1,200}(?::\d{1,5})?\/?|\.{0,2}\/[\w./-]*)$/i.test(text);
}
