import { isRecord, isString, isStringArray, type JsonValue, type UnknownRecord } from '../../base/json.ts';
import { formatCount } from '../../base/truncate.ts';
import { isWithoutSchema, type JsonSchema, type Tool } from '../../protocol/mcp/tools.ts';
import { QuickCheck, stepsOfField } from '../../schema/quickCheck.ts';
import { findSchemaFault } from '../../schema/schemaFault.ts';
import { listIn, membersIn, own, textIn } from '../../schema/schemaNode.ts';
import { type SchemaPlace, schemaPlaces } from '../../schema/schemaPlaces.ts';
import { shownName, shownNames } from './lintRules.ts';

/** A tool as the rules see it. */
export interface LintedTool {
  readonly tool: Tool;
  /** What the server is called in its configuration. */
  readonly label: string;
  /** Of the input schema. */
  readonly places: readonly SchemaPlace[];
}

export function lintedTool(tool: Tool, label: string): LintedTool {
  return { tool, label, places: schemaPlaces(tool.inputSchema) };
}

/** @returns what breaks the rule, as a sentence that is fit to be shown; `undefined` where nothing does */
type ToolRule = (linted: LintedTool) => string | undefined;

/*
 * Who judges. What the TypeScript SDK 1.x refuses is known exactly: its published reader of lists runs in `test/unit/workshop/lint.test.ts`
 * over the same tools, and both must agree. An invalid schema is one for `schema/schemaFault`. VS Code, Cursor, Claude Code and the APIs of
 * Anthropic, OpenAI and Google check schemas in their programs or services, and no package is known that does the same offline: their
 * rules follow what their source, their documents or a report says, which `rules.json` names with the day on which it was read.
 */

const unions = ['anyOf', 'oneOf', 'allOf'];
/** Each says something of the type of a value. */
const typing = ['type', 'enum', 'const', '$ref', '$dynamicRef', 'properties', 'items', ...unions];

/** Keywords of JSON Schema from draft-06 to 2020-12. */
const keywords = new Set(
  (
    '$anchor $comment $defs $dynamicAnchor $dynamicRef $id $recursiveAnchor $recursiveRef $ref $schema $vocabulary ' +
    'additionalItems additionalProperties allOf anyOf const contains contentEncoding contentMediaType contentSchema default ' +
    'definitions dependencies dependentRequired dependentSchemas deprecated description else enum examples exclusiveMaximum ' +
    'exclusiveMinimum format if items maxContains maxItems maxLength maxProperties maximum minContains minItems minLength ' +
    'minProperties minimum multipleOf not oneOf pattern patternProperties prefixItems properties propertyNames readOnly ' +
    'required then title type unevaluatedItems unevaluatedProperties uniqueItems writeOnly'
  ).split(' '),
);

/** Room for what hosts put before a name, in Cursor: fewer than so many characters are left. */
const cursorLimit = 60;

/** By the ids of the rules that are about one tool. */
export const toolRules: Readonly<Record<string, ToolRule>> = {
  'tool-name-characters': ({ tool: { name } }) =>
    /^[\w-]+$/.test(name) ? undefined : `The name ${shownName(name)} has other characters.`,
  'tool-name-length': ({ tool: { name } }) =>
    name.length > 64 ? `The name ${shownName(name)} has ${formatCount(name.length)} characters.` : undefined,
  'tool-name-cursor': ({ tool: { name }, label }) => {
    const length = label.length + name.length;
    return length < cursorLimit ? undefined : `${shownName(label)} and ${shownName(name)} have together ${length}.`;
  },
  'tool-name-specification': ({ tool: { name } }) =>
    /^[\w.-]{1,128}$/.test(name) ? undefined : `The name is ${shownName(name)}.`,
  'input-schema-root': ({ tool }) => {
    if (isWithoutSchema(tool)) return 'There is no "inputSchema".';
    return rootFault('inputSchema', tool.inputSchema);
  },
  'input-schema-union': ({ tool: { inputSchema } }) => {
    const found = unions.filter((keyword) => own(inputSchema, keyword) !== undefined);
    return found.length === 0 ? undefined : `The root of the schema has ${quoted(found)}.`;
  },
  'output-schema-root': ({ tool: { outputSchema } }) =>
    outputSchema === undefined ? undefined : rootFault('outputSchema', outputSchema),
  'schema-invalid': schemaFaultOf,
  'array-items': inSchema(
    'has no "items"',
    ({ schema }) => hasType(schema, 'array') && !has(schema, ['items', 'prefixItems']),
  ),
  'property-name': ({ tool: { inputSchema } }) => {
    const names = membersIn(inputSchema, 'properties').map(([name]) => name);
    const bad = names.filter((name) => !/^[\w.-]{1,64}$/.test(name));
    return bad.length === 0 ? undefined : `The schema has the property ${shownNames(bad)}.`;
  },
  'description-missing': ({ tool: { description = '' } }) =>
    description.trim() === '' ? 'There is no description.' : undefined,
  'description-openai': ({ tool }) => longDescription(tool, 1_024),
  'description-claude-code': ({ tool }) => longDescription(tool, 2_048),
  'property-untyped': inSchema('has no type', ({ schema, isProperty }) => isProperty && !has(schema, typing)),
  'property-description': inSchema(
    'has no description',
    ({ schema, isProperty }) => isProperty && !has(schema, ['$ref']) && textIn(schema, 'description') === undefined,
  ),
  'required-unknown': inSchema('requires a name that is not one of its properties', ({ schema }) =>
    unknownRequired(schema),
  ),
  'default-invalid': invalidDefault,
  'keyword-unknown': ({ places }) => {
    const unknown = new Set(places.flatMap(({ schema }) => Object.keys(schema).filter(isUnknownKeyword)));
    return unknown.size === 0 ? undefined : `The schema has ${shownNames([...unknown])}.`;
  },
  'gemini-reference': withKeyword('$ref', '$defs', 'definitions'),
  'gemini-additional-properties': withKeyword('additionalProperties'),
  'gemini-dialect': withKeyword('$schema'),
  'gemini-const': withKeyword('const'),
  'gemini-exclusive-limits': withKeyword('exclusiveMinimum', 'exclusiveMaximum'),
  'gemini-type-list': inSchema('has a list as its "type"', ({ schema }) => Array.isArray(own(schema, 'type'))),
  'gemini-property-names': withKeyword('propertyNames', 'patternProperties'),
  'gemini-unique-items': withKeyword('uniqueItems'),
  'annotations-missing': ({ tool: { annotations = {} } }) =>
    annotations.readOnlyHint === undefined && annotations.destructiveHint === undefined
      ? 'There is neither "readOnlyHint" nor "destructiveHint".'
      : undefined,
  'annotations-contradict': ({ tool: { annotations = {} } }) =>
    annotations.readOnlyHint === true && annotations.destructiveHint === true
      ? 'Both "readOnlyHint" and "destructiveHint" are true.'
      : undefined,
};

/** What a rule is about, where not every tool has it: without it in any tool, the rule has nothing to check. */
export const ruleSubjects: Readonly<Record<string, (linted: LintedTool) => boolean>> = {
  'output-schema-root': ({ tool }) => tool.outputSchema !== undefined,
  'array-items': somewhere(({ schema }) => hasType(schema, 'array')),
  'property-name': somewhere(({ isProperty }) => isProperty),
  'description-openai': ({ tool: { description = '' } }) => description !== '',
  'description-claude-code': ({ tool: { description = '' } }) => description !== '',
  'property-untyped': somewhere(({ isProperty }) => isProperty),
  'property-description': somewhere(({ isProperty }) => isProperty),
  'required-unknown': somewhere(({ schema }) => has(schema, ['required'])),
  'default-invalid': somewhere(({ schema }) => has(schema, ['default'])),
  'annotations-contradict': ({ tool }) => tool.annotations !== undefined,
};

function somewhere(isFound: (place: SchemaPlace) => boolean): (linted: LintedTool) => boolean {
  return ({ places }) => places.some(isFound);
}

/** What the SDK 1.x asks of a schema in a list of tools. */
function rootFault(name: string, schema: JsonSchema): string | undefined {
  if (own(schema, 'type') !== 'object') return `The "type" of "${name}" is not "object".`;
  const properties = own(schema, 'properties') ?? {};
  if (!isRecord(properties)) return `The "properties" of "${name}" are not an object.`;
  const bad = Object.entries(properties).filter(([, value]) => typeof value !== 'object' || value === null);
  if (bad.length > 0) return `"${name}" has no schema for ${shownNames(bad.map(([property]) => property))}.`;
  const isRequiredRight = isStringArray(own(schema, 'required') ?? []);
  return isRequiredRight ? undefined : `The "required" of "${name}" is not a list of names.`;
}

function schemaFaultOf({ tool: { inputSchema }, places }: LintedTool): string | undefined {
  const fault = findSchemaFault(inputSchema);
  if (fault !== undefined) return `At ${placeName(fault.place.split('.'))}, ${fault.text}.`;
  const tuple = places.find(({ schema }) => Array.isArray(own(schema, 'items')));
  return tuple && `At ${placeName(tuple.path)}, "items" is a list, which is "prefixItems" since 2020-12.`;
}

function longDescription({ description = '' }: Tool, maximum: number): string | undefined {
  const { length } = description;
  return length > maximum ? `The description has ${formatCount(length)} characters.` : undefined;
}

/** With other keywords, properties may come from elsewhere. */
function unknownRequired(schema: UnknownRecord): boolean {
  if (has(schema, [...unions, '$ref', 'patternProperties', 'if'])) return false;
  if (isRecord(own(schema, 'additionalProperties')) || !has(schema, ['properties'])) return false;
  const names = new Set(membersIn(schema, 'properties').map(([name]) => name));
  return listIn(schema, 'required').some((name) => isString(name) && !names.has(name));
}

function invalidDefault({ tool: { inputSchema }, places }: LintedTool): string | undefined {
  const withDefault = places.filter(({ schema }) => own(schema, 'default') !== undefined);
  if (withDefault.length === 0) return undefined;
  const check = new QuickCheck(inputSchema);
  const budget = { left: stepsOfField };
  const bad = withDefault.find(
    ({ schema }) => check.verdict(schema, own(schema, 'default') as JsonValue, budget) === false,
  );
  return bad && `The default of ${placeName(bad.path)} is not valid.`;
}

function withKeyword(...names: readonly string[]): ToolRule {
  return inSchema(`has ${quoted(names)}`, ({ schema }) => has(schema, names));
}

/** @param words complete the sentence about a part of the schema */
function inSchema(words: string, isFound: (place: SchemaPlace) => boolean): ToolRule {
  return ({ places }) => {
    const found = places.filter(isFound);
    const [first] = found;
    if (first === undefined) return undefined;
    const others = found.slice(1).map(({ path }) => placeText(path));
    const more = others.length > 0 ? ` The same at ${shownNames(others)}.` : '';
    return `${first.path.length === 0 ? 'The schema' : placeName(first.path)} ${words}.${more}`;
  };
}

function placeName(path: readonly string[]): string {
  return path.join('') === '' ? 'the schema' : shownName(placeText(path));
}

/** `options.depth` for a property within a property, otherwise the way to it with its keywords. */
function placeText(path: readonly string[]): string {
  const isOfProperties = path.every((part, index) => index % 2 === 1 || part === 'properties');
  return (isOfProperties ? path.filter((_, index) => index % 2 === 1) : path).join('.');
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' or ');
}

function has(schema: UnknownRecord, names: readonly string[]): boolean {
  return names.some((name) => own(schema, name) !== undefined);
}

function hasType(schema: UnknownRecord, type: string): boolean {
  const types = own(schema, 'type');
  return types === type || (Array.isArray(types) && types.includes(type));
}

function isUnknownKeyword(name: string): boolean {
  return !keywords.has(name) && !name.startsWith('x-');
}
