import { looksSecret } from '../../config/secretNames.ts';
import { tokenShapes } from '../../config/secretValues.ts';
import { secretMask } from '../../config/variables.ts';

/** Replaces secrets in texts that are shown. */
export interface Redactor {
  /**
   * Hides all secrets in a text.
   * @param maximum characters that are kept; a cut leaves no part of a secret
   */
  text(text: string, maximum?: number): string;
}

/** Minimum characters of a known secret that is hidden inside a text; shorter ones only if they are the whole text. */
const leastPartLength = 4;

/**
 * Creates a redactor that hides the given texts, and values that look secret because of their context.
 * @param secrets each encoding in which a secret may occur
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
      // The end of the examined text may be the beginning of a secret.
      const redacted = redact(text.slice(0, maximum + margin));
      const kept = redacted.slice(0, Math.max(Math.min(maximum, redacted.length - margin), 0));
      return `${kept}… (${text.length - kept.length} more characters)`;
    },
  };
}

/** True if the value of a member or argument with this name is hidden. MCP's `progressToken` is not a secret. */
export function isSecretName(name: string): boolean {
  return name !== 'progressToken' && looksSecret(name.slice(0, 200));
}

/** None of these patterns requires the end of a secret, so they also match texts that were cut. */
const tokens = new RegExp(tokenShapes.join('|'), 'g');
const privateKey = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}-----|$)/g;
const scheme = /\b(bearer|basic|dpop)(\s+)[A-Za-z0-9+/=._~-]{6,}/gi;
const headerLine = /\b((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*:\s*["']?)[^\r\n"']+/gi;
const namedLine =
  /\b(pass(?:word|wd|phrase)|secret|api[-_ ]?key|(?:access|refresh)[-_ ]token)(\s{0,3}:\s{0,3})[^\s"']+/gi;
const userInfo = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"']{1,1000}@/gi;
/** `name=value` of URLs, forms and environments. */
const assignment = /([?&#;]?)\b([\w.-]{1,60})=([^&\s"'#;,)\\]+)/g;
/** `"name": "value"` of JSON inside a text, with or without escaped quotes. */
const jsonMember = /"([^"\\]{1,100})"(\s*:\s*)"(?:[^"\\]|\\.)*/g;
const escapedMember = /\\"([^"\\]{1,100})\\"(\s*:\s*)\\"(?:[^"\\]|\\\\.)*/g;
/** URL parameters that grant access although their names do not look secret. */
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
