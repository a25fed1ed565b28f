import { canonicalJson, sha256 } from '../base/digest.ts';
import { isRecord, isString, isStringRecord } from '../base/json.ts';
import { shownArguments } from './commandSecrets.ts';
import type { LaunchSetting } from './expandVariables.ts';
import type { LaunchView } from './launchView.ts';
import type { ResolvedCode, ResolvedFile } from './resolvedCode.ts';

/**
 * The stored record of a launch that a person trusts: without secrets, with hashes of environment values and headers.
 * Launches with the same fingerprint need no new question.
 */
export interface TrustRecord {
  /** SHA-256 of the launch, in hexadecimal. */
  readonly fingerprint: string;
  readonly launch: TrustedLaunch;
  /** The launch with the values of its inputs, where these decide what runs. */
  readonly values?: TrustRecord;
}

interface TrustedLaunch extends Readonly<Record<Section, Facts>> {
  readonly kind: LaunchView['kind'];
  /** The real path of the program: `programs` also has its interpreter. Empty for a remote server, or if it is not found. */
  readonly program: string;
  /** The person develops the server: files of the workspace may change without a new question. */
  readonly filesMayChange: boolean;
}

type Facts = Readonly<Record<string, string>>;

type Section = 'programs' | 'files' | 'variables' | 'texts' | 'arguments' | 'hashes';

/** What a launch consists of, in the order of display, and how a change of it is said. Absent values are `undefined`. */
const changes: Readonly<Record<Section, (name: string, before?: string, after?: string) => string>> = {
  /** Size and SHA-256 of each file, by its real path; empty for one that may change. A moved file is gone and new. */
  programs: (path, before, after) => `The program ${path} ${fileChange(before, after) ?? 'was updated'}`,
  files: (path, before, after) => `The file ${path} ${fileChange(before, after) ?? 'has changed'}`,
  variables: (name, before) => (before === undefined ? `It now uses your ${name}` : `It no longer uses your ${name}`),
  texts: (name, before = '(none)', after = '(none)') => `${name}: ${before} → ${after}`,
  arguments: (name, before, after) => {
    if (before === undefined) return `${name} added: ${after}`;
    if (after === undefined) return `${name} removed: ${before}`;
    // Of secrets only dots are shown.
    return before === after ? `${name} has another value` : `${name}: ${before} → ${after}`;
  },
  /** Of values as they are written in the definition, or in its env file. */
  hashes: (name, before, after) => {
    if (before === undefined) return `${name} added`;
    return after === undefined ? `${name} removed` : `${name} has another value`;
  },
};
const sections = Object.keys(changes) as Section[];

function fileChange(before: string | undefined, after: string | undefined): string | undefined {
  if (before === undefined) return 'is new';
  return after === undefined ? 'is gone' : undefined;
}

/**
 * Creates the record of a launch. Command line, folder and address are recorded after expansion; environment variables and
 * headers as written, in the definition and in its env file, so that a change of PATH needs no new question for
 * `${env:PATH}`; files by their content.
 * @param facts the files of a program; `undefined` for a remote server
 * @param filesMayChange files of the workspace may change without a new question
 */
export async function createTrustRecord(
  view: LaunchView,
  facts?: ResolvedCode,
  filesMayChange = false,
): Promise<TrustRecord> {
  const toFile = ({ realPath, size, digest, isInFolder }: ResolvedFile): [string, string] => {
    return [realPath, filesMayChange && isInFolder ? '' : `${size} ${digest}`];
  };
  const programs = [facts?.program, facts?.interpreter].filter((file) => file !== undefined);
  // Files that may change may also come and go, but for a link: it must lead to where it led.
  const files = (facts?.files ?? []).filter(({ isLinkOutOfFolder }) => !filesMayChange || isLinkOutOfFolder);
  const variables = view.variables.map(
    ({ kind, name }) => `${kind === 'input' ? kind : 'environment variable'} ${name}`,
  );
  const args = view.kind === 'stdio' ? view.args : [];
  const launch: TrustedLaunch = {
    kind: view.kind,
    program: facts?.program?.realPath ?? '',
    filesMayChange: filesMayChange && view.kind === 'stdio',
    programs: Object.fromEntries(programs.map(toFile)),
    files: Object.fromEntries(files.map(toFile)),
    variables: Object.fromEntries(variables.map((name) => [name, ''])),
    texts: textsOf(view),
    arguments: Object.fromEntries(args.map((arg, index) => [`Argument ${index + 1}`, arg])),
    hashes: await hashesOf(view),
  };
  return { launch, fingerprint: await sha256(canonicalJson(launch)) };
}

function textsOf(view: LaunchView): Facts {
  if (view.kind === 'stdio') {
    const { command, cwd, envFile } = view;
    return { Command: command, 'Working folder': cwd, ...(envFile !== undefined && { 'Environment file': envFile }) };
  }
  const { kind, url, socketPath } = view;
  return { Transport: kind, Address: url, ...(socketPath !== undefined && { Socket: socketPath }) };
}

async function hashesOf(view: LaunchView): Promise<Facts> {
  const hash = (what: string, settings: readonly Omit<LaunchSetting, 'value'>[]) =>
    settings.map(async ({ name, written }): Promise<[string, string]> => {
      return [`${what} ${name}`, written === null ? 'removed' : await sha256(written)];
    });
  if (view.kind !== 'stdio') {
    const sent = [...hash('Header', view.headers), ...hash('Sign-in option', view.auth)];
    return Object.fromEntries(await Promise.all(sent));
  }
  const inFile = Object.entries(view.envFileValues).map(([name, written]) => ({ name, written }));
  const given = [...hash('Environment variable', view.env), ...hash('Variable of the environment file', inFile)];
  return Object.fromEntries(await Promise.all(given));
}

export function readTrustRecord(value: unknown): TrustRecord | undefined {
  if (!isRecord(value) || !isString(value['fingerprint']) || !isRecord(value['launch'])) return undefined;
  const { fingerprint, launch } = value;
  const { kind, program, filesMayChange } = launch;
  if (kind !== 'stdio' && kind !== 'http' && kind !== 'sse') return undefined;
  if (!isString(program) || typeof filesMayChange !== 'boolean') return undefined;
  if (!sections.every((section) => isStringRecord(launch[section]))) return undefined;
  const values = readTrustRecord(value['values']);
  return { fingerprint, launch: launch as unknown as TrustedLaunch, ...(values !== undefined && { values }) };
}

/** True when no file of a record differs in another, which may have more of them. */
export function keepsFiles({ launch: previous }: TrustRecord, { launch: current }: TrustRecord): boolean {
  const known = new Map(Object.entries({ ...previous.programs, ...previous.files }));
  const files = [...Object.entries(current.programs), ...Object.entries(current.files)];
  return files.every(([path, content]) => (known.get(path) ?? content) === content);
}

/** @returns the differences between two records for display, one line each; empty if the fingerprints are equal */
export function describeChange(previous: TrustRecord, current: TrustRecord): string[] {
  const { launch: before } = previous;
  const { launch: after } = current;
  if (previous.fingerprint === current.fingerprint) return [];
  if ((before.kind === 'stdio') !== (after.kind === 'stdio'))
    return [`Transport: ${before.kind} → ${after.kind}`, `Target: ${targetOf(before)} → ${targetOf(after)}`];
  return sections.flatMap((section) => {
    const factsOf = (launch: TrustedLaunch) => new Map(Object.entries(launch[section]));
    const [old, now] = [factsOf(before), factsOf(after)];
    const changed = [...new Set([...now.keys(), ...old.keys()])].filter((name) => old.get(name) !== now.get(name));
    if (section !== 'arguments') return changed.map((name) => changes[section](name, old.get(name), now.get(name)));
    const [oldShown, nowShown] = [shownFacts(before), shownFacts(after)];
    return changed.map((name) => changes.arguments(name, oldShown.get(name), nowShown.get(name)));
  });
}

function shownFacts({ texts, arguments: args }: TrustedLaunch): ReadonlyMap<string, string> {
  const shown = shownArguments(texts['Command'] ?? '', Object.values(args));
  return new Map(Object.keys(args).map((name, index) => [name, shown[index] ?? '']));
}

/** True when nothing but programs has changed, and each of these is trusted in one of the records. */
export function isKnownUpdate(previous: TrustRecord, current: TrustRecord, records: readonly TrustRecord[]): boolean {
  const { program, programs } = current.launch;
  if (canonicalJson({ ...previous.launch, program, programs }) !== canonicalJson(current.launch)) return false;
  const isTrusted = ([path, content]: [string, string]): boolean =>
    records.some(({ launch }) => new Map(Object.entries(launch.programs)).get(path) === content);
  return current.launch.kind === 'stdio' && Object.entries(programs).every(isTrusted);
}

function targetOf(launch: TrustedLaunch): string {
  return launch.texts['Address'] ?? [launch.texts['Command'], ...shownFacts(launch).values()].join(' ');
}
