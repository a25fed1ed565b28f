import { MarkdownString, type TreeItem } from 'vscode';
import { limits } from '../../base/limits.ts';
import { cutText } from '../../base/shown.ts';
import { readableText } from '../../base/visibleText.ts';
import { markdownText } from '../markdownText.ts';
import type { ServerRegistry } from '../serverRegistry.ts';
import type { Fact } from './fact.ts';
import type { ItemMarks } from './itemMarks.ts';
import { markFacts } from './markFacts.ts';
import { itemFacts, serverFacts } from './rowFacts.ts';
import { isItemNode, type ServersNode } from './serverNodes.ts';
import { itemTitle } from './serverRows.ts';
import { taskFacts } from './taskText.ts';

/** What the pointer shows over a row; `undefined` where that would be no more than the row itself. */
export function tooltipOf(
  node: ServersNode,
  registry: Pick<ServerRegistry, 'get'>,
  marks: ItemMarks,
): TreeItem['tooltip'] | undefined {
  if (node.kind === 'task') return createTooltip(node.title, taskFacts(node));
  if (isItemNode(node)) return createTooltip(itemTitle(node), [...markFacts(node, marks), ...itemFacts(node)]);
  if (node.kind === 'note') return shown(node.detail ?? node.text);
  const hostServer = node.kind === 'server' ? registry.get(node.server) : undefined;
  if (hostServer === undefined) return undefined;
  const { session, problems } = hostServer.server;
  return createTooltip(hostServer.label, [
    ...serverFacts(hostServer),
    ...(session?.instructions === undefined ? [] : [{ name: 'Instructions', text: session.instructions }]),
    ...problems.slice(0, 5).map((text) => ({ name: 'Problem', text })),
  ]);
}

/** A tooltip in which all of `facts` is plain text, whatever it contains. */
function createTooltip(title: string, facts: readonly Fact[]): MarkdownString {
  const tooltip = new MarkdownString('', false);
  tooltip.appendMarkdown(`**${markdownText(shown(title))}**`);
  for (const { name, text } of facts) {
    tooltip.appendMarkdown('\n\n');
    if (name !== undefined) tooltip.appendMarkdown(`_${name}:_ `);
    tooltip.appendMarkdown(markdownText(shown(text)));
  }
  return tooltip;
}

function shown(text: string): string {
  return readableText(cutText(text, limits.shown.tooltip));
}
