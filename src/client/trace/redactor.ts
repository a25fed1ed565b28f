import { looksSecret } from '../../config/secretNames.ts';
import { tokenShapes } from '../../config/secretValues.ts';
import { secretMask } from '../../config/variables.ts';

/** Takes secrets out of texts that are to be shown. */
export interface Redactor {
  /** @param maximum characters kept; no part of a secret is left where a longer text is cut */
  text(text: string, maximum?: number): string;
}

/** A known secret shorter than this is hidden only where it is the whole text: "a" is everywhere. */
const leastPartLength = 4;

/**
 * Hides the given texts wherever they occur, and what looks like a secret by what stands around it.
 * @param secrets each form in which a secret may occur
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const whole = new Set(secrets);
  const parts = secrets.filter(({ length }) => length >= leastPartLength).toSorted((a, b) => b.length - a.length);
  const known = parts.length === 0 ? undefined : new RegExp(parts.map(escape).join('|'), 'g');
  const margin = parts[0]?.length ?? 0;

  function redact(text: string): string {
    if (whole.has(text)) return secretMask;
    return hideByContext(known === undefined ? text : text.replace(known, secretMask));
  }

  return {
    text(text, maximum = Infinity) {
      if (text.length <= maximum) return redact(text);
      // The last of what is looked at may be the beginning of a secret.
      const redacted = redact(text.slice(0, maximum + margin));
      const kept = redacted.slice(0, Math.max(Math.min(maximum, redacted.length - margin), 0));
      return `${kept}… (${text.length - kept.length} more characters)`;
    },
  };
}

/** A member of an object, or an argument, whose value is hidden. MCP's own tokens are numbers of requests. */
export function isSecretName(name: string): boolean {
  return name !== 'progressToken' && looksSecret(name.slice(0, 200));
}

/** None of these needs an end: of a text that was cut, the rest is hidden all the same. */
const tokens = new RegExp(tokenShapes.join('|'), 'g');
const privateKey = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}-----|$)/g;
const scheme = /\b(bearer|basic|dpop)(\s+)[A-Za-z0-9+/=._~-]{6,}/gi;
const headerLine = /\b((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*:\s*["']?)[^\r\n"']+/gi;
const namedLine =
  /\b(pass(?:word|wd|phrase)|secret|api[-_ ]?key|(?:access|refresh)[-_ ]token)(\s{0,3}:\s{0,3})[^\s"']+/gi;
const userInfo = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"']{1,1000}@/gi;
/** `name=value` of URLs, forms and environments. */
const assignment = /([?&#;]?)\b([\w.-]{1,60})=([^&\s"'#;,)\\]+)/g;
/** `"name": "value"` of JSON inside a text, once more escaped or not. */
const jsonMember = /"([^"\\]{1,100})"(\s*:\s*)"(?:[^"\\]|\\.)*/g;
const escapedMember = /\\"([^"\\]{1,100})\\"(\s*:\s*)\\"(?:[^"\\]|\\\\.)*/g;
/** Parameters of a URL that let somebody in without being called a token. */
const urlSecret = /^(code|sig|signature|assertion|session|sid|ticket|jwt)$/i;

function hideByContext(text: string): string {
  return text
    .replace(privateKey, secretMask)
    .replace(tokens, secretMask)
    .replace(headerLine, `$1$2${secretMask}`)
    .replace(namedLine, `$1$2${secretMask}`)
    .replace(scheme, `$1$2${secretMask}`)
    .replace(userInfo, `$1${secretMask}@`)
    .replace(assignment, (match, before: string, name: string) =>
      isSecretName(name) || (before !== '' && urlSecret.test(name)) ? `${before}${name}=${secretMask}` : match,
    )
    .replace(jsonMember, (match, name: string, colon: string) =>
      isSecretName(name) ? `"${name}"${colon}"${secretMask}` : match,
    )
    .replace(escapedMember, (match, name: string, colon: string) =>
      isSecretName(name) ? `\\"${name}\\"${colon}\\"${secretMask}` : match,
    );
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
