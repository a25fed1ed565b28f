import { ColorThemeKind, MarkdownString, type TreeItem, window } from 'vscode';
import { limits } from '../../base/limits.ts';
import { truncateWithCount, formatCount } from '../../base/truncate.ts';
import { readableText } from '../../base/visibleText.ts';
import { type Fact, markdownText, singleLine } from '../platform/displayText.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { ItemMarks } from '../definitions/itemMarks.ts';
import { faultFacts, markFacts, serverFacts } from './serverFacts.ts';
import { itemFacts, namesakeFacts } from './itemFacts.ts';
import { rememberedBy } from '../servers/serverStatus.ts';
import type { ItemImage } from '../icons/itemImage.ts';
import type { ServerIcons } from '../icons/serverIcons.ts';
import { isItemNode, type ServersNode } from '../servers/serverNodes.ts';
import { itemTitle } from './serverRows.ts';
import { taskFacts } from '../tasks/taskText.ts';

/** What the pointer shows over a row; `undefined` where that would be no more than the row itself. */
export function tooltipOf(
  node: ServersNode,
  registry: Pick<ServerRegistry, 'get'>,
  marks: ItemMarks,
  icons?: Pick<ServerIcons, 'of'>,
): TreeItem['tooltip'] | undefined {
  if (node.kind === 'task') return createTooltip(node.title, taskFacts(node));
  if (isItemNode(node)) {
    const hostServer = registry.get(node.server);
    const facts = [
      ...markFacts(node, marks),
      ...faultFacts(node, hostServer),
      ...namesakeFacts(node, hostServer?.server.contents.tools),
      ...itemFacts(node, rememberedBy(hostServer)),
    ];
    return createTooltip(itemTitle(node), facts, icons?.of(node.server, node.item.icons));
  }
  if (node.kind === 'note') return shown(node.detail ?? node.text);
  const hostServer = node.kind === 'server' ? registry.get(node.server) : undefined;
  if (hostServer === undefined) return undefined;
  const { session, problems } = hostServer.server;
  const problemFacts = problems.slice(0, 5).map((text) => ({ name: 'Problem', text }));
  const image = icons?.of(hostServer.label, session?.server.icons);
  return createTooltip(hostServer.label, [...serverFacts(hostServer), ...problemFacts], image);
}

const maximumItems = 12;

/** A tooltip in which all of `facts` is plain text, also where it contains Markdown. */
function createTooltip(title: string, facts: readonly Fact[], image?: ItemImage): MarkdownString {
  const tooltip = new MarkdownString('', false);
  tooltip.appendMarkdown(`${pictureOf(image)}**${markdownText(shown(title))}**`);
  for (const { name, text, items = [], isDetail = false } of facts) {
    if (isDetail) continue;
    tooltip.appendMarkdown('\n\n');
    if (name !== undefined) tooltip.appendMarkdown(`_${name}:_ `);
    tooltip.appendMarkdown(markdownText(shown(text)));
    for (const item of items.slice(0, maximumItems))
      tooltip.appendMarkdown(`\n- ${markdownText(singleLine(item, limits.shown.tooltip))}`);
    if (items.length > maximumItems) tooltip.appendMarkdown(`\n- … ${formatCount(items.length - maximumItems)} more`);
  }
  return tooltip;
}

/** A `data:` URI made here from what was checked to be a picture, at the size of the text beside it. */
function pictureOf(image: ItemImage | undefined): string {
  if (image === undefined) return '';
  const { kind } = window.activeColorTheme;
  const isLight = kind === ColorThemeKind.Light || kind === ColorThemeKind.HighContrastLight;
  return `![](${isLight ? image.light : image.dark}|width=16,height=16) `;
}

function shown(text: string): string {
  return readableText(truncateWithCount(text, limits.shown.tooltip));
}
