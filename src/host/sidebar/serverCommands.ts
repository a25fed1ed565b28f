import { commands, env, window } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { ContentKind } from '../../client/contents.ts';
import type { Mutes } from '../../client/mutes.ts';
import { CommandIds } from '../commandIds.ts';
import { openConfiguration } from '../configuration/configurationFiles.ts';
import { escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';
import { instructionsDocument } from '../results/textResults.ts';
import type { ResultDocument } from '../results/resultDocument.ts';
import { chooseRoots } from '../servers/chooseRoots.ts';
import type { MessageTraces } from '../servers/messageTraces.ts';
import { pickServer, type ServerPick } from '../servers/pickServer.ts';
import { allowOptions } from '../servers/saveOptions.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import { type ServerLogs, setLogLevel } from '../servers/serverLogs.ts';
import { isItemNode, itemKey, type ServersNode } from '../servers/serverNodes.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { abilitiesOf, contentKinds } from '../servers/serverStatus.ts';
import type { DetailsDocuments } from './detailsDocuments.ts';
import { showServers } from './showServers.ts';
import type { ServersView } from './serversView.ts';

export interface ServerCommandsOptions {
  readonly registry: ServerRegistry;
  readonly actions: ServerActions;
  readonly view: ServersView;
  readonly logs: ServerLogs;
  readonly traces: MessageTraces;
  readonly details: DetailsDocuments;
  readonly mutes: Mutes;
  /** Shows the host's own log. */
  readonly showLog: () => void;
  readonly show: (document: ResultDocument) => void;
}

const can = (ability: keyof ReturnType<typeof abilitiesOf>) => (hostServer: HostServer) =>
  abilitiesOf(hostServer.server)[ability];
const isRunning = ({ server }: HostServer): boolean => server.state.kind === 'running';
const noServers = 'No MCP server is configured.';

const picking = (placeholder: string, whenNone = noServers, isApplicable?: ServerPick['isApplicable']): ServerPick => ({
  placeholder,
  whenNone,
  ...(isApplicable && { isApplicable }),
});
const acting = (...of: Parameters<typeof picking>): ServerPick => ({ ...picking(...of), acts: true });

const picks = {
  start: acting('Start which server?', 'There is no stopped server to start.', can('start')),
  stop: picking('Stop which server?', 'No server is running.', can('stop')),
  restart: acting('Restart which server?', 'No server is running.', can('restart')),
  ping: acting('Ping which server?', 'No server is running.', isRunning),
  list: acting('List what which server offers?', 'No server is running.', isRunning),
  log: picking('Show the log of which server?'),
  muted: picking('Allow questions of which server again?', 'No server is muted.', ({ isMuted }) => isMuted),
  trace: picking('Trace the messages of which server?'),
  stopTracing: picking(
    'Stop tracing the messages of which server?',
    'The messages of no server are traced.',
    ({ isTraced }) => isTraced,
  ),
  level: picking(
    'Set the log level of which server?',
    'No running server lets its log level be set.',
    can('setLogLevel'),
  ),
  configuration: picking('Open the configuration of which server?'),
  options: picking(
    'Allow your options for which server?',
    'Every server uses the options you have for it.',
    ({ configured }) => configured.withheld !== undefined,
  ),
  roots: picking('Choose workspace folders for which server?'),
  instructions: picking(
    'Show the instructions of which server?',
    'No running server has instructions.',
    ({ server }) => server.session?.instructions !== undefined,
  ),
  details: picking('Show details of which server?'),
};

export function createServerCommands(host: ServerCommandsOptions) {
  const { registry, actions, view, logs, traces, details } = host;
  const forServer = (pick: ServerPick, handle: (hostServer: HostServer) => unknown) => async (argument: unknown) => {
    const hostServer = await pickServer(registry, argument, pick);
    return hostServer === undefined ? undefined : handle(hostServer);
  };
  const showServerDetails = forServer(picks.details, ({ label }) => details.showServer(label));
  return {
    [CommandIds.startServer]: forServer(picks.start, ({ label }) => actions.start(label)),
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
    [CommandIds.traceMessages]: forServer(picks.trace, ({ label }) => {
      traces.switch(label, true);
      traces.show(label);
    }),
    [CommandIds.stopTracingMessages]: forServer(picks.stopTracing, ({ label }) => traces.switch(label, false)),
    [CommandIds.setLogLevel]: forServer(picks.level, (hostServer) => setLogLevel(hostServer, logs)),
    [CommandIds.openConfiguration]: forServer(picks.configuration, ({ configured }) => openConfiguration(configured)),
    [CommandIds.allowOptions]: forServer(picks.options, ({ configured }) => allowOptions(configured)),
    [CommandIds.chooseRoots]: forServer(picks.roots, (hostServer) => chooseRoots(() => hostServer.configured)),
    [CommandIds.showServerDetails]: (argument: unknown) =>
      isNode(argument) && isItemNode(argument) ? details.showItem(argument) : showServerDetails(argument),
    [CommandIds.showInstructions]: forServer(picks.instructions, (hostServer) =>
      host.show(instructionsDocument(hostServer)),
    ),
    [CommandIds.showServers]: () => showServers(registry, view),
    [CommandIds.showLog]: () => host.showLog(),
    [CommandIds.copyName]: (argument: unknown) => copyName(argument ?? view.selection),
    [CommandIds.filterServers]: async () => {
      await commands.executeCommand('patchbay.servers.focus');
      askFilter(view);
    },
    [CommandIds.clearFilter]: () => view.setFilter(''),
  };
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

/** Narrows the servers view while a person types. Enter keeps the filter, Escape brings back the one before. */
function askFilter(view: ServersView): void {
  const store = new DisposableStore();
  const before = view.filter;
  let isAccepted = false;
  const input = store.add(window.createInputBox());
  input.title = 'Filter Servers and Contents';
  input.placeholder = 'Words in names, titles, descriptions or URIs';
  input.value = before;
  store.add(input.onDidChangeValue((value) => view.setFilter(value)));
  store.add(
    input.onDidAccept(() => {
      isAccepted = true;
      input.hide();
    }),
  );
  store.add(
    input.onDidHide(() => {
      if (!isAccepted) view.setFilter(before);
      store.dispose();
    }),
  );
  input.show();
}
