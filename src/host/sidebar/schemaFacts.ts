import { isRecord, isString, isStringArray, toJsonText, type UnknownRecord } from '../../base/json.ts';
import { formatCount } from '../../base/truncate.ts';
import type { PromptArgument } from '../../protocol/mcp/prompts.ts';
import type { JsonSchema } from '../../protocol/mcp/tools.ts';
import { type Fact, singleLine } from '../platform/displayText.ts';

/** Properties of one schema that are described; the schema itself stands below, as JSON. */
const maximumProperties = 100;

/** What a tool takes: nothing for a schema without properties of its own. */
export function argumentFacts(schema: JsonSchema): readonly Fact[] {
  const items = propertyLines(schema);
  return items.length === 0 ? [] : [{ name: 'Arguments', text: '', items }];
}

export function resultFacts(schema: JsonSchema | undefined): readonly Fact[] {
  if (schema === undefined) return [];
  const { type, title, description } = schema;
  // Nearly all are objects, which their properties tell.
  const words = [type === 'object' ? undefined : typeWords(schema), title, description].filter(
    (text) => isString(text) && text !== '',
  );
  const text = words.map((word) => singleLine(String(word), 500)).join(' · ');
  return [{ name: 'Structured result', text, items: propertyLines(schema) }];
}

export function promptArgumentFacts(args: readonly PromptArgument[] = []): readonly Fact[] {
  if (args.length === 0) return [];
  const items = args.map(({ name, title, description, required }) =>
    line(name, required === true ? ['required'] : [], title, description),
  );
  return [{ name: 'Arguments', text: '', items }];
}

/** `city (string, required) · City · Where to look.` */
function line(name: string, facts: readonly string[], title: unknown, description: unknown): string {
  const shown = singleLine(name, 100);
  const head = facts.length === 0 ? shown : `${shown} (${facts.join(', ')})`;
  const rest = [title === name ? undefined : title, description];
  return [
    head,
    ...rest.filter((text) => isString(text) && text !== '').map((text) => singleLine(String(text), 500)),
  ].join(' · ');
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

/** In a few words; `undefined` where the schema says nothing simple. */
function typeWords(schema: UnknownRecord, depth = 0): string | undefined {
  const { type, enum: values, const: only, items, anyOf, oneOf } = schema;
  if (only !== undefined) return `always ${toJsonText(only, 60)}`;
  if (Array.isArray(values)) return `one of ${toJsonText(values, 100).slice(1, -1).replaceAll(',', ', ')}`;
  if (type === 'array') {
    const inner = isRecord(items) && depth < 3 ? typeWords(items, depth + 1) : undefined;
    return inner === undefined ? 'list' : `list of ${inner}`;
  }
  if (isString(type)) return singleLine(type, 40);
  if (isStringArray(type))
    return type
      .slice(0, 10)
      .map((each) => singleLine(each, 40))
      .join(' or ');
  const choices: unknown = anyOf ?? oneOf;
  if (!Array.isArray(choices) || depth >= 3) return undefined;
  const words = choices.slice(0, 10).map((choice) => (isRecord(choice) ? typeWords(choice, depth + 1) : undefined));
  const known = [...new Set(words.filter((word) => word !== undefined))];
  return known.length === 0 ? undefined : singleLine(known.join(' or '), 200);
}
