import { isHiddenWhole } from './knownValues.ts';
import { looksLikeSecretName, looksLikeSecretValue } from './secretNames.ts';

/** A secret in an argument of a program, literal or with variables. */
export interface ArgumentSecret {
  /** What is before it in the argument: `--token=`, `Authorization: Bearer `; empty where the whole argument is secret. */
  readonly lead: string;
  /** The name of the option, variable or header that it is for; empty for a text of the form of a key. */
  readonly name: string;
  readonly secret: string;
}

/** Names that say where a secret is, or what kind it is. */
const aboutSecrets =
  /(?:file|path|dir|type|kind|method|mode|url|uri|endpoint|host|port|server|provider|vault|store|env|name|limit|length|count|size|ttl|timeout|header|prefix|format|scheme)$/i;
const maximumDepth = 4;

/**
 * Finds the secret in `--token=abc`, `--token abc`, `TOKEN=abc`, `Authorization: Bearer abc`, `--header=X-Api-Key: abc` and in
 * texts of the form of a key: the one rule for all that hides, keeps or moves arguments.
 * @param previous the argument before it
 */
export function secretInArgument(
  argument: string,
  previous: string | undefined,
  depth = 0,
): ArgumentSecret | undefined {
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(argument);
  const named = isAddress ? null : /^((?:-{0,2}|\/)([\w.-]{1,100})(?:=|:\s*))(.*)$/s.exec(argument);
  const [, lead = '', name = '', rest = ''] = named ?? [];
  if (isSecretOption(name)) return found(lead, name, rest);
  const inner = lead === '' || depth >= maximumDepth ? undefined : secretInArgument(rest, undefined, depth + 1);
  if (inner !== undefined) return { ...inner, lead: lead + inner.lead };
  const option = /^(?:--?|\/)([\w.-]{1,100})$/.exec(previous ?? '')?.[1] ?? '';
  if (isSecretOption(option) && !/^--[a-z]|^-[a-z]$/i.test(argument)) return found('', option, argument);
  return looksLikeSecretValue(argument) ? { lead: '', name: '', secret: argument } : undefined;
}

function isSecretOption(name: string): boolean {
  return looksLikeSecretName(name) && !aboutSecrets.test(name);
}

/** The scheme of an Authorization header is not secret, and shows which kind of secret is needed. */
export function schemeOf(value: string): readonly [scheme: string, rest: string] {
  const scheme = /^(?:Bearer|Basic|Token|ApiKey)\s+/i.exec(value)?.[0] ?? '';
  return [scheme, value.slice(scheme.length)];
}

function found(lead: string, name: string, value: string): ArgumentSecret | undefined {
  const [scheme, secret] = schemeOf(value);
  const isSecret = secret.trim() !== '' && isHiddenWhole({ value: secret, kind: 'secretInput', what: name });
  return isSecret ? { lead: lead + scheme, name, secret } : undefined;
}
