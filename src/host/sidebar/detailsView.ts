import { toJsonText } from '../../base/json.ts';
import { previewJson, printPreview } from '../../base/jsonPreview.ts';
import { limits } from '../../base/limits.ts';
import { formatCount, truncateWithCount } from '../../base/truncate.ts';
import { escapeHidden, readableText } from '../../base/visibleText.ts';
import { withoutPlaceholders } from '../../client/lists/contentsMemory.ts';
import type { Server } from '../../client/server/managedServer.ts';
import type { SourceKind } from '../../config/configuredServer.ts';
import { isStdio, type ServerDefinition } from '../../config/serverDefinition.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { FactsPart, FactsSection, FactsView, ShownFact } from '../../shared/factsMessages.ts';
import { type Fact, factsOf, singleLine } from '../platform/displayText.ts';
import { toolFault } from '../servers/followToolFaults.ts';
import { contentKindOf, type ItemNode } from '../servers/serverNodes.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { contentKinds, type Remembered, rememberedBy } from '../servers/serverStatus.ts';
import { itemFacts, namesakeFacts, rememberedFrom } from './itemFacts.ts';
import { serverFacts } from './serverFacts.ts';
import { itemTitle } from './serverRows.ts';

const maximumNames = 500;
const maximumFact = 4_000;

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
  text: 'The editor starts this server a second time for its own chat. Disable (Workspace) in MCP: List Servers stops that.',
};

/** Everything known of a server. */
export function serverDetails(hostServer: HostServer, trust: readonly Fact[] = []): FactsView {
  const { label, configured, server } = hostServer;
  const { session, problems, contents } = server;
  const facts = [
    ...serverFacts(hostServer),
    ...launchFacts(configured.definition),
    ...trust,
    ...(agentFiles.has(configured.source.kind) ? [startedTwice] : []),
  ];
  const remembered = rememberedBy(hostServer);
  const lists = contentKinds.map(({ kind, title }) => {
    const shown = remembered === undefined ? title : `${title}, ${rememberedFrom(remembered)}`;
    return listSection(
      shown,
      contents[kind].map(({ name }) => name),
    );
  });
  return {
    title: singleLine(label, 1_000),
    actions: [],
    sections: [
      factSection(facts),
      ...itemSections(facts),
      ...listSection('Problems', problems),
      ...(session === undefined ? [] : [{ title: 'Capabilities', parts: jsonParts(session.capabilities) }]),
      ...lists.flat(),
    ],
  };
}

/**
 * Everything a server says of one thing it offers.
 * @param remembered given where the server is not running: then there is only what was kept of it
 * @param tools all of its server
 */
export function itemDetails(node: ItemNode, remembered?: Remembered, tools: readonly Tool[] = []): FactsView {
  const all = [...namesakeFacts(node, tools), ...itemFacts(node, remembered)];
  const facts = all.filter(({ name }) => name !== undefined);
  const { description } = node.item;
  const text = description === undefined ? '' : readableText(truncateWithCount(description, limits.shown.text));
  // Of a remembered tool there are no schemas.
  const fault = node.kind === 'tool' && remembered === undefined ? toolFault(node.item) : undefined;
  const wrong = { kind: 'error', text: `${fault} Correct it in the server.`, actions: [] } as const;
  return {
    title: singleLine(itemTitle(node), 1_000),
    ...(fault !== undefined && { summary: wrong }),
    actions: [],
    sections: [
      factSection(facts),
      ...(text === '' ? [] : [{ title: 'Description', parts: [{ kind: 'text', text }] } as const]),
      ...itemSections(facts),
      ...(remembered === undefined ? [{ title: 'As the server lists it', parts: jsonParts(node.item) }] : []),
    ],
  };
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

function factSection(facts: readonly Fact[]): FactsSection {
  const shown = facts.filter(({ items }) => items === undefined).map(shownFact);
  return { parts: [{ kind: 'facts', facts: shown }] };
}

function shownFact({ name = '', text, isLink }: Fact): ShownFact {
  const shown = linesOf(text);
  // What is cut or has characters written out leads elsewhere.
  const opens = isLink === true && shown === text && /^https?:\/\//i.test(text);
  return opens ? { name, text: shown, isLink } : { name, text: shown };
}

/** A text that may have several lines, such as a stack trace. */
function linesOf(text: string): string {
  return readableText(truncateWithCount(text, maximumFact)).trim();
}

/** Facts that are lists, each with a heading of its own. */
function itemSections(facts: readonly Fact[]): readonly FactsSection[] {
  return facts.flatMap(({ name, text, items }) => (items === undefined ? [] : listSection(name, items, text)));
}

/** @param text above the list */
function listSection(title: string | undefined, items: readonly string[], text = ''): readonly FactsSection[] {
  const shown = items.slice(0, maximumNames).map((item) => singleLine(item, 1_000));
  const left = items.length - shown.length;
  const list = left > 0 ? [...shown, `… ${formatCount(left)} more`] : shown;
  const parts: readonly FactsPart[] = [
    ...(text === '' ? [] : [{ kind: 'text', text: linesOf(text) } as const]),
    ...(list.length === 0 ? [] : [{ kind: 'list', items: list } as const]),
  ];
  return parts.length === 0 ? [] : [{ title, parts }];
}

/** Hidden characters as JSON escapes them, so that it stays the same JSON. */
function jsonParts(value: unknown): readonly FactsPart[] {
  const { json, isTruncated } = previewJson(value);
  const code = { kind: 'code', text: escapeHidden(printPreview(json)) } as const;
  return isTruncated
    ? [{ kind: 'text', text: 'Only a part is shown. Open Full Content shows all of it.' }, code]
    : [code];
}
