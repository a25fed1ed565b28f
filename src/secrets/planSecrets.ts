import { credentialsOf } from '../base/authSettings.ts';
import type { LaunchPlan, RemoteLaunchPlan } from '../base/launchPlan.ts';
import { percentDecoded } from '../base/truncate.ts';
import { secretInArgument } from './argumentSecret.ts';
import { isSecretSetting, type KnownSecret } from './knownValues.ts';
import { looksLikeSecretName } from './secretNames.ts';

/** Parameters of addresses that grant access although their names do not look secret. */
export const secretParameter = /^(code|sig|signature|assertion|session|sid|ticket|jwt)$/i;

/** Headers whose values are not secret and may occur in messages for other reasons. */
const plainHeaders = /^(accept|accept-\w+|content-type|user-agent|cache-control|mcp-protocol-version)$/i;

/** The secrets of one launch, each with where it comes from: the one list for traces, histories, drafts, logs and model requests. */
export function secretsOfPlan(label: string, plan: LaunchPlan): readonly KnownSecret[] {
  const { secrets = [], secretNames = [] } = plan;
  const inputs = secrets.flatMap((value, index) => {
    const reference = secretNames[index];
    const found = secretsIn(value, describeReference(reference, label), reference);
    return found.map((secret): KnownSecret => ({ ...secret, isInput: true }));
  });
  const own = plan.kind === 'stdio' ? processSecrets(label, plan) : remoteSecrets(label, plan);
  return withoutRepeated([...inputs, ...own]);
}

export function secretTokens(label: string, tokens: readonly string[]): readonly KnownSecret[] {
  return tokens.map((value) => ({ value, kind: 'secretInput', what: `a token of the server "${label}"` }));
}

/** The secrets of settings, those of an env file by default. @param source what has them: ".env", or the file of a server */
export function secretsOfSettings(
  settings: Readonly<Record<string, string | null>>,
  source: string,
  kind: KnownSecret['kind'] = 'envFile',
): readonly KnownSecret[] {
  return Object.entries(settings).flatMap(([name, value]): readonly KnownSecret[] => {
    const isNamed = kind === 'secretInput' && looksLikeSecretName(name);
    if (value === null || !(isNamed || isSecretSetting(name, value))) return [];
    return secretsIn(value, `${name} of ${source}`).map((secret) => ({ ...secret, kind }));
  });
}

function describeReference(reference: string | undefined, label: string): string {
  const [, kind, name] = /^\$\{(input|env):(.*)\}$/s.exec(reference ?? '') ?? [];
  if (name === undefined) return `a secret of the server "${label}"`;
  return kind === 'input' ? `the value of the input "${name}"` : `the variable ${name} of the server "${label}"`;
}

function processSecrets(
  label: string,
  { args, env, envFileValues = {} }: Extract<LaunchPlan, { kind: 'stdio' }>,
): readonly KnownSecret[] {
  const server = `the server "${label}"`;
  return [
    ...secretsOfSettings(envFileValues, `the env file of "${label}"`),
    ...secretsOfSettings(env, server, 'secretInput'),
    ...args.flatMap((argument, index) => argumentSecrets(argument, args[index - 1], `an argument of ${server}`)),
  ];
}

function argumentSecrets(argument: string, previous: string | undefined, what: string): readonly KnownSecret[] {
  const named = secretInArgument(argument, previous);
  if (named !== undefined) return secretsIn(named.secret, what);
  const [, name = '', value = ''] = /^(?:--?[\w.-]{1,100}=)?(?:-{0,2}|\/)([\w.-]{1,100})=(.*)$/s.exec(argument) ?? [];
  return isSecretSetting(name, value) ? secretsIn(value, what) : [];
}

function remoteSecrets(label: string, { headers, url, auth }: RemoteLaunchPlan): readonly KnownSecret[] {
  const ofHeaders = Object.entries(headers).flatMap(([name, value]) =>
    plainHeaders.test(name) || !(looksLikeSecretName(name) || isSecretSetting(name, value))
      ? []
      : secretsIn(value, `the header ${name} of the server "${label}"`),
  );
  const ofSignIn = [...credentialsOf(auth ?? {}).values()].flatMap((value) =>
    secretsIn(value, `a secret of the sign-in of "${label}"`),
  );
  return [...ofHeaders, ...addressSecrets(url, `a secret in the address of "${label}"`), ...ofSignIn];
}

/** A secret text, and the secrets inside of it: what follows a scheme, the password of `Basic` (RFC 7617) and of an address. */
function secretsIn(value: string, what: string, reference?: string): readonly KnownSecret[] {
  const secret = (text: string): KnownSecret => ({ value: text, kind: 'secretInput', what });
  // The longer text first: both are found, and the words of the first are shown.
  return [
    { ...secret(value), ...(reference !== undefined && { reference }) },
    ...credentialsIn(value).map(secret),
    ...(/^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? addressSecrets(parsedUrl(value), what) : []),
  ];
}

function credentialsIn(value: string): readonly string[] {
  const [, scheme = '', credentials] = /^(\w+)\s+(\S+)$/.exec(value.trim()) ?? [];
  if (credentials === undefined || !/^(?:basic|bearer|dpop|token|digest|apikey)$/i.test(scheme)) return [];
  if (scheme.toLowerCase() !== 'basic') return [credentials];
  try {
    const pair = atob(credentials);
    return [credentials, pair, pair.slice(pair.indexOf(':') + 1)];
  } catch {
    // Not base64: the text as it is.
    return [credentials];
  }
}

function parsedUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function addressSecrets(url: URL | undefined, what: string): readonly KnownSecret[] {
  if (url === undefined) return [];
  const parameters = [...url.searchParams, ...new URLSearchParams(url.hash.slice(1))].flatMap(([name, value]) =>
    looksLikeSecretName(name) || secretParameter.test(name) || isLongSetting(name, value) ? [value] : [],
  );
  // A user name is not secret, but a token used as user name is.
  const user = url.password === '' ? url.username : url.password;
  return [percentDecoded(user), ...parameters].map((value) => ({ value, kind: 'secretInput', what }));
}

/** Harmless parameters are often words and numbers. */
function isLongSetting(name: string, value: string): boolean {
  return value.length >= 16 && isSecretSetting(name, value);
}

/** The first of those with the same value; empty values are left out. */
export function withoutRepeated(secrets: readonly KnownSecret[]): readonly KnownSecret[] {
  const byValue = new Map<string, KnownSecret>();
  for (const secret of secrets)
    if (secret.value !== '' && !byValue.has(secret.value)) byValue.set(secret.value, secret);
  return [...byValue.values()];
}
