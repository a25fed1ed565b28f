import { canonicalJson, sha256 } from '../base/digest.ts';
import { isOptional, isRecord, isString, isStringArray } from '../base/json.ts';
import type { ResolvedCode, ResolvedFile } from './resolvedCode.ts';
import type { VariableUse } from './expandVariables.ts';
import type { LaunchSetting, LaunchView } from './launchView.ts';

/**
 * The stored record of a launch that a person trusts: without secrets, with hashes of environment values and headers.
 * Launches with the same fingerprint need no new question.
 */
export interface TrustRecord {
  /** SHA-256 of the rest, in hexadecimal. */
  readonly fingerprint: string;
  readonly launch: TrustedLaunch;
  /** The launch with the values of its inputs, where these decide what runs. */
  readonly values?: TrustRecord;
}

export interface TrustedFile {
  readonly path: string;
  readonly size: number;
  /** SHA-256 in hexadecimal; empty if the file may change. */
  readonly digest: string;
}

export type TrustedLaunch =
  | {
      readonly kind: 'stdio';
      readonly code: TrustedCode;
      /** Environment variables and inputs that are used, sorted; see `variableName`. */
      readonly variables: readonly string[];
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string;
      /** Hash of the value as written in the file, by name. */
      readonly env: Readonly<Record<string, string>>;
      readonly envFile: string;
      /** Hash of the value in the file, by name. */
      readonly envFileValues: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'http' | 'sse';
      readonly url: string;
      /** Where the address leads, without symbolic links; only for a socket. */
      readonly socketPath?: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly variables: readonly string[];
      /** Hash of the value as written, by name; absent without any. */
      readonly auth?: Readonly<Record<string, string>>;
    };

export interface TrustedCode {
  /** The program by its real path, then its interpreter. */
  readonly programs: readonly TrustedFile[];
  readonly files: readonly TrustedFile[];
  /** The person develops the server: files of the workspace may change without a new question. */
  readonly filesMayChange: boolean;
}

/**
 * Creates the record of a launch. Command line, folder and address are recorded after expansion; environment variables and
 * headers as written, in the definition and in its env file, so that a change of PATH needs no new question for
 * `${env:PATH}`; files by their content.
 * @param facts the files of a program; `undefined` for a remote server
 * @param filesMayChange see {@link TrustedCode.filesMayChange}
 */
export async function createTrustRecord(
  view: LaunchView,
  facts?: ResolvedCode,
  filesMayChange = false,
): Promise<TrustRecord> {
  const launch = await toTrustedLaunch(view, toTrustedCode(facts, filesMayChange));
  return { launch, fingerprint: await sha256(canonicalJson(launch)) };
}

/** Checks a stored record. @returns `undefined` if it is not valid */
export function readTrustRecord(value: unknown): TrustRecord | undefined {
  if (!isRecord(value) || !isString(value['fingerprint']) || !isRecord(value['launch'])) return undefined;
  const { fingerprint, launch } = value;
  const isProgram = launch['kind'] === 'stdio';
  if (!isProgram && launch['kind'] !== 'http' && launch['kind'] !== 'sse') return undefined;
  const checks = Object.entries(isProgram ? programMembers : remoteMembers);
  if (!checks.every(([name, isValid]) => isValid(launch[name]))) return undefined;
  const values = readTrustRecord(value['values']);
  return { fingerprint, launch: launch as unknown as TrustedLaunch, ...(values !== undefined && { values }) };
}

type Checks = Readonly<Record<string, (value: unknown) => boolean>>;

const programMembers: Checks = {
  command: isString,
  args: isStringArray,
  cwd: isString,
  env: isRecord,
  code: isTrustedCode,
  envFile: isString,
  envFileValues: isRecord,
  variables: isStringArray,
};
const remoteMembers: Checks = {
  url: isString,
  socketPath: (value) => isOptional(value, isString),
  headers: isRecord,
  auth: (value) => isOptional(value, isRecord),
  variables: isStringArray,
};

/** True when no file of a record differs in another, which may have more of them. */
export function keepsFiles(previous: TrustRecord, current: TrustRecord): boolean {
  const filesOf = ({ launch }: TrustRecord): readonly TrustedFile[] =>
    launch.kind === 'stdio' ? [...launch.code.programs, ...launch.code.files] : [];
  const known = new Map(filesOf(previous).map((file) => [file.path, file]));
  return filesOf(current).every((file) => isSameFile(known.get(file.path) ?? file, file));
}

function isTrustedCode(value: unknown): boolean {
  if (!isRecord(value) || typeof value['filesMayChange'] !== 'boolean') return false;
  return [value['programs'], value['files']].every((files) => Array.isArray(files) && files.every(isTrustedFile));
}

function isTrustedFile(value: unknown): boolean {
  return isRecord(value) && isString(value['path']) && isString(value['digest']) && typeof value['size'] === 'number';
}

/** @returns the differences between two records for display, one line each; empty if the fingerprints are equal */
export function describeChange(previous: TrustRecord, current: TrustRecord): string[] {
  if (previous.fingerprint === current.fingerprint) return [];
  const before = previous.launch;
  const after = current.launch;
  if (before.kind === 'stdio' && after.kind === 'stdio') {
    return [
      ...changedFiles('program', before.code.programs, after.code.programs),
      ...changedFiles('file', before.code.files, after.code.files),
      ...changedVariables(before.variables, after.variables),
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
      ...changedVariables(before.variables, after.variables),
      ...change('Transport', before.kind, after.kind),
      ...change('Address', before.url, after.url),
      ...change('Socket', before.socketPath ?? '', after.socketPath ?? ''),
      ...changedNames('Header', before.headers, after.headers),
      ...changedNames('Sign-in option', before.auth ?? {}, after.auth ?? {}),
    ];
  }
  return [...change('Transport', before.kind, after.kind), ...change('Target', targetOf(before), targetOf(after))];
}

/** @returns the new programs of the launch if nothing else has changed, otherwise `undefined` */
export function updatedPrograms(previous: TrustRecord, current: TrustRecord): readonly TrustedFile[] | undefined {
  const before = previous.launch;
  const after = current.launch;
  if (before.kind !== 'stdio' || after.kind !== 'stdio') return undefined;
  const updated = { ...before, code: { ...before.code, programs: after.code.programs } };
  return canonicalJson(updated) === canonicalJson(after) ? after.code.programs : undefined;
}

/** True when one of the records trusts exactly this program. */
export function isTrustedProgram(records: readonly TrustRecord[], program: TrustedFile): boolean {
  return records.some(
    ({ launch }) => launch.kind === 'stdio' && launch.code.programs.some((known) => isSameFile(known, program)),
  );
}

function isSameFile(left: TrustedFile, right: TrustedFile): boolean {
  return left.path === right.path && left.digest === right.digest && left.size === right.size;
}

function toTrustedCode(facts: ResolvedCode | undefined, filesMayChange: boolean): TrustedCode {
  const toFile = ({ realPath, size, digest, isInFolder }: ResolvedFile): TrustedFile =>
    filesMayChange && isInFolder ? { path: realPath, size: 0, digest: '' } : { path: realPath, size, digest };
  const programs = [facts?.program, facts?.interpreter].filter((file) => file !== undefined);
  // Files that may change may also come and go, but for a link: it must lead to where it led.
  const files = (facts?.files ?? []).filter(({ isLinkOutOfFolder }) => !filesMayChange || isLinkOutOfFolder);
  return { programs: programs.map(toFile), files: files.map(toFile), filesMayChange };
}

async function toTrustedLaunch(view: LaunchView, code: TrustedCode): Promise<TrustedLaunch> {
  const variables = view.variables.map(variableName).toSorted();
  if (view.kind !== 'stdio') {
    const { kind, url, socketPath } = view;
    const headers = await hashed(view.headers);
    const remote = { kind, url, ...(socketPath !== undefined && { socketPath }), headers, variables };
    return view.auth.length === 0 ? remote : { ...remote, auth: await hashed(view.auth) };
  }
  const { kind, command, args, cwd, envFile, envFileValues } = view;
  return {
    kind,
    code,
    variables,
    command,
    args,
    cwd,
    env: await hashed(view.env),
    envFile: envFile ?? '',
    envFileValues: await hashed(Object.entries(envFileValues).map(([name, written]) => ({ name, written }))),
  };
}

function variableName({ kind, name }: VariableUse): string {
  return kind === 'input' ? `input ${name}` : `environment variable ${name}`;
}

async function hashed(settings: readonly Omit<LaunchSetting, 'value'>[]): Promise<Record<string, string>> {
  const entries = settings.map(async ({ name, written }): Promise<[string, string]> => {
    return [name, written === null ? 'removed' : await sha256(written)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

function change(what: string, before: string, after: string): string[] {
  return before === after ? [] : [`${what}: ${before || '(none)'} → ${after || '(none)'}`];
}

/** Compares files by path: a moved program is one that was added and one that was removed. */
function changedFiles(
  what: 'program' | 'file',
  before: readonly TrustedFile[],
  after: readonly TrustedFile[],
): string[] {
  const verb = what === 'program' ? 'was updated' : 'has changed';
  const find = (files: readonly TrustedFile[], path: string): TrustedFile | undefined =>
    files.find((file) => file.path === path);
  const changed = after.flatMap((file) => {
    const old = find(before, file.path);
    if (old === undefined) return [`The ${what} ${file.path} is new`];
    return isSameFile(old, file) ? [] : [`The ${what} ${file.path} ${verb}`];
  });
  const gone = before.filter(({ path }) => find(after, path) === undefined);
  return [...changed, ...gone.map(({ path }) => `The ${what} ${path} is gone`)];
}

function changedVariables(before: readonly string[], after: readonly string[]): string[] {
  return [
    ...after.filter((name) => !before.includes(name)).map((name) => `It now uses your ${name}`),
    ...before.filter((name) => !after.includes(name)).map((name) => `It no longer uses your ${name}`),
  ];
}

function changedArguments(before: readonly string[], after: readonly string[]): string[] {
  const longer = before.length > after.length ? before : after;
  return longer.flatMap((_, index) => {
    const [old, now] = [before[index], after[index]];
    if (old === now) return [];
    if (old === undefined) return [`Argument ${index + 1} added: ${now}`];
    return [now === undefined ? `Argument ${index + 1} removed: ${old}` : `Argument ${index + 1}: ${old} → ${now}`];
  });
}

type Hashes = Readonly<Record<string, string>>;

function changedNames(what: string, before: Hashes, after: Hashes): string[] {
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    if (!Object.hasOwn(before, name)) return [`${what} ${name} added`];
    if (!Object.hasOwn(after, name)) return [`${what} ${name} removed`];
    return before[name] === after[name] ? [] : [`${what} ${name} has another value`];
  });
}

function targetOf(launch: TrustedLaunch): string {
  return launch.kind === 'stdio' ? [launch.command, ...launch.args].join(' ') : launch.url;
}
