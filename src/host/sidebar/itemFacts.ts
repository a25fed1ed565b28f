import { describeHiddenIn } from '../../base/hiddenCharacters.ts';
import { toJsonText } from '../../base/json.ts';
import { formatCount } from '../../base/truncate.ts';
import type { BaseMetadata, Icon } from '../../protocol/mcp/base.ts';
import type { Skill } from '../../protocol/mcp/skills.ts';
import type { Tool, ToolAnnotations } from '../../protocol/mcp/tools.ts';
import { annotationFacts } from '../results/contentView.ts';
import { type Fact, timeOf } from '../platform/displayText.ts';
import type { Remembered } from '../servers/serverStatus.ts';
import { argumentFacts, promptArgumentFacts, resultFacts } from './schemaFacts.ts';
import type { ItemNode } from '../servers/serverNodes.ts';

/**
 * What a server says of something it offers.
 * @param remembered given where the server is not running: nothing is said then of what was not kept
 */
export function itemFacts(node: ItemNode, remembered?: Remembered): readonly Fact[] {
  const { description } = node.item;
  return [
    ...(description === undefined ? [] : [{ text: description }]),
    ...(remembered === undefined ? ownFacts(node) : rememberedFacts(node, remembered)),
    ...iconFacts(node.item.icons),
    ...hiddenFacts(node.item),
    { name: 'Server', text: node.server },
  ];
}

/** That the server lists several tools of one name, which no call can tell apart. */
export function namesakeFacts(node: ItemNode, tools: readonly Tool[] = []): readonly Fact[] {
  if (node.kind !== 'tool') return [];
  const count = tools.filter(({ name }) => name === node.tool).length;
  if (count < 2) return [];
  const text = `the server lists ${formatCount(count)} tools of this name. It is only told the name, and cannot tell which one is called`;
  return [{ name: 'Take care', text }];
}

/** The name where a title stands above in its place. */
export function nameFacts({ name, title }: Pick<BaseMetadata, 'name' | 'title'>): readonly Fact[] {
  return title === undefined || title === '' || title === name ? [] : [{ name: 'Name', text: name }];
}

export function iconFacts(icons: readonly Icon[] | undefined): readonly Fact[] {
  if (!Array.isArray(icons) || icons.length === 0) return [];
  return [{ name: 'Icons', text: '', items: (icons as readonly Icon[]).map(describeIcon), isDetail: true }];
}

/** What of a server's text its reader cannot see. */
export function hiddenFacts(value: unknown): readonly Fact[] {
  const found = describeHiddenIn(value);
  return found.length === 0 ? [] : [{ name: 'Contains characters that cannot be seen', text: found.join('; ') }];
}

/** "remembered from 3 May 2025, 12:00" */
export function rememberedFrom({ at }: Remembered): string {
  return at === undefined ? 'remembered' : `remembered from ${timeOf(at)}`;
}

function rememberedFacts(node: ItemNode, remembered: Remembered): readonly Fact[] {
  const text = `${rememberedFrom(remembered)}. Start the server to see all of it.`;
  return [{ name: 'Not running', text }, ...identityFacts(node)];
}

function ownFacts(node: ItemNode): readonly Fact[] {
  switch (node.kind) {
    case 'tool':
      return [...identityFacts(node), ...toolFacts(node.item)];
    case 'resource':
      return [...identityFacts(node), ...sizeFacts(node.item.size), ...annotationFacts(node.item.annotations)];
    case 'template':
      return [...identityFacts(node), ...annotationFacts(node.item.annotations)];
    case 'prompt':
      return identityFacts(node);
    case 'skill':
      return [...identityFacts(node), ...skillFacts(node.item)];
  }
}

/** What is remembered as well. */
function identityFacts(node: ItemNode): readonly Fact[] {
  switch (node.kind) {
    case 'tool':
      return [{ name: 'Name', text: node.tool }];
    case 'resource':
      return [...nameFacts(node.item), { name: 'URI', text: node.uri }, ...typeFacts(node.item.mimeType)];
    case 'template':
      return [
        ...nameFacts(node.item),
        { name: 'URI template', text: node.uriTemplate },
        ...typeFacts(node.item.mimeType),
      ];
    case 'prompt':
      return [{ name: 'Name', text: node.prompt }, ...promptArgumentFacts(node.item.arguments)];
    case 'skill':
      return [{ name: 'URI', text: node.item.uri }];
  }
}

function toolFacts(tool: Tool): readonly Fact[] {
  const { annotations = {}, execution, inputSchema, outputSchema, omittedSchemas = [] } = tool;
  const other = annotations.title;
  return [
    ...(other === undefined || other === (tool.title ?? other) ? [] : [{ name: 'Also called', text: other }]),
    ...claimFacts(annotations),
    ...(execution?.taskSupport === undefined ? [] : [{ name: 'As a task', text: describeTaskSupport(execution) }]),
    ...argumentFacts(inputSchema),
    ...resultFacts(outputSchema),
    ...(omittedSchemas.length === 0 ? [] : [{ name: 'Left out as too long', text: omittedSchemas.join(', ') }]),
  ];
}

/** Hints in the server's words, marked as claims: nothing vouches for them (2025-03-26, tools). */
function claimFacts(annotations: ToolAnnotations): readonly Fact[] {
  const claims = Object.entries(claimWords).flatMap(([hint, words]) => {
    const value = annotations[hint as keyof typeof claimWords];
    return typeof value === 'boolean' ? [words[value ? 'yes' : 'no']] : [];
  });
  return claims.length === 0 ? [] : [{ name: 'The server claims', text: claims.join(', ') }];
}

const claimWords = {
  readOnlyHint: { yes: 'only reads', no: 'may change things' },
  destructiveHint: { yes: 'may destroy', no: 'only adds and destroys nothing' },
  idempotentHint: { yes: 'can be repeated without further effect', no: 'has a further effect when repeated' },
  openWorldHint: { yes: 'reaches the outside world', no: 'stays within a closed domain' },
} as const;

/** How a call may go on by itself (2025-11-25, "Tasks"). */
function describeTaskSupport({ taskSupport = '' }: NonNullable<Tool['execution']>): string {
  switch (taskSupport) {
    case 'required':
      return 'always';
    case 'optional':
      return 'if asked for';
    case 'forbidden':
      return 'never';
    default:
      return taskSupport;
  }
}

function skillFacts({ files, frontmatter }: Skill): readonly Fact[] {
  const asksForTools = frontmatter['allowed-tools'];
  return [
    files === 'dynamic'
      ? { name: 'Files', text: 'generated on each read; cannot be verified' }
      : { name: 'Files', text: `${formatCount(files.length)}, checked when they are opened` },
    ...(asksForTools === undefined
      ? []
      : [{ name: 'Asks for tools, not granted', text: toJsonText(asksForTools, 1_000) }]),
  ];
}

function typeFacts(mimeType: string | undefined): readonly Fact[] {
  return mimeType === undefined ? [] : [{ name: 'Type', text: mimeType }];
}

function sizeFacts(size: number | undefined): readonly Fact[] {
  return typeof size === 'number' ? [{ name: 'Size', text: `${formatCount(size)} bytes` }] : [];
}

/** `image/png, 32x32, for dark themes, https://…`; of a picture that came with the list, how long it is. */
function describeIcon({ src, mimeType, sizes, theme }: Icon): string {
  const isInline = src.startsWith('data:');
  return [
    mimeType,
    Array.isArray(sizes) ? sizes.join(' ') : undefined,
    theme === undefined ? undefined : `for ${theme} themes`,
    isInline ? `sent along, ${formatCount(src.length)} characters` : src,
  ]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(', ');
}
