import { commands } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type CommandId, CommandIds } from '../commandIds.ts';
import { isByPerson, runForPerson } from '../platform/personArguments.ts';
import { isItemNode, type NodeOf, type ServersNode } from '../servers/serverNodes.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { type ServerStatus, statusOf } from '../servers/serverStatus.ts';
import type { DetailsPages } from './detailsPages.ts';
import { rowId } from './serverRows.ts';

/** Two clicks on one row within so many milliseconds are a double click; a row that runs so soon after Enter was opened by it. */
const gestureMs = 500;

type Gesture = 'click' | 'doubleClick' | 'enter';

interface RowOpenerOptions {
  readonly registry: Pick<ServerRegistry, 'get'>;
  readonly details: () => Promise<Pick<DetailsPages, 'showItem'>>;
  readonly clock: Clock;
}

/**
 * What a click on a row does, and what Enter and a double click do: a click selects and previews, the others open or start. VS Code
 * runs the one command of a row for all three. Enter is bound to this command without an argument, which has the list select its
 * row: the row then passes itself, so that no other extension can open one that it was not given.
 */
export function createRowOpener({ registry, details, clock }: RowOpenerOptions) {
  let enteredAt = -Infinity;
  let clicked = { row: '', at: -Infinity };

  function gestureOn(node: ServersNode): Gesture {
    const now = clock.now();
    const row = rowId(node, false);
    const isEnter = now - enteredAt <= gestureMs;
    const isDouble = row === clicked.row && now - clicked.at <= gestureMs;
    enteredAt = -Infinity;
    clicked = isEnter || isDouble ? { row: '', at: -Infinity } : { row, at: now };
    return isEnter ? 'enter' : isDouble ? 'doubleClick' : 'click';
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

  return async (argument: unknown): Promise<void> => {
    if (argument === undefined) {
      enteredAt = clock.now();
      await commands.executeCommand('list.select');
      return;
    }
    if (!isByPerson(argument, CommandIds.openRow)) return;
    const node = argument as NodeOf<OpenedKind | 'server'>;
    const gesture = gestureOn(node);
    if (node.kind === 'server') await openServer(node, gesture);
    else if (gesture === 'click') await preview(node);
    else await runForPerson(opened[node.kind], { ...node });
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
