import type { LaunchPlan, RemoteLaunchPlan, StdioLaunchPlan } from '../../base/launchPlan.ts';
import { looksSecret } from '../../config/secretNames.ts';

/** Headers whose values are not secret and may occur in messages for other reasons. */
const plainHeaders = /^(accept|accept-\w+|content-type|user-agent|cache-control|mcp-protocol-version)$/i;

/** Minimum characters of a value that is hidden although its name does not look secret. */
const leastPlainLength = 8;

/** All secrets of a plan, in each encoding in which they may occur in a trace. */
export function planSecrets(plan: LaunchPlan): readonly string[] {
  const own = plan.kind === 'stdio' ? processSecrets(plan) : addressSecrets(plan);
  return [...new Set([...(plan.secrets ?? []), ...own].flatMap(formsOf))].filter((text) => text !== '');
}

function processSecrets({ env, args }: StdioLaunchPlan): readonly string[] {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value !== null && isWorthHiding(name, value) ? [value] : [],
  );
  return [...variables, ...args.flatMap((arg, index) => optionSecret(arg, args[index + 1]))];
}

/** `--token=abc` and `--token abc`. */
function optionSecret(arg: string, next: string | undefined): readonly string[] {
  const [, name = '', value = next] = /^--?([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
  return looksSecret(name) && value !== undefined ? [value] : [];
}

function addressSecrets({ url, headers }: RemoteLaunchPlan): readonly string[] {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    plainHeaders.test(name) || !isWorthHiding(name, value) ? [] : [value, ...credentialsIn(value)],
  );
  const parameters = [...url.searchParams].flatMap(([name, value]) => (looksSecret(name) ? [value] : []));
  // A user name is not secret, but a token used as user name is.
  return [...values, ...parameters, recoded(url.password === '' ? url.username : url.password, decodeURIComponent)];
}

function isWorthHiding(name: string, value: string): boolean {
  return looksSecret(name) || value.length >= leastPlainLength;
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
