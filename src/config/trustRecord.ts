import { canonicalJson } from '../base/canonicalJson.ts';
import { sha256 } from '../base/digest.ts';
import { isOptional, isRecord, isString, isStringArray } from '../base/json.ts';
import type { LaunchSetting, LaunchView } from './launchView.ts';

/**
 * What a person agreed to, as it is kept: no secret, and only hashes of environment values and headers.
 * Two launches with one fingerprint are the same to a person.
 */
export interface TrustRecord {
  /** SHA-256 of the rest, in hexadecimal. */
  readonly fingerprint: string;
  readonly launch: TrustedLaunch;
}

export type TrustedLaunch =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string;
      /** Hash of the value as it is written in the file, by name. */
      readonly env: Readonly<Record<string, string>>;
      readonly envFile: string;
      /** Hash of the value in the file, by name. */
      readonly envFileValues: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'http' | 'sse';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** Hash of the value as it is written, by name; absent without any. */
      readonly auth?: Readonly<Record<string, string>>;
    };

/**
 * The record of a launch. Command line, folder and address count as they are resolved. Environment variables and headers
 * count as they are written, in the definition and in its env file: one that follows `${env:PATH}` is not asked about
 * whenever PATH changes.
 */
export async function createTrustRecord(view: LaunchView): Promise<TrustRecord> {
  const launch = await toTrustedLaunch(view);
  return { launch, fingerprint: await sha256(canonicalJson(launch)) };
}

/** A record as it was kept, or `undefined` where that is something else. */
export function readTrustRecord(value: unknown): TrustRecord | undefined {
  if (!isRecord(value) || !isString(value['fingerprint']) || !isRecord(value['launch'])) return undefined;
  const { launch } = value;
  const isStdio =
    launch['kind'] === 'stdio' &&
    isString(launch['command']) &&
    isStringArray(launch['args']) &&
    isString(launch['cwd']) &&
    isRecord(launch['env']) &&
    isString(launch['envFile']) &&
    isRecord(launch['envFileValues']);
  const isRemote =
    (launch['kind'] === 'http' || launch['kind'] === 'sse') &&
    isString(launch['url']) &&
    isRecord(launch['headers']) &&
    isOptional(launch['auth'], isRecord);
  return isStdio || isRemote ? (value as unknown as TrustRecord) : undefined;
}

/** What is different, one line each, for a person who agreed to `previous`. Empty where the fingerprints are equal. */
export function describeChange(previous: TrustRecord, current: TrustRecord): string[] {
  if (previous.fingerprint === current.fingerprint) return [];
  const before = previous.launch;
  const after = current.launch;
  if (before.kind === 'stdio' && after.kind === 'stdio') {
    return [
      ...change('Command', before.command, after.command),
      ...changedArguments(before.args, after.args),
      ...change('Working folder', before.cwd, after.cwd),
      ...changedNames('Environment variable', before.env, after.env),
      ...change('Environment file', before.envFile, after.envFile),
      ...changedNames('Variable of the environment file', before.envFileValues, after.envFileValues),
    ];
  }
  if (before.kind !== 'stdio' && after.kind !== 'stdio') {
    return [
      ...change('Transport', before.kind, after.kind),
      ...change('Address', before.url, after.url),
      ...changedNames('Header', before.headers, after.headers),
      ...changedNames('Sign-in option', before.auth ?? {}, after.auth ?? {}),
    ];
  }
  return [...change('Transport', before.kind, after.kind), ...change('Target', targetOf(before), targetOf(after))];
}

async function toTrustedLaunch(view: LaunchView): Promise<TrustedLaunch> {
  if (view.kind !== 'stdio') {
    const remote = { kind: view.kind, url: view.url, headers: await hashed(view.headers) };
    return view.auth.length === 0 ? remote : { ...remote, auth: await hashed(view.auth) };
  }
  const { kind, command, args, cwd, envFile, envFileValues } = view;
  return {
    kind,
    command,
    args,
    cwd,
    env: await hashed(view.env),
    envFile: envFile ?? '',
    envFileValues: await hashed(Object.entries(envFileValues).map(([name, written]) => ({ name, written }))),
  };
}

async function hashed(settings: readonly Omit<LaunchSetting, 'value'>[]): Promise<Record<string, string>> {
  const entries = settings.map(async ({ name, written }): Promise<[string, string]> => {
    return [name, written === null ? 'removed' : await sha256(written)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

function change(what: string, before: string, after: string): string[] {
  if (before === after) return [];
  return [`${what}: ${before === '' ? '(none)' : before} → ${after === '' ? '(none)' : after}`];
}

function changedArguments(before: readonly string[], after: readonly string[]): string[] {
  const count = Math.max(before.length, after.length);
  return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
    const old = before[index];
    const now = after[index];
    if (old === now) return [];
    if (old === undefined) return [`Argument ${index + 1} added: ${now}`];
    return [now === undefined ? `Argument ${index + 1} removed: ${old}` : `Argument ${index + 1}: ${old} → ${now}`];
  });
}

function changedNames(
  what: string,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    if (!Object.hasOwn(before, name)) return [`${what} ${name} added`];
    if (!Object.hasOwn(after, name)) return [`${what} ${name} removed`];
    return before[name] === after[name] ? [] : [`${what} ${name} has another value`];
  });
}

function targetOf(launch: TrustedLaunch): string {
  return launch.kind === 'stdio' ? [launch.command, ...launch.args].join(' ') : launch.url;
}
