import { relative } from 'node:path';
import { limits } from '../../base/limits.ts';
import { parseServerAddress } from '../../base/serverAddress.ts';
import { percentDecoded } from '../../base/truncate.ts';
import { quoteArgument, visibleText } from '../../base/visibleText.ts';
import { shownArguments } from '../../config/commandSecrets.ts';
import type { LaunchSetting } from '../../config/expandVariables.ts';
import type { LaunchView, RemoteLaunchView, StdioLaunchView } from '../../config/launchView.ts';
import {
  type ResolvedCode,
  codeWarnings,
  installedPackages,
  type ResolvedFile,
  uncoveredCode,
} from '../../config/resolvedCode.ts';
import { type ConfigurationSource, isPersonal } from '../../config/configuredServer.ts';
import { shortTarget } from '../../config/launchTarget.ts';
import { launchWarnings, riskySettings } from '../../config/launchWarnings.ts';
import { riskEffects, riskyHeader, riskyVariable } from '../../config/riskySettings.ts';
import { secretMask } from '../../secrets/secretNames.ts';
import { countOf, singleLine } from '../platform/displayText.ts';

export interface TrustQuestion {
  readonly message: string;
  /** The complete definition if it fits into a dialog, otherwise a summary. */
  readonly detail: string;
  readonly isWhole: boolean;
  readonly text: string;
}

export interface TrustSubject {
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
  readonly isWindows: boolean;
}

const howToStart = 'To start it, press Start Server in the notification, or start the server again.';

/** Of a secret that is no variable. */
const writtenOut = ' (written in the file)';

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
  /** The lines are sentences, not parts of the definition. */
  readonly isProse?: boolean;
}

/**
 * The question before the first start of a new or changed definition, with the exact and complete command (SEP-1024).
 * Warnings about what runs and where data goes come first. If the whole does not fit into a dialog, which has no scrollbar,
 * the dialog has a summary and the document has everything.
 */
export function trustQuestion(subject: TrustSubject): TrustQuestion {
  const message = questionMessage(subject);
  const first = [
    { title: 'What changed', lines: (subject.changes ?? []).map(visibleText), isProse: true },
    { title: 'Take care', lines: warningsOf(subject), isProse: true },
  ];
  const definition =
    subject.view.kind === 'stdio' ? processSections(subject.view, subject.isWindows) : addressSections(subject.view);
  const place = { title: '', lines: [rootsLine(subject), placeOf(subject.source)] };
  const after = [inputSection(subject.view), place];
  const whole = textOf([...first, ...definition, ...codeSections(subject, limits.trustQuestion.files), ...after]);
  const rest = [...definition, ...codeSections(subject), ...after, documentation(subject)];
  const isWhole = linesOf(whole) <= limits.trustQuestion.lines;
  const text = wrapped(`${message}\n${howToStart}\n\n${textOf([...first, ...rest])}\n`);
  return { message, detail: isWhole ? whole : summary(first, subject), isWhole, text };
}

function questionMessage({ label, view, changes }: TrustSubject): string {
  // A label can be any text: a long one must not push the rest of the question away.
  const name = singleLine(visibleText(label), 60);
  const change =
    changes === undefined ? undefined : `The MCP server “${name}” has changed since you trusted it. Start it?`;
  const question = change ?? `Start the MCP server “${name}”?`;
  if (view.kind === 'stdio') return `${question} It will run a program on this machine.`;
  return `${question} It will connect to a ${view.socketPath === undefined ? 'server' : 'program on this machine'}.`;
}

function warningsOf({ view, facts, isWindows, source, lookAlike }: TrustSubject): string[] {
  const label = lookAlike === undefined ? [] : [`This server's label ${visibleText(lookAlike)}.`];
  // The demo server comes with the extension.
  if (source.kind === 'demo') return label;
  if (facts === undefined || view.kind !== 'stdio') return [...label, ...launchWarnings(view, isWindows)];
  const inFolder = codeWarnings(facts, view.command).map(visibleText);
  return [...label, ...inFolder, ...launchWarnings(view, isWindows, installedPackages(facts))];
}

/**
 * The files that the answer covers, and what it cannot cover.
 * @param room the number of files of the workspace that are named in one line; the others are counted
 */
function codeSections({ view, facts, filesMayChange }: TrustSubject, room = Infinity): Section[] {
  if (facts === undefined || view.kind !== 'stdio') return [];
  const { program, interpreter, files } = facts;
  const isLink = (file: ResolvedFile): boolean => file.isLinkOutOfFolder;
  const single = [program, interpreter, ...files.filter(isLink)].filter((file) => file !== undefined);
  const names = files.filter((file) => !isLink(file)).map(({ path }) => visibleText(relative(view.cwd, path)));
  const more = names.length > room ? ` and ${names.length - room} more` : '';
  const named = names.length === 0 ? [] : [names.slice(0, room).join(', ') + more];
  const isFree = (file: ResolvedFile): boolean => filesMayChange && file.isInFolder;
  const bound = single
    .filter((file) => !isFree(file))
    .map((file) => visibleText(isLink(file) ? `${file.path} → ${file.realPath}` : file.path));
  const free = [...single.filter(isFree).map(({ path }) => visibleText(path)), ...(filesMayChange ? named : [])];
  return [
    { title: 'A change of these asks again', lines: filesMayChange ? bound : [...bound, ...named] },
    {
      title: 'Not covered by your answer',
      lines: [...free.map((what) => `${what} may change.`), ...uncoveredCode(facts).map(visibleText)],
      isProse: true,
    },
  ];
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
  const { url, host, socketPath, headers, auth } = view;
  const place = socketPath === undefined ? `Host: ${visibleText(host)}` : `Socket: ${visibleText(socketPath)}`;
  return [
    { title: 'Address', lines: [visibleText(url) + hiddenMark(url, view), place] },
    { title: 'Headers', lines: settingLines(headers, ': ', view, (name) => riskyHeader(name) !== undefined) },
    { title: 'Signing in', lines: settingLines(auth, ': ', view, () => false) },
  ];
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
function rootsLine({ roots: { folders, includesLaterFolders: areOthersTold }, source }: TrustSubject): string {
  const others = isPersonal(source) ? 'those of any other window that starts it' : 'any that is added later';
  const all = [...folders.map(visibleText), ...(areOthersTold ? [others] : [])];
  return all.length === 0
    ? 'It is told of no workspace folder.'
    : `It is told of these workspace folders: ${all.join(', ')}`;
}

function placeOf({ title, uri }: ConfigurationSource): string {
  return `Defined in ${visibleText(title)}${uri === undefined ? '' : `, ${visibleText(percentDecoded(uri))}`}`;
}

function documentation({ view, isWindows }: TrustSubject): Section {
  const lines = riskySettings(view, isWindows).flatMap(({ text, what, kind, source }) => [
    `${text} ${riskEffects[kind]}: ${what}.`,
    `    ${source}`,
  ]);
  return { title: 'What some of these do', lines };
}

/** A summary for the dialog: changes, then warnings (`first`), then the definition in a few lines. */
function summary(first: readonly Section[], subject: TrustSubject): string {
  const { changes, warnings, columns } = limits.trustQuestion;
  const { view, source } = subject;
  const sharedFolders = singleLine(rootsLine(subject), 3 * columns);
  return textOf([
    ...first.map((section, index) => shortenSection(section, index === 0 ? changes : warnings)),
    view.kind === 'stdio' ? processSummary(view) : addressSummary(view),
    { title: '', lines: [sharedFolders, cutLine(`Defined in ${visibleText(source.title)}`)] },
    { title: '', lines: ['There is more than fits here: read the whole definition.'] },
  ]);
}

function processSummary({ command, args, env, envFileValues }: StdioLaunchView): Section {
  const inFile = Object.keys(envFileValues).length;
  const ofFile = inFile > 0 ? `, ${countOf(inFile, 'variable')} of its environment file` : '';
  const counts = `${countOf(args.length, 'argument')}, ${countOf(env.length, 'environment variable')}${ofFile}`;
  const line = [command, ...shownArguments(command, args).slice(0, 20)].map(quoteArgument).join(' ');
  return { title: 'Command', lines: [singleLine(line, 2 * limits.trustQuestion.columns), counts] };
}

function addressSummary({ url, host, headers, auth }: RemoteLaunchView): Section {
  const address = parseServerAddress(url);
  const path = singleLine(visibleText(address?.url.pathname ?? url), limits.trustQuestion.columns);
  const counts = `${countOf(headers.length, 'header')}, ${countOf(auth.length, 'option')} for signing in`;
  return { title: 'Address', lines: [`${shortTarget(host)}, at ${path}`, counts] };
}

function shortenSection(section: Section, room: number): Section {
  const shown: string[] = [];
  let left = room;
  for (const line of section.lines.map(cutLine)) {
    left -= linesOf(line);
    if (left < 0) break;
    shown.push(line);
  }
  const missing = section.lines.length - shown.length;
  return { ...section, lines: missing === 0 ? shown : [...shown, `and ${missing} more`] };
}

function cutLine(text: string): string {
  return singleLine(text, limits.trustQuestion.lineLength);
}

function textOf(sections: readonly Section[]): string {
  return sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines, isProse = false }) => {
      const indent = isProse ? '• ' : '    ';
      return (title === '' ? lines : [`${title}:`, ...lines.map((line) => indent + line)]).join('\n');
    })
    .join('\n\n');
}

function linesOf(text: string): number {
  return text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / limits.trustQuestion.columns)), 0);
}

/** Wraps lines, because editors do not by default, and nothing may lie beyond the right edge. */
function wrapped(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.match(/.{1,64}$|.{1,63} |.{1,64}/gsu) ?? ['']).join(' ↩\n'))
    .join('\n');
}
