import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri } from 'vscode';
import { rememberedUri } from './rememberedDecorations.ts';
import type { Row } from './serverRows.ts';
import type { ServersNode } from './serverNodes.ts';

const collapsibleStates = {
  none: TreeItemCollapsibleState.None,
  collapsed: TreeItemCollapsibleState.Collapsed,
  expanded: TreeItemCollapsibleState.Expanded,
} as const satisfies Record<Row['children'], TreeItemCollapsibleState>;

/**
 * Makes what VS Code draws for a row. The tooltip, and the command of a row that does not open, are left for
 * `resolveTreeItem`: 10,000 commands to make and send were a quarter of the time in which as long a list appears.
 */
export function createTreeItem(row: Row, node: ServersNode): TreeItem {
  const item = new TreeItem(row.label, collapsibleStates[row.children]);
  item.id = row.id;
  item.contextValue = row.contextValue;
  item.iconPath = iconOf(row);
  if (row.spoken !== undefined) item.accessibilityInformation = { label: row.spoken };
  if (row.description !== undefined && row.description !== '') item.description = row.description;
  if (row.isDimmed) item.resourceUri = rememberedUri;
  // With its command at hand, VS Code keeps a click on such a row from opening it.
  if (row.children !== 'none') addCommand(item, row, node);
  return item;
}

/** Gives a row what a click on it runs. */
export function addCommand(item: TreeItem, { command }: Row, node: ServersNode): void {
  if (command !== undefined) item.command = { command, title: '', arguments: [node] };
}

function iconOf({ icon, image }: Row): TreeItem['iconPath'] & {} {
  if (image !== undefined) return { light: Uri.parse(image.light, true), dark: Uri.parse(image.dark, true) };
  return new ThemeIcon(icon.id, icon.color === undefined ? undefined : new ThemeColor(icon.color));
}
