import { commands, env, type QuickPickItem, ThemeIcon, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { ContentKind } from '../../client/contents.ts';
import type { Mutes } from '../../client/mutes.ts';
import { type CommandId, CommandIds } from '../commandIds.ts';
import { openConfiguration } from '../configuration/configurationFiles.ts';
import { escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';
import { runForPerson } from '../platform/personArguments.ts';
import { instructionsDocument } from '../results/textResults.ts';
import type { ResultDocument } from '../results/resultDocument.ts';
import { chooseRoots } from '../servers/chooseRoots.ts';
import { pickServer, serverPickItem, type ServerPick } from '../servers/pickServer.ts';
import { allowOptions, saveOptions } from '../servers/saveOptions.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import { type ServerLogs, setLogLevel } from '../servers/serverLogs.ts';
import { isItemNode, itemKey, type ServersNode } from '../servers/serverNodes.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { abilitiesOf, contentKinds } from '../servers/serverStatus.ts';
import type { DetailsPages } from './detailsPages.ts';
import { ofFocusedRow } from '../platform/registerCommand.ts';
import { createRowOpener } from './openRow.ts';
import { serverConditions } from './serverConditions.ts';
import type { ServersView } from './serversView.ts';

export interface ServerCommandsOptions {
  readonly registry: ServerRegistry;
  readonly clock: Clock;
  readonly actions: ServerActions;
  readonly view: ServersView;
  readonly logs: ServerLogs;
  readonly details: () => Promise<DetailsPages>;
  readonly mutes: Mutes;
  readonly showLog: () => void;
  readonly show: (document: ResultDocument) => void;
  /** Starts these servers, or all, after one review of those that need a yes. */
  readonly startServers: (labels?: readonly string[]) => Promise<void>;
}

const noServers = 'No MCP server is configured.';

const picking = (placeholder: string, whenNone = noServers, isApplicable?: ServerPick['isApplicable']): ServerPick => ({
  placeholder,
  whenNone,
  isApplicable,
});
const acting = (...of: Parameters<typeof picking>): ServerPick => ({ ...picking(...of), acts: true });

const picks = {
  start: {
    ...acting('Start which server?', 'There is no stopped server to start.', serverConditions.Idle),
    starts: true,
  },
  withWindow: acting(
    'Start which server with each window?',
    'Every server already starts with each window.',
    ({ configured }) => configured.options.autoStart !== true,
  ),
  notWithWindow: picking(
    'Stop starting which server with each window?',
    'No server starts with each window.',
    ({ configured }) => configured.options.autoStart === true,
  ),
  stop: picking('Stop which server?', 'No server is running.', serverConditions.Active),
  restart: acting('Restart which server?', 'No server is running.', serverConditions.Restartable),
  ping: acting('Ping which server?', 'No server is running.', serverConditions.Running),
  list: acting('Refresh the lists of which server?', 'No server is running.', serverConditions.Running),
  log: picking('Show the log of which server?'),
  muted: picking('Unmute which server?', 'No server is muted.', serverConditions.Muted),
  level: picking(
    'Set the log level of which server?',
    'No running server supports log levels.',
    serverConditions.Logging,
  ),
  configuration: picking('Open the configuration of which server?'),
  options: picking(
    'Allow your options for which server?',
    'Every server uses the options you have for it.',
    serverConditions.Withheld,
  ),
  roots: picking('Choose workspace folders for which server?'),
  instructions: picking(
    'Show the instructions of which server?',
    'No running server has instructions.',
    serverConditions.Instructions,
  ),
  details: picking('Show details of which server?'),
};

export function createServerCommands(host: ServerCommandsOptions) {
  const { registry, actions, view, logs, details } = host;
  const forServer = (pick: ServerPick, handle: (hostServer: HostServer) => unknown) => async (argument: unknown) => {
    const hostServer = await pickServer(registry, argument, pick);
    return hostServer === undefined ? undefined : handle(hostServer);
  };
  const showServerDetails = forServer(picks.details, async ({ label }) => (await details()).showServer(label));
  return {
    [CommandIds.startServer]: forServer(picks.start, ({ label }) => view.start(label)),
    [CommandIds.startAll]: () => host.startServers(),
    [CommandIds.startWithWindow]: forServer(picks.withWindow, (hostServer) => startWithWindow(hostServer, true)),
    [CommandIds.dontStartWithWindow]: forServer(picks.notWithWindow, (hostServer) =>
      startWithWindow(hostServer, false),
    ),
    [CommandIds.stopServer]: forServer(picks.stop, ({ label }) => actions.stop(label)),
    [CommandIds.restartServer]: forServer(picks.restart, ({ label }) => actions.restart(label)),
    [CommandIds.pingServer]: forServer(picks.ping, ping),
    [CommandIds.allowQuestions]: forServer(picks.muted, ({ label }) => host.mutes.unmute(label)),
    [CommandIds.listAgain]: async (argument: unknown) => {
      const server = (await pickServer(registry, argument, picks.list))?.server;
      const kinds = contentKinds.map(({ kind }) => kind).filter((kind) => (groupOf(argument) ?? kind) === kind);
      for (const kind of kinds) server?.reloadList(kind);
    },
    [CommandIds.showServerLog]: forServer(picks.log, ({ label }) => logs.channel(label).show()),
    [CommandIds.setLogLevel]: forServer(picks.level, (hostServer) => setLogLevel(hostServer, logs)),
    [CommandIds.openConfiguration]: forServer(picks.configuration, ({ configured }) => openConfiguration(configured)),
    [CommandIds.allowOptions]: forServer(picks.options, ({ configured }) => allowOptions(configured)),
    [CommandIds.chooseRoots]: forServer(picks.roots, chooseRoots),
    [CommandIds.showServerDetails]: async (argument: unknown) =>
      isNode(argument) && isItemNode(argument) ? (await details()).showItem(argument) : showServerDetails(argument),
    [CommandIds.showInstructions]: forServer(picks.instructions, (hostServer) =>
      host.show(instructionsDocument(hostServer)),
    ),
    [CommandIds.showServers]: () => showServers(registry, view),
    [CommandIds.showLog]: () => host.showLog(),
    [CommandIds.copyName]: async (argument: unknown) => copyName(argument === ofFocusedRow ? view.focused() : argument),
    [CommandIds.filterServers]: async () => {
      await commands.executeCommand('patchbay.servers.focus');
      askFilter(view);
    },
    [CommandIds.clearFilter]: () => view.setFilter(''),
    [CommandIds.openRow]: createRowOpener(host),
  };
}

/** Kept in the user's settings, bound to the definition. It starts without a question only once it was approved. */
async function startWithWindow({ label, configured }: HostServer, isOn: boolean): Promise<void> {
  if (!(await saveOptions(configured, { autoStart: isOn }))) return;
  const name = escapeIcons(`“${singleLine(label, 60)}”`);
  window.setStatusBarMessage(
    isOn ? `${name} will start with each window` : `${name} will no longer start with each window`,
    5000,
  );
}

async function ping({ label, server }: HostServer): Promise<void> {
  const milliseconds = await server.ping();
  void window.showInformationMessage(notificationText(`${label} answered in ${milliseconds} ms.`));
}

async function copyName(argument: unknown): Promise<void> {
  if (!isNode(argument) || argument.kind === 'problems') return;
  const name = isItemNode(argument) ? itemKey(argument) : argument.server;
  await env.clipboard.writeText(name);
  window.setStatusBarMessage(escapeIcons(`Copied “${singleLine(name, 60)}”`), 3000);
}

function groupOf(argument: unknown): ContentKind | undefined {
  if (!isNode(argument)) return undefined;
  if (argument.kind === 'group') return argument.contents;
  return argument.kind === 'note' ? argument.group : undefined;
}

/** Menus hand over the row itself. */
function isNode(argument: unknown): argument is ServersNode {
  return typeof argument === 'object' && argument !== null && 'kind' in argument;
}

/** Narrows the servers view while a person types. Enter keeps the filter and goes to the match, Escape brings back the one before. */
function askFilter(view: ServersView): void {
  const before = view.filter;
  let isAccepted = false;
  const input = window.createInputBox();
  input.title = 'Filter Servers and Contents';
  input.placeholder = 'Search names, titles, descriptions and URIs';
  input.value = before;
  input.onDidChangeValue((value) => {
    view.setFilter(value);
    void view.showMatch('select');
  });
  input.onDidAccept(() => {
    isAccepted = true;
    input.hide();
    void view.showMatch('focus');
  });
  input.onDidHide(() => {
    if (!isAccepted) view.setFilter(before);
    input.dispose();
  });
  input.show();
}

/** Lists all servers with their states, then what can be done with the one that was chosen. */
async function showServers(registry: ServerRegistry, view: ServersView): Promise<void> {
  const { servers } = registry;
  const command = (label: string, icon: string, id: CommandId) => ({ label, iconPath: new ThemeIcon(icon), id });
  const items: readonly (QuickPickItem & { readonly hostServer?: HostServer; readonly id?: CommandId })[] = [
    ...servers.map(serverPickItem),
    ...(servers.filter(serverConditions.Idle).length > 1 ? [command('Start All', 'run-all', CommandIds.startAll)] : []),
    command('Add MCP Server…', 'add', CommandIds.addServer),
  ];
  const picked = await window.showQuickPick(items, { placeHolder: 'MCP servers', matchOnDescription: true });
  if (picked?.id !== undefined) await runForPerson(picked.id);
  if (picked?.hostServer !== undefined) await offerActions(picked.hostServer, view);
}

async function offerActions(hostServer: HostServer, view: ServersView): Promise<void> {
  const { label } = hostServer;
  const picked = await window.showQuickPick(actionsFor(hostServer), { placeHolder: singleLine(label) });
  if (picked === undefined) return;
  if (picked.command === 'reveal') await view.reveal(label);
  else await runForPerson(picked.command, label);
}

interface ActionPick extends QuickPickItem {
  readonly command: CommandId | 'reveal';
}

function actionsFor(hostServer: HostServer): readonly ActionPick[] {
  const { server } = hostServer;
  const abilities = abilitiesOf(hostServer);
  const actions: readonly (readonly [ActionPick['command'], label: string, icon: string, isThere?: boolean])[] = [
    [CommandIds.startServer, 'Start', 'play', abilities.start],
    [CommandIds.stopServer, 'Stop', 'debug-stop', abilities.stop],
    [CommandIds.restartServer, 'Restart', 'debug-restart', abilities.restart],
    ['reveal', 'Show in Sidebar', 'list-tree'],
    [CommandIds.showServerDetails, 'Show Details', 'info'],
    [CommandIds.showInstructions, 'Show Instructions', 'book', server.session?.instructions !== undefined],
    [CommandIds.showServerLog, 'Show Log', 'output'],
    [CommandIds.showTraffic, 'Show Traffic', 'arrow-swap'],
    [CommandIds.setLogLevel, 'Set Log Level…', 'settings', abilities.setLogLevel],
    [CommandIds.chooseRoots, 'Choose Workspace Folders…', 'root-folder'],
    [CommandIds.openConfiguration, 'Open Configuration', 'gear'],
  ];
  return actions.flatMap(([command, label, icon, isThere = true]) =>
    isThere ? [{ command, label, iconPath: new ThemeIcon(icon) }] : [],
  );
}
