import { keyStarts } from './secretNames.ts';

/** `ab` as `[aA][bB]`: what follows a word is compared with its case. */
const inAnyCase = (words: string): string =>
  words.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`).replaceAll(' ', '|');

/**
 * Words of secret names, and of headers with credentials, that no small letter follows: `path` and `keyboard` are none. Each request has
 * a `progressToken`, which is no secret.
 */
const mayBeName = new RegExp(
  `(?:${inAnyCase('token secret pass passw passwd password passphrase pwd credential credentials cookie')}|${inAnyCase(
    'authorization auth key pat dsn bearer basic dpop',
  )})(?![a-z])(?<!"progressToken(?="))`,
);

/** Parameters that grant access although their names do not look secret. */
const parameters = inAnyCase('code sig signature assertion session sid ticket jwt');

/** None needs the edge of a word before it: there may be an escape of JSON, as in `\nsk-…`. */
const mayBeValue = new RegExp(`${keyStarts}|-----BEGIN |://[^\\s/@"']+@|[?&#;](?:${parameters})=`);

/**
 * True for JSON, as `JSON.stringify` writes it, in which nothing looks secret because of its name or its form. False says nothing:
 * a closer look is needed. Takes a fraction of that look, and most messages need no other.
 */
export function isPlainJson(json: string): boolean {
  return !mayBeName.test(json) && !mayBeValue.test(json);
}
