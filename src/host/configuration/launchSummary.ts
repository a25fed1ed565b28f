import { homedir } from 'node:os';
import { relative } from 'node:path';
import { percentDecoded } from '../../base/truncate.ts';
import { quoteArgument, visibleText } from '../../base/visibleText.ts';
import { shownArguments } from '../../config/commandSecrets.ts';
import { type ConfigurationSource, isPersonal } from '../../config/configuredServer.ts';
import type { LaunchSetting } from '../../config/expandVariables.ts';
import type { LaunchView, RemoteLaunchView, StdioLaunchView } from '../../config/launchView.ts';
import { launchWarnings, riskySettings, sentVariables } from '../../config/launchWarnings.ts';
import {
  codeWarnings,
  installedPackages,
  type ResolvedCode,
  type ResolvedFile,
  uncoveredCode,
} from '../../config/resolvedCode.ts';
import { riskEffects, riskyHeader, riskyVariable } from '../../config/riskySettings.ts';
import { secretMask } from '../../secrets/secretNames.ts';

export interface LaunchSubject {
  readonly label: string;
  /** How the label could be mistaken for another one, in a few words: "looks like “github”". */
  readonly lookAlike: string | undefined;
  readonly source: ConfigurationSource;
  readonly view: LaunchView;
  readonly facts: ResolvedCode | undefined;
  /** The workspace folders that the server gets as roots now, and if it also gets those that are added later. */
  readonly roots: { readonly folders: readonly string[]; readonly includesLaterFolders: boolean };
  /** The changes since the person trusted it, one line each; `undefined` the first time. */
  readonly changes: readonly string[] | undefined;
  /** The workspace files that it runs may change without a question. */
  readonly filesMayChange: boolean;
  /** It uses files of a workspace that the person does not trust. */
  readonly isRestricted: boolean;
  readonly isWindows: boolean;
}

export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
  /** The lines are sentences, not parts of the definition. */
  readonly isProse?: boolean;
}

/** What a person agrees to. Hidden characters are written out; nothing is cut. */
export interface LaunchSummary {
  /** What runs, as it would be typed, or the address. */
  readonly line: string;
  /** What else decides what runs or where data goes, a line each: belongs beside `line`, and is never folded away. */
  readonly also: readonly string[];
  /** Sentences. Empty the first time. */
  readonly changes: readonly string[];
  /** Sentences, the most severe first. */
  readonly warnings: readonly string[];
  /** Where the definition comes from. */
  readonly origin: string;
  /** The whole definition, a part each, and what the answer covers. */
  readonly details: readonly Section[];
  /** Something about it is unusual: it must not be what happens by default. */
  readonly isRisky: boolean;
}

/** Of a secret that is no variable. */
const writtenOut = ' (written in the file)';

/** The exact and complete command (SEP-1024), with what a person should know before it runs. */
export function launchSummary(subject: LaunchSubject): LaunchSummary {
  const { view, facts, source, changes = [], lookAlike, isWindows } = subject;
  const isProgram = view.kind === 'stdio';
  const label = lookAlike === undefined ? [] : [`This server's name ${visibleText(lookAlike)}.`];
  const ofMode = subject.isRestricted ? ['It uses files of this workspace, which is in Restricted Mode.'] : [];
  const ofFiles = facts === undefined || !isProgram ? [] : codeWarnings(facts, view.command).map(visibleText);
  const ofLaunch = launchWarnings(view, isWindows, {
    isOfFolder: !isPersonal(source),
    ...(facts !== undefined && { installed: installedPackages(facts) }),
  });
  const open = (facts?.uncovered ?? []).flatMap(({ warning }) => (warning === undefined ? [] : visibleText(warning)));
  // What a folder defines, its own files may decide, whatever the line looks like: `python -m` with the name of a package.
  const ofFolder = isPersonal(source) ? [] : open;
  return {
    line: isProgram ? commandLine(view) : visibleText(view.url) + hiddenMark(view.url, view),
    also: isProgram ? besideCommand(view, source, isWindows) : besideAddress(view, subject),
    changes: changes.map(visibleText),
    warnings: [...label, ...ofMode, ...ofFiles, ...ofLaunch.map(({ text }) => text), ...open],
    origin: `Defined in ${visibleText(source.title)}`,
    details: [
      ...(isProgram ? processSections(view, isWindows) : addressSections(view)),
      ...codeSections(subject),
      inputSection(view),
      { title: '', lines: [rootsLine(subject), placeOf(source)] },
      documentation(subject),
    ],
    isRisky:
      [...changes, ...label, ...ofMode, ...ofFiles, ...ofFolder].length > 0 || ofLaunch.some(({ isRisk }) => isRisk),
  };
}

function commandLine({ command, args }: StdioLaunchView): string {
  return [command, ...shownArguments(command, args)].map(quoteArgument).join(' ');
}

function besideCommand(view: StdioLaunchView, source: ConfigurationSource, isWindows: boolean): string[] {
  const { cwd, env, envFile, envFileValues } = view;
  const isTold = (name: string): boolean => riskyVariable(name, isWindows) !== undefined;
  const ofFile = Object.keys(envFileValues).filter(isTold).map(visibleText);
  const sets = ofFile.length === 0 ? '' : `, which sets ${ofFile.join(', ')}`;
  return [
    ...(cwd === (source.folder?.path ?? homedir()) ? [] : [`In folder: ${visibleText(cwd)}`]),
    ...settingLines(toldSettings(env, isTold, view, !isPersonal(source)), '=', view, isTold),
    ...(envFile === undefined ? [] : [`Environment file: ${visibleText(envFile)}${sets}`]),
  ];
}

function besideAddress(view: RemoteLaunchView, subject: LaunchSubject): string[] {
  const { url, host, socketPath, headers, auth } = view;
  const isTold = (name: string): boolean => riskyHeader(name) !== undefined;
  // An international name looks like another one.
  const isOtherHost = /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase() !== host;
  return [
    ...(isOtherHost || socketPath !== undefined ? [hostLine(view)] : []),
    ...settingLines(toldSettings(headers, isTold, view, !isPersonal(subject.source)), ': ', view, isTold),
    ...settingLines(auth, ': ', view, () => false).map((line) => `Signing in, ${line}`),
    ...(socketPath === undefined && subject.roots.folders.length > 0 ? [rootsLine(subject)] : []),
  ];
}

/** The settings that run code, send data elsewhere, or hand over what the person's environment has. */
function toldSettings(
  settings: readonly LaunchSetting[],
  isTold: (name: string) => boolean,
  view: LaunchView,
  isOfFolder: boolean,
) {
  const references = sentVariables(view, isOfFolder).filter(({ kind }) => kind === 'environment');
  const isHanded = ({ written }: LaunchSetting): boolean =>
    references.some(({ reference }) => written?.includes(reference) === true);
  return settings.filter((setting) => isTold(setting.name) || isHanded(setting));
}

function processSections(view: StdioLaunchView, isWindows: boolean): Section[] {
  const { command, args, cwd, env, envFile, envFileValues } = view;
  const names = Object.keys(envFileValues).map(visibleText).join(', ');
  const file = envFile === undefined ? [] : [`${visibleText(envFile)} sets ${names || 'nothing'}`];
  const argumentLine = (arg: string): string =>
    quoteArgument(arg) + (arg.endsWith(secretMask) && !args.includes(arg) ? writtenOut : hiddenMark(arg, view));
  const settings = settingLines(env, '=', view, (name) => riskyVariable(name, isWindows) !== undefined);
  return [
    { title: 'Command', lines: [command, ...shownArguments(command, args)].map(argumentLine) },
    { title: 'In folder', lines: [visibleText(cwd)] },
    { title: 'Environment', lines: [...settings, ...file] },
  ];
}

function addressSections(view: RemoteLaunchView): Section[] {
  const { url, headers, auth } = view;
  return [
    { title: 'Address', lines: [visibleText(url) + hiddenMark(url, view), hostLine(view)] },
    { title: 'Headers', lines: settingLines(headers, ': ', view, (name) => riskyHeader(name) !== undefined) },
    { title: 'Signing in', lines: settingLines(auth, ': ', view, () => false) },
  ];
}

function hostLine({ host, socketPath }: RemoteLaunchView): string {
  return socketPath === undefined ? `Host: ${visibleText(host)}` : `Socket: ${visibleText(socketPath)}`;
}

function settingLines(
  settings: readonly LaunchSetting[],
  separator: string,
  view: LaunchView,
  isRisky: (name: string) => boolean,
): string[] {
  const sorted = settings.toSorted((left, right) => Number(isRisky(right.name)) - Number(isRisky(left.name)));
  return sorted.map(({ name, value }) => {
    if (value === null) return `${visibleText(name)} is removed`;
    const mark = value === secretMask ? writtenOut : hiddenMark(value, view);
    return `${visibleText(name)}${separator}${visibleText(value)}${mark}`;
  });
}

function hiddenMark(text: string, { variables }: LaunchView): string {
  const shown = variables.filter(({ isSecret, reference }) => isSecret && text.includes(reference));
  if (shown.length === 0) return '';
  return shown.every(({ isMissing }) => isMissing !== undefined) ? ' (not set)' : ' (hidden)';
}

/** The files that the answer covers, and what it cannot cover. */
function codeSections({ view, facts, filesMayChange }: LaunchSubject): Section[] {
  if (facts === undefined || view.kind !== 'stdio') return [];
  const { program, interpreter, files } = facts;
  const isLink = (file: ResolvedFile): boolean => file.isLinkOutOfFolder;
  const single = [program, interpreter, ...files.filter(isLink)].filter((file) => file !== undefined);
  const names = files.filter((file) => !isLink(file)).map(({ path }) => visibleText(relative(view.cwd, path)));
  const named = names.length === 0 ? [] : [names.join(', ')];
  const isFree = (file: ResolvedFile): boolean => filesMayChange && file.isInFolder;
  const bound = single
    .filter((file) => !isFree(file))
    .map((file) => visibleText(isLink(file) ? `${file.path} → ${file.realPath}` : file.path));
  const free = [...single.filter(isFree).map(({ path }) => visibleText(path)), ...(filesMayChange ? named : [])];
  return [
    {
      title: 'You will be asked again if any of these files change',
      lines: filesMayChange ? bound : [...bound, ...named],
    },
    {
      title: 'This approval does not cover changes to',
      lines: [...free, ...uncoveredCode(facts).map(visibleText)],
      isProse: true,
    },
  ];
}

function inputSection({ variables }: LaunchView): Section {
  const lines = variables
    .filter(({ kind }) => kind === 'input')
    .map(({ name, isSecret, isSaved, isResult }) => {
      const entered = isResult === true ? 'the result of an editor command' : 'what you enter for this start';
      const origin = isSaved ? 'the value you saved for this server' : entered;
      return `${visibleText(name)}: ${origin}${isSecret ? ' (hidden)' : ''}`;
    });
  return { title: 'Inputs', lines };
}

/** A server that is defined for all workspaces is trusted in every window, and gets the folders of each. */
function rootsLine({ roots: { folders, includesLaterFolders }, source }: LaunchSubject): string {
  const others = isPersonal(source) ? 'the folders of any other window that uses it' : 'folders you add later';
  const later = folders.length === 0 ? others : `and ${others}`;
  const all = [...folders.map(visibleText), ...(includesLaterFolders ? [later] : [])];
  return all.length === 0 ? 'It can see no workspace folder.' : `It can see these folders: ${all.join(', ')}`;
}

function placeOf({ title, uri }: ConfigurationSource): string {
  return `Defined in ${visibleText(title)}${uri === undefined ? '' : `, ${visibleText(percentDecoded(uri))}`}`;
}

function documentation({ view, isWindows }: LaunchSubject): Section {
  const lines = riskySettings(view, isWindows).flatMap(({ text, what, kind, source }) => [
    `${text} ${riskEffects[kind]}: ${what}.`,
    `    ${source}`,
  ]);
  return { title: 'What some of these settings do', lines };
}
