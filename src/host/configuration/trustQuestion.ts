import type { ConfigurationSource } from '../../config/configuredServer.ts';
import type { LaunchSetting, LaunchView } from '../../config/launchView.ts';
import { launchWarnings } from '../../config/launchWarnings.ts';
import { describeChange, type TrustRecord } from '../../config/trustRecord.ts';
import { quoteArgument, visibleText } from '../../base/visibleText.ts';
import { singleLine } from '../displayText.ts';

export interface TrustQuestion {
  readonly message: string;
  readonly detail: string;
}

/**
 * The question before a first start, or before the first start of a changed definition (SEP-1024: the exact, untruncated
 * command and arguments). Everything is shown, one argument a line, with nothing that could hide.
 * @param previous what was agreed to earlier, if anything
 */
export function trustQuestion(
  label: string,
  source: ConfigurationSource,
  view: LaunchView,
  current: TrustRecord,
  previous: TrustRecord | undefined,
): TrustQuestion {
  // A label is free text: a long one must not push what follows off the screen.
  const name = singleLine(visibleText(label), 60);
  const action = view.kind === 'stdio' ? 'run a program on this machine' : 'connect to a server';
  const message =
    previous === undefined
      ? `Start the MCP server “${name}”? It will ${action}.`
      : `The MCP server “${name}” has changed since you trusted it. Start it? It will ${action}.`;
  const changes = previous === undefined ? [] : describeChange(previous, current);
  const paragraphs = [
    section('What changed', changes.map(visibleText)),
    section('Take care', launchWarnings(view)),
    view.kind === 'stdio' ? processLines(view) : addressLines(view),
    `Defined in ${visibleText(source.title)}${source.uri === undefined ? '' : `, ${visibleText(decodeURI(source.uri))}`}`,
  ];
  return { message, detail: paragraphs.filter((text) => text !== '').join('\n\n') };
}

function processLines(view: LaunchView & { kind: 'stdio' }): string {
  const { command, args, cwd, env, envFile, envFileValues } = view;
  const file =
    envFile === undefined
      ? []
      : [`${visibleText(envFile)} sets ${Object.keys(envFileValues).map(visibleText).join(', ') || 'nothing'}`];
  return [
    section('Command', [quoteArgument(command), ...args.map(quoteArgument)]),
    section('In folder', [visibleText(cwd)]),
    section('Environment', [...env.map((setting) => settingLine(setting, '=')), ...file]),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function addressLines({ url, host, headers, auth }: LaunchView & { kind: 'http' | 'sse' }): string {
  return [
    section('Address', [visibleText(url), `Host: ${visibleText(host)}`]),
    section(
      'Headers',
      headers.map((setting) => settingLine(setting, ': ')),
    ),
    section(
      'Signing in',
      auth.map((setting) => settingLine(setting, ': ')),
    ),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function settingLine({ name, value }: LaunchSetting, separator: string): string {
  return value === null ? `${visibleText(name)} is removed` : `${visibleText(name)}${separator}${visibleText(value)}`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`${title}:`, ...lines.map((line) => `    ${line}`)].join('\n');
}
