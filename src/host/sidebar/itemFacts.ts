import { describeHiddenIn } from '../../base/hiddenCharacters.ts';
import { toJsonText, isRecord, isString, isStringArray, type UnknownRecord } from '../../base/json.ts';
import { formatCount } from '../../base/truncate.ts';
import type { BaseMetadata, Icon } from '../../protocol/mcp/base.ts';
import type { Skill } from '../../protocol/mcp/skills.ts';
import { type JsonSchema, meaningfulHints, type Tool, type ToolAnnotations } from '../../protocol/mcp/tools.ts';
import { annotationFacts } from '../results/contentView.ts';
import { type Fact, factsOf, timeOf, singleLine } from '../platform/displayText.ts';
import type { Remembered } from '../servers/serverStatus.ts';
import type { ItemNode } from '../servers/serverNodes.ts';
import type { PromptArgument } from '../../protocol/mcp/prompts.ts';

/**
 * What a server says of something it offers.
 * @param remembered given where the server is not running: nothing is said then of what was not kept
 */
export function itemFacts(node: ItemNode, remembered?: Remembered): readonly Fact[] {
  const { description } = node.item;
  return [
    ...(description === undefined ? [] : [{ text: description }]),
    ...(remembered === undefined ? [] : [notRunning(remembered)]),
    ...ownFacts(node, remembered === undefined),
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
  const text = `the server lists ${formatCount(count)} tools with this name and decides which one it calls`;
  return [{ name: 'Warning', text }];
}

/** The name where a title stands above in its place. */
export function nameFacts({ name, title }: Pick<BaseMetadata, 'name' | 'title'>): readonly Fact[] {
  return factsOf({ Name: title !== undefined && title !== '' && title !== name && name });
}

export function iconFacts(icons: readonly Icon[] | undefined): readonly Fact[] {
  if (!Array.isArray(icons) || icons.length === 0) return [];
  return [{ name: 'Icons', text: '', items: (icons as readonly Icon[]).map(describeIcon), isDetail: true }];
}

export function hiddenFacts(value: unknown): readonly Fact[] {
  const found = describeHiddenIn(value);
  return factsOf({ 'Contains invisible characters': found.length > 0 && found.join('; ') });
}

/** "remembered from 3 May 2025, 12:00" */
export function rememberedFrom({ at }: Remembered): string {
  return at === undefined ? 'remembered' : `remembered from ${timeOf(at)}`;
}

function notRunning(remembered: Remembered): Fact {
  return { name: 'Not running', text: `${rememberedFrom(remembered)}. Start the server to see all of it.` };
}

/** @param isWhole false for an item that is remembered: only what was kept of it */
function ownFacts(node: ItemNode, isWhole: boolean): readonly Fact[] {
  switch (node.kind) {
    case 'tool':
      return [...factsOf({ Name: node.tool }), ...(isWhole ? toolFacts(node.item) : [])];
    case 'resource': {
      const { mimeType, size, annotations } = node.item;
      const bytes = isWhole && typeof size === 'number' && `${formatCount(size)} bytes`;
      const facts = [...nameFacts(node.item), ...factsOf({ URI: node.uri, Type: mimeType, Size: bytes })];
      return isWhole ? [...facts, ...annotationFacts(annotations)] : facts;
    }
    case 'template': {
      const { mimeType, annotations } = node.item;
      const facts = [...nameFacts(node.item), ...factsOf({ 'URI template': node.uriTemplate, Type: mimeType })];
      return isWhole ? [...facts, ...annotationFacts(annotations)] : facts;
    }
    case 'prompt':
      return [...factsOf({ Name: node.prompt }), ...promptArgumentFacts(node.item.arguments)];
    case 'skill':
      return [...factsOf({ URI: node.item.uri }), ...(isWhole ? skillFacts(node.item) : [])];
  }
}

function toolFacts(tool: Tool): readonly Fact[] {
  const { annotations = {}, execution, inputSchema, outputSchema, omittedSchemas = [] } = tool;
  const other = annotations.title;
  const support = execution?.taskSupport;
  return [
    ...factsOf({ 'Also called': other !== (tool.title ?? other) && other }),
    ...claimFacts(annotations),
    // How a call may go on by itself (2025-11-25, "Tasks").
    ...factsOf({ 'As a task': support && (taskSupportWords.get(support) ?? support) }),
    ...listFacts('Arguments', propertyLines(inputSchema)),
    ...resultFacts(outputSchema),
    ...factsOf({ 'Left out as too long': omittedSchemas.length > 0 && omittedSchemas.join(', ') }),
  ];
}

const taskSupportWords: ReadonlyMap<string, string> = new Map([
  ['required', 'always'],
  ['optional', 'if asked for'],
  ['forbidden', 'never'],
]);

/** Hints in the server's words, marked as claims: nothing vouches for them (2025-03-26, tools). */
function claimFacts(annotations: ToolAnnotations): readonly Fact[] {
  const hints = meaningfulHints(annotations);
  const claims = Object.entries(claimWords).flatMap(([hint, words]) => {
    const value = hints[hint as keyof typeof claimWords];
    return typeof value === 'boolean' ? [words[value ? 'yes' : 'no']] : [];
  });
  return factsOf({ 'According to its server': claims.length > 0 && claims.join(', ') });
}

const claimWords = {
  readOnlyHint: { yes: 'only reads data', no: 'may change data' },
  destructiveHint: { yes: 'may delete or overwrite data', no: 'only adds data' },
  idempotentHint: { yes: 'safe to repeat', no: 'each call has an effect' },
  openWorldHint: { yes: 'contacts other systems', no: 'contacts no other systems' },
} as const;

function skillFacts({ files, frontmatter }: Skill): readonly Fact[] {
  const asked = frontmatter['allowed-tools'];
  return factsOf({
    Files:
      files === 'dynamic'
        ? 'generated on each read; cannot be verified'
        : `${formatCount(files.length)}, checked when they are opened`,
    'Asks for tools, not granted': asked !== undefined && toJsonText(asked, 1_000),
  });
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

/** Properties of one schema that are described; the schema itself stands below, as JSON. */
const maximumProperties = 100;

function listFacts(name: string, items: readonly string[]): readonly Fact[] {
  return items.length === 0 ? [] : [{ name, text: '', items }];
}

function resultFacts(schema: JsonSchema | undefined): readonly Fact[] {
  if (schema === undefined) return [];
  const { type, title, description } = schema;
  // Nearly all are objects, which their properties tell.
  const text = wordsOf(type === 'object' ? undefined : typeWords(schema), title, description).join(' · ');
  return [{ name: 'Structured result', text, items: propertyLines(schema) }];
}

function promptArgumentFacts(args: readonly PromptArgument[] = []): readonly Fact[] {
  const items = args.map(({ name, title, description, required }) =>
    line(name, required === true ? ['required'] : [], title, description),
  );
  return listFacts('Arguments', items);
}

/** `city (string, required) · City · Where to look.` */
function line(name: string, facts: readonly string[], title: unknown, description: unknown): string {
  const shown = singleLine(name, 100);
  const head = facts.length === 0 ? shown : `${shown} (${facts.join(', ')})`;
  return [head, ...wordsOf(title === name ? undefined : title, description)].join(' · ');
}

function wordsOf(...texts: readonly unknown[]): readonly string[] {
  return texts.flatMap((text) => (isString(text) && text !== '' ? [singleLine(text, 500)] : []));
}

function propertyLines(schema: JsonSchema): readonly string[] {
  const { properties, required } = schema;
  if (!isRecord(properties)) return [];
  const names = Object.keys(properties);
  const needed = new Set(isStringArray(required) ? required : []);
  const lines = names.slice(0, maximumProperties).map((name) => propertyLine(name, properties[name], needed.has(name)));
  const left = names.length - lines.length;
  return left === 0 ? lines : [...lines, `… ${formatCount(left)} more`];
}

function propertyLine(name: string, property: unknown, isRequired: boolean): string {
  const schema = isRecord(property) ? property : {};
  const initial = schema['default'];
  const facts = [
    typeWords(schema),
    isRequired ? 'required' : undefined,
    initial === undefined ? undefined : `default ${toJsonText(initial, 60)}`,
  ].filter((fact) => fact !== undefined);
  return line(name, facts, schema['title'], schema['description']);
}

function typeWords(schema: UnknownRecord, depth = 0): string | undefined {
  const { type, enum: values, const: only, items, anyOf, oneOf } = schema;
  if (only !== undefined) return `always ${toJsonText(only, 60)}`;
  if (Array.isArray(values)) return `one of ${toJsonText(values, 100).slice(1, -1).replaceAll(',', ', ')}`;
  if (type === 'array') {
    const inner = isRecord(items) && depth < 3 ? typeWords(items, depth + 1) : undefined;
    return inner === undefined ? 'list' : `list of ${inner}`;
  }
  if (isString(type)) return singleLine(type, 40);
  const types = isStringArray(type) ? type.slice(0, 10).map((each) => singleLine(each, 40)) : undefined;
  if (types !== undefined) return types.join(' or ');
  const choices: unknown = anyOf ?? oneOf;
  if (!Array.isArray(choices) || depth >= 3) return undefined;
  const words = choices.slice(0, 10).map((choice) => (isRecord(choice) ? typeWords(choice, depth + 1) : undefined));
  const known = [...new Set(words.filter((word) => word !== undefined))];
  return known.length === 0 ? undefined : singleLine(known.join(' or '), 200);
}
