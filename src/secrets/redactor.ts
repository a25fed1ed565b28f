import { formatCount } from '../base/truncate.ts';
import { joinedTexts } from './jsonTexts.ts';
import { isHiddenWhole, isWorthFinding, isWorthHiding, type KnownSecret } from './knownValues.ts';
import { isPlainJson } from './plainJson.ts';
import { secretParameter } from './planSecrets.ts';
import { keyShapes, looksLikeSecretName, secretMask } from './secretNames.ts';
import { createSecretSearch, type SearchResult } from './secretSearch.ts';
import { runNow, type Steps } from './steps.ts';

/** Replaces secrets in texts that are shown or kept. */
export type Redactor = ReturnType<typeof createRedactor>;

/** Characters after the maximum that are searched too: a secret that begins before it may end there. */
const searchedAfter = 8_192;

/** Short texts, such as names of members, whose result is kept: most messages of a server have the same. */
const remembered = { texts: 2_000, characters: 64 };

/**
 * Creates a redactor that hides known secrets, however they are written, and values that look secret because of their context.
 * Other values, see {@link isWorthHiding}, and those shorter than four characters are hidden where they are the whole text.
 */
export function createRedactor(secrets: readonly KnownSecret[]) {
  const whole = new Set(secrets.filter(isHiddenWhole).map(({ value }) => value));
  const worth = secrets.filter(isWorthHiding);
  const known = createSecretSearch(worth, true);
  const isAnyFound = worth.length > 0;

  const remembers = new Map<string, string>();

  /** @param maximum characters that are kept; a cut leaves no part of a secret */
  function hide(text: string, maximum = Infinity): string {
    if (whole.has(text)) return secretMask;
    return withoutHits(text, runNow(known.search(text.slice(0, maximum + searchedAfter))), maximum);
  }

  function withoutHits(text: string, { hits, isWhole }: SearchResult, maximum: number): string {
    if (!isWhole) return secretMask;
    const pieces: string[] = [];
    let from = 0;
    for (const { start, end } of hits) {
      if (start >= maximum) break;
      pieces.push(text.slice(from, start), secretMask);
      from = end;
    }
    const shown = hideByContext(pieces.join('') + text.slice(from, Math.max(from, maximum)));
    const left = text.length - Math.max(from, maximum);
    return left > 0 ? `${shown}… (${formatCount(left)} more characters)` : shown;
  }

  function* holdsSplitSteps(json: string): Steps<boolean> {
    if (!isAnyFound) return false;
    for (const text of [json, ...joinedTexts(json)]) {
      const { hits, isWhole } = yield* known.search(text);
      if (!isWhole || hits.some(({ secret }) => isWorthFinding(secret.value))) return true;
    }
    return false;
  }

  return {
    /** True only for JSON, as `JSON.stringify` writes it, in which nothing is to be hidden: a fast yes for most messages. */
    isPlain: (json: string) => secrets.length === 0 && isPlainJson(json),
    /**
     * True for JSON that holds a known secret split over several of its texts, in numbers or in names of members; true too for one
     * that cannot be searched as a whole. Of short and common values, see {@link isWorthFinding}, nothing is said.
     */
    holdsSplit: (json: string) => runNow(holdsSplitSteps(json)),
    holdsSplitSteps,
    text: hide,
    /** The same for a long text, of which all is kept. */
    *textSteps(text: string): Steps<string> {
      return whole.has(text) ? secretMask : withoutHits(text, yield* known.search(text), Infinity);
    },
    /** The same, for a text or a name in a parsed message: no part of a longer text, which would be kept with it. */
    member(text: string, maximum = Infinity): string {
      if (text.length > Math.min(remembered.characters, maximum)) return hide(text, maximum);
      const before = remembers.get(text);
      if (before !== undefined) return before;
      const shown = hide(text);
      if (remembers.size >= remembered.texts) remembers.clear();
      remembers.set(text, shown);
      return shown;
    },
  };
}

/** True if the value of a member or argument with this name is hidden. MCP's `progressToken` is not a secret. */
export function isSecretName(name: string): boolean {
  return name !== 'progressToken' && looksLikeSecretName(name.slice(0, 200));
}

/** None of these patterns requires the end of a secret, so they also match texts that were cut. */
const privateKey = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}-----|$)/g;
const schemeWithCredentials = /\b(bearer|basic|dpop)(\s+)[A-Za-z0-9+/=._~-]{6,}/gi;
const headerLine = /\b((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*:\s*["']?)[^\r\n"']+/gi;
const namedLine =
  /\b(pass(?:word|wd|phrase)|secret|api[-_ ]?key|(?:access|refresh)[-_ ]token)(\s{0,3}:\s{0,3})[^\s"']+/gi;
const userInfo = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"']{1,1000}@/gi;
/** `name=value` of URLs, forms and environments. */
const assignment = /([?&#;]?)\b([\w.-]{1,60})=([^&\s"'#;,)\\]+)/g;
/** `"name": "value"` of JSON inside a text, with or without escaped quotes. */
const jsonMember = /("([^"\\]{1,100})"\s*:\s*")(?:[^"\\]|\\.)*/g;
const escapedMember = /(\\"([^"\\]{1,100})\\"\s*:\s*\\")(?:[^"\\]|\\\\.)*/g;

function hideMember(member: string, before: string, name: string): string {
  return isSecretName(name) ? `${before}${secretMask}` : member;
}

/** What each pattern that can match a text of less than 16 characters needs. */
const contextStart = /[:=\s"-]/;

function hideByContext(text: string): string {
  if (text.length < 16 && !contextStart.test(text)) return text;
  const hidden = text
    .replace(privateKey, secretMask)
    .replace(headerLine, `$1$2${secretMask}`)
    .replace(namedLine, `$1$2${secretMask}`)
    .replace(schemeWithCredentials, `$1$2${secretMask}`)
    .replace(userInfo, `$1${secretMask}@`)
    .replace(assignment, (match, before: string, name: string) =>
      isSecretName(name) || (before !== '' && secretParameter.test(name)) ? `${before}${name}=${secretMask}` : match,
    )
    .replace(jsonMember, hideMember)
    .replace(escapedMember, hideMember);
  return keyShapes.reduce((rest, { pattern }) => rest.replace(pattern, secretMask), hidden);
}
