import { toJsonText } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount, formatCount } from '../../base/truncate.ts';
import { previewJson, printPreview } from '../../base/jsonPreview.ts';
import { escapeHidden, readableText } from '../../base/visibleText.ts';
import { withoutPlaceholders } from '../../client/lists/contentsMemory.ts';
import type { Server } from '../../client/server/managedServer.ts';
import type { SourceKind } from '../../config/configuredServer.ts';
import { isStdio, type ServerDefinition } from '../../config/serverDefinition.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { type Fact, factsOf, singleLine } from '../platform/displayText.ts';
import { fence } from '../results/contentMarkdown.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { contentKinds, type Remembered, rememberedBy } from '../servers/serverStatus.ts';
import { itemFacts, namesakeFacts, rememberedFrom } from './itemFacts.ts';
import { serverFacts } from './serverFacts.ts';
import { contentKindOf, type ItemNode } from '../servers/serverNodes.ts';
import { itemTitle } from './serverRows.ts';

const maximumNames = 500;

/** Files whose servers VS Code's own agent starts as well. */
const agentFiles: ReadonlySet<SourceKind> = new Set([
  'vscode',
  'mcpJson',
  'github',
  'devcontainer',
  'codeWorkspace',
  'copilot',
]);
const startedTwice: Fact = {
  name: 'Started twice',
  text: "the editor's own agent starts it a second time when its chat is used; Disable (Workspace) in MCP: List Servers stops that",
};

/** Everything known of a server, as Markdown in which the server's own text stays text. */
export function serverDetails(hostServer: HostServer, trust: readonly Fact[] = []): string {
  const { label, configured, server } = hostServer;
  const { session, problems, contents } = server;
  const facts = [
    ...serverFacts(hostServer),
    ...launchFacts(configured.definition),
    ...trust,
    ...(agentFiles.has(configured.source.kind) ? [startedTwice] : []),
  ];
  const remembered = rememberedBy(hostServer);
  const sections = [
    `# ${plain(label)}`,
    factList(facts),
    ...itemSections(facts),
    ...section('Problems', lines(problems).join('\n')),
    ...(session === undefined ? [] : section('Capabilities', jsonBlock(session.capabilities))),
    ...contentKinds.flatMap(({ kind, title }) =>
      section(
        remembered === undefined ? title : `${title}, ${rememberedFrom(remembered)}`,
        nameList(contents[kind].map(({ name }) => name)),
      ),
    ),
  ];
  return `${sections.join('\n\n')}\n`;
}

/**
 * Everything a server says of one thing it offers.
 * @param remembered given where the server is not running: then there is only what was kept of it
 * @param tools all of its server
 */
export function itemDetails(node: ItemNode, remembered?: Remembered, tools: readonly Tool[] = []): string {
  const all = [...namesakeFacts(node, tools), ...itemFacts(node, remembered)];
  const facts = all.filter(({ name }) => name !== undefined);
  const sections = [
    `# ${plain(itemTitle(node))}`,
    factList(facts),
    ...(node.item.description === undefined ? [] : section('Description', textBlock(node.item.description))),
    ...itemSections(facts),
    ...(remembered === undefined ? section('As the server lists it', jsonBlock(node.item)) : []),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** An item as the server listed it, for a file: of a remembered one only what was kept. */
export function wholeItem(node: ItemNode, remembered?: Remembered): unknown {
  if (remembered === undefined) return node.item;
  return { rememberedFrom: dateOf(remembered), ...withoutPlaceholders(contentKindOf(node), node.item) };
}

export function wholeServer({ session, contents, isRemembered, rememberedAt }: Server): unknown {
  if (!isRemembered) return { session, contents };
  const kept = contentKinds.map(
    ({ kind }) => [kind, contents[kind].map((item) => withoutPlaceholders(kind, item))] as const,
  );
  return { rememberedFrom: dateOf({ at: rememberedAt }), contents: Object.fromEntries(kept) };
}

function dateOf({ at }: Remembered): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** As configured: variables unexpanded, values of the environment and of headers left out. */
function launchFacts(definition: ServerDefinition): readonly Fact[] {
  if (!isStdio(definition)) return factsOf({ Headers: namesIn(definition.headers) });
  const { args, cwd, env, envFile } = definition;
  return factsOf({
    Arguments: args && toJsonText(args, 1_000),
    'Working folder': cwd,
    Environment: namesIn(env),
    'Environment file': envFile,
  });
}

function namesIn(values: object | undefined): string | undefined {
  return values && Object.keys(values).join(', ');
}

function factList(facts: readonly Fact[]): string {
  return facts
    .filter(({ items }) => items === undefined)
    .map(({ name, text }) => `- ${name}: ${plain(text)}`)
    .join('\n');
}

/** Facts that are lists, each with a heading of its own. */
function itemSections(facts: readonly Fact[]): readonly string[] {
  return facts.flatMap(({ name = '', text, items }) => {
    if (items === undefined) return [];
    return section(name, [plain(text), lines(items).join('\n')].filter(Boolean).join('\n\n'));
  });
}

function section(title: string, body: string): readonly string[] {
  return body === '' ? [] : [`## ${title}`, body];
}

function nameList(names: readonly string[]): string {
  const left = names.length - maximumNames;
  return [...lines(names), ...(left > 0 ? [`- … ${formatCount(left)} more`] : [])].join('\n');
}

function lines(texts: readonly string[]): readonly string[] {
  return texts.slice(0, maximumNames).map((text) => `- ${plain(text)}`);
}

function textBlock(text: string): string {
  return fence(readableText(truncateWithCount(text, limits.shown.text)), 'text');
}

/** Hidden characters as JSON escapes them, so that it stays the same JSON. */
function jsonBlock(value: unknown): string {
  const { json, isTruncated } = previewJson(value);
  const block = fence(escapeHidden(printPreview(json)), 'json');
  return isTruncated ? `Cut here. Run *MCP Patchbay: Open Full Content* to see all of it.\n\n${block}` : block;
}

/**
 * One line in which nothing is Markdown. People read the source: what stands between letters, or is Markdown only at the
 * beginning of a line, is left as it is elsewhere.
 */
function plain(text: string): string {
  return singleLine(text, 1000)
    .replace(/[\\`*[\]<]|(?<!\w)_|_(?!\w)|~(?=~)|&(?=[#\w])/g, '\\$&')
    .replace(/^(?:[#>+=|-]|\d+(?=[.)]))/, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`));
}
