import { isRecord, type JsonValue } from '../../base/json.ts';
import { describeProblem } from '../../base/schemaCheck.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { ArgumentField } from '../arguments/argumentFlow.ts';
import type { JsonSchema } from '../../protocol/mcp/tools.ts';
import { parseField, type ToolField } from './toolFields.ts';

/** What to ask before a tool can be called, each answer checked against its own part of the schema. */
export function toArgumentFields(
  server: string,
  fields: readonly ToolField[],
  validator: SchemaValidator,
): ArgumentField[] {
  return fields.map((field) => ({
    name: field.name,
    label: field.title,
    description: [hintOf(field), field.description].filter((part) => part !== undefined && part !== '').join(' · '),
    // What may be null can be left out: null is then what is sent.
    isRequired: field.isRequired && !field.isNullable,
    // Whether an empty text will do is for the schema to say.
    acceptsEmpty: field.isRequired && !field.isNullable && field.type === 'string' && field.choices === undefined,
    ...(field.choices !== undefined && { choices: [...field.choices.keys()] }),
    ...startOf(field),
    ...(field.type === 'list' && { checkEntry: (text: string) => checkEntry(server, field, text, validator) }),
    check: (text) => checkField(server, field, text, validator),
  }));
}

/** A default is filled in; where the values are fixed, what nobody chose is not sent, and the default only told. */
function startOf({
  isRequired,
  isNullable,
  initial,
  choices,
  type,
}: ToolField): Pick<ArgumentField, 'initial' | 'leftOut'> {
  if (isRequired && isNullable) return { leftOut: 'null is sent', ...(initial !== undefined && { initial }) };
  if (initial === undefined) return {};
  return isRequired || choices === undefined || type === 'list'
    ? { initial }
    : { leftOut: `the default is ${initial}` };
}

async function checkField(
  server: string,
  field: ToolField,
  text: string,
  validator: SchemaValidator,
): Promise<string | undefined> {
  const parsed = parseField(field, text);
  return 'problem' in parsed ? parsed.problem : problemOf(server, field.title, field.schema, parsed.value, validator);
}

/** One text of a list, apart from the others. */
async function checkEntry(
  server: string,
  { title, schema }: ToolField,
  text: string,
  validator: SchemaValidator,
): Promise<string | undefined> {
  const { items } = schema;
  return isRecord(items) ? problemOf(server, title, items, text, validator) : undefined;
}

async function problemOf(
  server: string,
  title: string,
  schema: JsonSchema,
  value: JsonValue,
  validator: SchemaValidator,
): Promise<string | undefined> {
  const validation = await validator.validate(server, schema, value);
  const [first] = validation.kind === 'invalid' ? validation.problems : [];
  return first && `${title} ${describeProblem(first)}.`;
}

function hintOf({ type, choices }: ToolField): string | undefined {
  if (type === 'list') return 'A list: Enter adds each entry';
  if (choices !== undefined) return undefined;
  if (type === 'integer') return 'A whole number';
  return type === 'number' ? 'A number' : undefined;
}
