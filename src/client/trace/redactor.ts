import type { LaunchPlan, RemoteLaunchPlan, StdioLaunchPlan } from '../../base/launchPlan.ts';
import { looksLikeSecretName, tokenShapes } from '../../config/secretDetection.ts';
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
const minimumPartLength = 4;

/**
 * Creates a redactor that hides the given texts, and values that look secret because of their context.
 * @param secrets each encoding in which a secret may occur
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const whole = new Set(secrets);
  const parts = secrets.filter(({ length }) => length >= minimumPartLength).toSorted((a, b) => b.length - a.length);
  const known = parts.length === 0 ? undefined : new RegExp(parts.map(escapeRegExp).join('|'), 'g');
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
  return name !== 'progressToken' && looksLikeSecretName(name.slice(0, 200));
}

/** None of these patterns requires the end of a secret, so they also match texts that were cut. */
const tokens = new RegExp(tokenShapes.join('|'), 'g');
const privateKey = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}-----|$)/g;
const schemeWithCredentials = /\b(bearer|basic|dpop)(\s+)[A-Za-z0-9+/=._~-]{6,}/gi;
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
    .replace(schemeWithCredentials, `$1$2${secretMask}`)
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

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Headers whose values are not secret and may occur in messages for other reasons. */
const plainHeaders = /^(accept|accept-\w+|content-type|user-agent|cache-control|mcp-protocol-version)$/i;

/** Minimum characters of a value that is hidden although its name does not look secret. */
const minimumValueLength = 8;

/** All secrets of a plan, in each encoding in which they may occur in a trace. */
export function collectPlanSecrets(plan: LaunchPlan): readonly string[] {
  const own = plan.kind === 'stdio' ? processSecrets(plan) : addressSecrets(plan);
  return [...new Set([...(plan.secrets ?? []), ...own].flatMap(formsOf))].filter((text) => text !== '');
}

function processSecrets({ env, args }: StdioLaunchPlan): readonly string[] {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value !== null && isLikelySecret(name, value) ? [value] : [],
  );
  return [...variables, ...args.flatMap((arg, index) => optionSecret(arg, args[index + 1]))];
}

/** `--token=abc` and `--token abc`. */
function optionSecret(arg: string, next: string | undefined): readonly string[] {
  const [, name = '', value = next] = /^--?([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
  return looksLikeSecretName(name) && value !== undefined ? [value] : [];
}

function addressSecrets({ url, headers }: RemoteLaunchPlan): readonly string[] {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    plainHeaders.test(name) || !isLikelySecret(name, value) ? [] : [value, ...credentialsIn(value)],
  );
  const parameters = [...url.searchParams].flatMap(([name, value]) => (looksLikeSecretName(name) ? [value] : []));
  // A user name is not secret, but a token used as user name is.
  return [...values, ...parameters, recoded(url.password === '' ? url.username : url.password, decodeURIComponent)];
}

function isLikelySecret(name: string, value: string): boolean {
  return looksLikeSecretName(name) || value.length >= minimumValueLength;
}

/** What follows the scheme in an `Authorization` header; of `Basic`, the password too (RFC 7617). */
function credentialsIn(value: string): readonly string[] {
  const [, scheme = '', credentials = ''] = /^(\S+)\s+(\S.*)$/s.exec(value.trim()) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [credentials];
  try {
    const pair = atob(credentials);
    return [credentials, pair, pair.slice(pair.indexOf(':') + 1)];
  } catch {
    // Not Base64: hide the text as it is.
    return [credentials];
  }
}

/** A text as it is, inside JSON, inside a URL, and each longer line of it. */
function formsOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).filter((line) => line.length >= 16);
  return [text, JSON.stringify(text).slice(1, -1), recoded(text, encodeURIComponent), ...lines];
}

function recoded(text: string, code: (text: string) => string): string {
  try {
    return code(text);
  } catch {
    // A lone surrogate cannot be encoded.
    return text;
  }
}
