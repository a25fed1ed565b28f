import { commands, env, window } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { ContentKind } from '../../client/contents.ts';
import type { QuestionMutes } from '../../client/serverRequests/questionMutes.ts';
import { CommandIds, type ServerCommandId } from '../commandIds.ts';
import { openConfiguration } from '../configuration/configurationFiles.ts';
import { escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';
import type { ActingCommandContext } from '../platform/registerCommand.ts';
import { chooseRoots } from '../servers/chooseRoots.ts';
import type { MessageTraces } from '../servers/messageTraces.ts';
import { pickServer, type ServerPick } from '../servers/pickServer.ts';
import { allowOptions } from '../servers/saveOptions.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import type { ServerLogs } from '../servers/serverLogs.ts';
import { isItemNode, itemKey, type ServersNode } from '../servers/serverNodes.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { abilitiesOf, contentKinds, type ServerAbilities } from '../servers/serverStatus.ts';
import { setLogLevel } from '../servers/setLogLevel.ts';
import type { DetailsDocuments } from './lazyDetails.ts';
import { showServers } from './showServers.ts';
import type { ServersView } from './serversView.ts';

/** The parts of the host that the commands about servers and the view act on. */
export interface ServerCommandsOptions extends ActingCommandContext {
  readonly registry: ServerRegistry;
  readonly actions: ServerActions;
  readonly view: ServersView;
  readonly logs: ServerLogs;
  readonly traces: MessageTraces;
  readonly details: DetailsDocuments;
  readonly mutes: Pick<QuestionMutes, 'unmute'>;
  /** Shows the host's own log. */
  readonly showLog: () => void;
  /** Opens what a server tells models of itself. */
  readonly showInstructions: (hostServer: HostServer) => Promise<void>;
}

const can = (ability: keyof ServerAbilities) => (hostServer: HostServer) => abilitiesOf(hostServer.server)[ability];
const isRunning = ({ server }: HostServer): boolean => server.state.kind === 'running';
const noServers = 'No MCP server is configured.';

const picks = {
  start: {
    placeholder: 'Start which server?',
    whenNone: 'There is no stopped server to start.',
    isApplicable: can('start'),
    acts: true,
  },
  stop: { placeholder: 'Stop which server?', whenNone: 'No server is running.', isApplicable: can('stop') },
  restart: {
    placeholder: 'Restart which server?',
    whenNone: 'No server is running.',
    isApplicable: can('restart'),
    acts: true,
  },
  ping: { placeholder: 'Ping which server?', whenNone: 'No server is running.', isApplicable: isRunning, acts: true },
  list: {
    placeholder: 'List what which server offers?',
    whenNone: 'No server is running.',
    isApplicable: isRunning,
    acts: true,
  },
  log: { placeholder: 'Show the log of which server?', whenNone: noServers },
  muted: {
    placeholder: 'Allow questions of which server again?',
    whenNone: 'No server is muted.',
    isApplicable: ({ isMuted }: HostServer) => isMuted,
  },
  trace: { placeholder: 'Trace the messages of which server?', whenNone: noServers },
  stopTracing: {
    placeholder: 'Stop tracing the messages of which server?',
    whenNone: 'The messages of no server are traced.',
    isApplicable: ({ isTraced }: HostServer) => isTraced,
  },
  level: {
    placeholder: 'Set the log level of which server?',
    whenNone: 'No running server lets its log level be set.',
    isApplicable: can('setLogLevel'),
  },
  configuration: { placeholder: 'Open the configuration of which server?', whenNone: noServers },
  options: {
    placeholder: 'Allow your options for which server?',
    whenNone: 'Every server uses the options you have for it.',
    isApplicable: ({ configured }: HostServer) => configured.withheld !== undefined,
  },
  roots: { placeholder: 'Choose workspace folders for which server?', whenNone: noServers },
  instructions: {
    placeholder: 'Show the instructions of which server?',
    whenNone: 'No running server has instructions.',
    isApplicable: ({ server }: HostServer) => server.session?.instructions !== undefined,
  },
  details: { placeholder: 'Show details of which server?', whenNone: noServers },
} as const satisfies Record<string, ServerPick>;

type Handler = (argument: unknown, options: ServerCommandsOptions) => unknown;

function forServer(
  pick: ServerPick,
  handle: (hostServer: HostServer, options: ServerCommandsOptions) => unknown,
): Handler {
  return async (argument, options) => {
    const hostServer = await pickServer(options.registry, argument, pick);
    return hostServer === undefined ? undefined : handle(hostServer, options);
  };
}

/** What the commands do that are about a server or about the view. Loaded with the first one that runs. */
export const serverCommands: Readonly<Record<ServerCommandId, Handler>> = {
  [CommandIds.startServer]: forServer(picks.start, ({ label }, { actions }) => actions.start(label)),
  [CommandIds.stopServer]: forServer(picks.stop, ({ label }, { actions }) => actions.stop(label)),
  [CommandIds.restartServer]: forServer(picks.restart, ({ label }, { actions }) => actions.restart(label)),
  [CommandIds.pingServer]: forServer(picks.ping, ping),
  [CommandIds.allowQuestions]: forServer(picks.muted, ({ label }, { mutes }) => mutes.unmute(label)),
  [CommandIds.listAgain]: listAgain,
  [CommandIds.showServerLog]: forServer(picks.log, ({ label }, { logs }) => logs.channel(label).show()),
  [CommandIds.traceMessages]: forServer(picks.trace, ({ label }, { traces }) => {
    traces.switch(label, true);
    traces.show(label);
  }),
  [CommandIds.stopTracingMessages]: forServer(picks.stopTracing, ({ label }, { traces }) =>
    traces.switch(label, false),
  ),
  [CommandIds.setLogLevel]: forServer(picks.level, (hostServer, { logs }) => setLogLevel(hostServer, logs)),
  [CommandIds.openConfiguration]: forServer(picks.configuration, ({ configured }) => openConfiguration(configured)),
  [CommandIds.allowOptions]: forServer(picks.options, ({ configured }) => allowOptions(configured)),
  [CommandIds.chooseRoots]: forServer(picks.roots, (host) => chooseRoots(() => host.configured)),
  [CommandIds.showServerDetails]: showDetails,
  [CommandIds.showInstructions]: forServer(picks.instructions, (hostServer, { showInstructions }) =>
    showInstructions(hostServer),
  ),
  [CommandIds.showServers]: (_argument, { registry, view }) => showServers(registry, view),
  [CommandIds.showLog]: (_argument, { showLog }) => showLog(),
  [CommandIds.copyName]: (argument, { view }) => copyName(argument ?? view.selection),
  [CommandIds.filterServers]: async (_argument, { view }) => {
    await commands.executeCommand('patchbay.servers.focus');
    askFilter(view);
  },
  [CommandIds.clearFilter]: (_argument, { view }) => view.setFilter(''),
};

async function listAgain(argument: unknown, { registry }: ServerCommandsOptions): Promise<void> {
  const hostServer = await pickServer(registry, argument, picks.list);
  const kinds = contentKinds.map(({ kind }) => kind).filter((kind) => (groupOf(argument) ?? kind) === kind);
  for (const kind of kinds) hostServer?.server.reloadList(kind);
}

async function showDetails(argument: unknown, { registry, details }: ServerCommandsOptions): Promise<void> {
  if (isNode(argument) && isItemNode(argument)) return details.showItem(argument);
  const hostServer = await pickServer(registry, argument, picks.details);
  if (hostServer !== undefined) await details.showServer(hostServer.label);
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

/** The list that a row stands for. */
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
