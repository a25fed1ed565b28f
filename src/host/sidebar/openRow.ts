import { commands, TabInputCustom, TabInputWebview, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type CommandId, CommandIds } from '../commandIds.ts';
import { ofFocusedRow } from '../platform/registerCommand.ts';
import { isByPerson, runForPerson } from '../platform/personArguments.ts';
import { isItemNode, type NodeOf, type ServersNode } from '../servers/serverNodes.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { type ServerStatus, statusOf } from '../servers/serverStatus.ts';
import type { DetailsPages } from './detailsPages.ts';
import { rowId } from './serverRows.ts';
import { serversViewId } from './serversView.ts';

/** Two clicks on one row within so many milliseconds are a double click. */
const gestureMs = 500;

const noClick = { row: '', at: -Infinity };

type Gesture = 'click' | 'doubleClick' | 'enter';

interface RowOpenerOptions {
  readonly registry: Pick<ServerRegistry, 'get'>;
  readonly details: () => Promise<Pick<DetailsPages, 'showItem'>>;
  readonly clock: Clock;
  /** The row that Enter was pressed on. */
  readonly view: { focused(): ServersNode | undefined; commandOf(node: ServersNode): string | undefined };
}

/**
 * What a click on a row does, and what Enter and a double click do: a click selects and previews, the others open or start. A row passes
 * itself, so that no other extension can open one that it was not given; Enter is about the row that it was pressed on.
 */
export function createRowOpener({ registry, details, clock, view }: RowOpenerOptions) {
  let clicked = noClick;

  function gestureOn(node: ServersNode): Gesture {
    const now = clock.now();
    const row = rowId(node, false);
    const isDouble = row === clicked.row && now - clicked.at <= gestureMs;
    clicked = isDouble ? noClick : { row, at: now };
    return isDouble ? 'doubleClick' : 'click';
  }

  const stateOf = ({ server }: { readonly server: string }): ServerStatus => {
    const found = registry.get(server);
    return found === undefined ? 'stopped' : statusOf(found.server.state);
  };

  async function openServer(node: NodeOf<'server'>, gesture: Gesture): Promise<void> {
    const isDisabled = registry.get(node.server)?.isDisabled === true;
    const next = isDisabled ? CommandIds.enableServer : nextSteps[stateOf(node)];
    if (gesture !== 'click' && next !== undefined) return runForPerson(next, { ...node });
    // A row with a command does not open by itself. The first click of two has done it.
    if (gesture !== 'doubleClick') await commands.executeCommand('list.toggleExpand');
  }

  async function preview(node: NodeOf<OpenedKind>): Promise<void> {
    const canShow = node.kind === 'tool' || node.kind === 'savedCall' || stateOf(node) === 'running';
    const command = previews[node.kind];
    if (canShow && command !== undefined) await runForPerson(command, { ...node, preview: true });
    else if (isItemNode(node)) await (await details()).showItem(node, true);
  }

  /** The row keeps the keyboard: VS Code gives it to a page that can be searched when another editor comes in its place. */
  async function previewOnly(node: NodeOf<OpenedKind>): Promise<void> {
    const click = clicked;
    const replaced = window.tabGroups.activeTabGroup.activeTab?.input;
    await preview(node);
    const isPage = replaced instanceof TabInputCustom || replaced instanceof TabInputWebview;
    if (isPage && click === clicked) await commands.executeCommand(`${serversViewId}.focus`);
  }

  async function open(node: NodeOf<OpenedKind | 'server'>, gesture: Gesture): Promise<void> {
    if (node.kind === 'server') await openServer(node, gesture);
    else if (gesture === 'click') await previewOnly(node);
    else await runForPerson(opened[node.kind], { ...node });
  }

  async function enter(node: ServersNode): Promise<void> {
    // The clicks before and after a key are not a double click.
    clicked = noClick;
    const command = view.commandOf(node);
    if (command === CommandIds.openRow) await open(node as NodeOf<OpenedKind | 'server'>, 'enter');
    // A row that only holds others.
    else if (command === undefined) await commands.executeCommand('list.toggleExpand');
    else await commands.executeCommand(command, node);
  }

  return async (argument: unknown): Promise<void> => {
    const entered = argument === ofFocusedRow ? view.focused() : undefined;
    if (entered !== undefined) return enter(entered);
    if (argument === undefined || !isByPerson(argument, CommandIds.openRow)) return;
    const node = argument as NodeOf<OpenedKind | 'server'>;
    await open(node, gestureOn(node));
  };
}

/** What gets a server further; of one that runs, or is about to, there is nothing to do but to look at it. */
const nextSteps: Readonly<Partial<Record<ServerStatus, CommandId>>> = {
  stopped: CommandIds.startServer,
  needsTrust: CommandIds.startServer,
  needsSignIn: CommandIds.signIn,
  failed: CommandIds.showWhy,
  waiting: CommandIds.showWhy,
};

const opened = {
  tool: CommandIds.openTool,
  savedCall: CommandIds.openSavedCall,
  resource: CommandIds.openResource,
  template: CommandIds.openResource,
  prompt: CommandIds.runPrompt,
  skill: CommandIds.openSkill,
  skillFile: CommandIds.openSkill,
} as const satisfies Readonly<Partial<Record<ServersNode['kind'], CommandId>>>;

type OpenedKind = keyof typeof opened;

/** What shows a part of a server in a tab without sending anything that acts; details are shown of the others. */
const previews: Readonly<Partial<Record<OpenedKind, CommandId>>> = {
  tool: CommandIds.openTool,
  savedCall: CommandIds.openSavedCall,
  resource: CommandIds.openResource,
  skill: CommandIds.openSkill,
  skillFile: CommandIds.openSkill,
};
