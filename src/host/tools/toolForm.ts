import { describeProblem } from '../../base/schemaCheck.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { ArgumentField } from '../input/argumentFlow.ts';
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
    isRequired: field.isRequired,
    // Whether an empty text will do is for the schema to say.
    acceptsEmpty: field.isRequired && field.type === 'string' && field.choices === undefined,
    ...(field.choices !== undefined && { choices: [...field.choices.keys()] }),
    ...(field.initial !== undefined && { initial: field.initial }),
    check: (text) => checkField(server, field, text, validator),
  }));
}

async function checkField(
  server: string,
  field: ToolField,
  text: string,
  validator: SchemaValidator,
): Promise<string | undefined> {
  const parsed = parseField(field, text);
  if ('problem' in parsed) return parsed.problem;
  const validation = await validator.validate(server, field.schema, parsed.value);
  const [first] = validation.kind === 'invalid' ? validation.problems : [];
  return first && `${field.title} ${describeProblem(first)}.`;
}

function hintOf({ type, choices }: ToolField): string | undefined {
  if (choices !== undefined) return undefined;
  if (type === 'integer') return 'A whole number';
  return type === 'number' ? 'A number' : undefined;
}
