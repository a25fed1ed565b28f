const token = /[!#$%&'*+.^_`|~\w-]+/y;
const token68 = /[A-Za-z0-9._~+/-]+=*(?=\s*(?:,|$))/y;
const quotedValue = /"((?:[^"\\]|\\.)*)"?/sy;
// Values that some servers do not quote although they should: scopes, addresses.
const bareValue = /[^\s,"]+/y;
const equals = /\s*=\s*/y;
const spaces = /\s*/y;
const separators = /[\s,]*/y;

/** In characters; longer headers are truncated. */
const maximumHeaderLength = 16_384;

/**
 * Parses a `WWW-Authenticate` header with any number of challenges (RFC 9110, section 11.6.1), also joined from several
 * headers. Invalid parts are skipped, so that an error in one challenge does not hide the others.
 * @returns scheme and names in lower case; of a name that occurs twice, the first value
 */
export function parseChallenges(header: string) {
  const text = header.slice(0, maximumHeaderLength);
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  let offset = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = offset;
    const match = pattern.exec(text);
    if (match !== null) offset = pattern.lastIndex;
    return match;
  };
  while (offset < text.length) {
    take(separators);
    const name = take(token)?.[0].toLowerCase();
    if (name === undefined) {
      offset += 1;
      continue;
    }
    const current = challenges.at(-1)?.parameters;
    if (current !== undefined && take(equals) !== null) {
      const value = take(quotedValue)?.[1]?.replaceAll(/\\(.)/gs, '$1') ?? take(bareValue)?.[0] ?? '';
      if (!current.has(name)) current.set(name, value);
      continue;
    }
    challenges.push({ scheme: name, parameters: new Map() });
    take(spaces);
    // A token68 is followed by a comma or the end, which distinguishes it from "name=value".
    take(token68);
  }
  return challenges;
}

export type AuthorizationRequirements = ReturnType<typeof readAuthorizationRequirements>;

/**
 * Reads what the `Bearer` and `DPoP` challenges of one answer require (RFC 9728, section 5.1; RFC 9449, section 7.1); without a
 * header, nothing.
 */
export function readAuthorizationRequirements(wwwAuthenticate: string | undefined) {
  const challenges = parseChallenges(wwwAuthenticate ?? '').filter(({ scheme }) => /^(?:bearer|dpop)$/.test(scheme));
  const find = (name: string): string | undefined =>
    challenges.map(({ parameters }) => parameters.get(name)).find((value) => value !== undefined && value !== '');
  return {
    resourceMetadata: find('resource_metadata'),
    /** `undefined` without a `scope` parameter. */
    scopes: find('scope')?.split(/\s+/).filter(isScope),
    error: find('error'),
    wantsDpop: challenges.some(({ scheme }) => scheme === 'dpop'),
  };
}

/** True for a valid scope token (RFC 6749, section 3.3). */
export function isScope(text: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
}
