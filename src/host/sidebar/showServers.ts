import { commands, type QuickPickItem, ThemeIcon, window } from 'vscode';
import { singleLine } from '../platform/displayText.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { abilitiesOf } from '../servers/serverStatus.ts';
import type { ServersView } from './serversView.ts';
import { type CommandId, CommandIds } from '../commandIds.ts';
import { serverPickItem } from '../servers/pickServer.ts';
import { runForPerson } from '../platform/personArguments.ts';

/** Lists all servers with their states, then what can be done with the one that was chosen. */
export async function showServers(registry: ServerRegistry, view: ServersView): Promise<void> {
  const add = { label: 'Add Server…', iconPath: new ThemeIcon('add'), hostServer: undefined };
  const picked = await window.showQuickPick([...registry.servers.map(serverPickItem), add], {
    placeHolder: 'MCP servers',
    matchOnDescription: true,
  });
  if (picked === undefined) return;
  if (picked.hostServer === undefined) await commands.executeCommand(CommandIds.addServer);
  else await offerActions(picked.hostServer, view);
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

function actionsFor({ server, isTraced }: HostServer): readonly ActionPick[] {
  const abilities = abilitiesOf(server);
  const action = (command: ActionPick['command'], label: string, icon: string): ActionPick => ({
    command,
    label,
    iconPath: new ThemeIcon(icon),
  });
  return [
    ...(abilities.start ? [action(CommandIds.startServer, 'Start', 'play')] : []),
    ...(abilities.stop ? [action(CommandIds.stopServer, 'Stop', 'debug-stop')] : []),
    ...(abilities.restart ? [action(CommandIds.restartServer, 'Restart', 'debug-restart')] : []),
    action('reveal', 'Show in Sidebar', 'list-tree'),
    action(CommandIds.showServerDetails, 'Show Details', 'info'),
    ...(server.session?.instructions === undefined
      ? []
      : [action(CommandIds.showInstructions, 'Show Instructions', 'book')]),
    action(CommandIds.showServerLog, 'Show Log', 'output'),
    isTraced
      ? action(CommandIds.stopTracingMessages, 'Stop Tracing Messages', 'debug-pause')
      : action(CommandIds.traceMessages, 'Trace Messages', 'list-flat'),
    ...(abilities.setLogLevel ? [action(CommandIds.setLogLevel, 'Set Log Level…', 'settings')] : []),
    action(CommandIds.chooseRoots, 'Choose Workspace Folders…', 'root-folder'),
    action(CommandIds.openConfiguration, 'Open Configuration', 'gear'),
  ];
}
