import { fieldProblem, type FormField, type FormOption, type TextLimits } from '../../base/formField.ts';
import type { JsonObject, JsonValue, UnknownRecord } from '../../base/json.ts';

/**
 * The schema of the fields that a server asks for, from what was read of its own: the form of the panel is that of tools.
 * Nothing else of the server's schema reaches the page.
 */
export function schemaOf(fields: readonly FormField[]): UnknownRecord {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** The values that the server suggests (2025-11-25, Client Features / Elicitation), without those it would not accept. */
export function suggestedOf(fields: readonly FormField[]): JsonObject {
  const suggested = fields.flatMap((field): (readonly [string, JsonValue])[] => {
    const preset = suggestionOf(field);
    return preset === undefined ? [] : [[field.name, preset]];
  });
  return Object.fromEntries(suggested);
}

/**
 * What an emptied text means: that it is left out, since people who empty a field mean that. Where the server would then use
 * its suggestion, it is the empty text, if that is valid.
 */
export function emptiedText(field: FormField | undefined): '' | undefined {
  if (field?.kind !== 'text') return '';
  const isAnswer = !field.isRequired && field.default !== undefined && field.pattern === undefined;
  return isAnswer && fieldProblem(field, '') === undefined ? '' : undefined;
}

/** What the server suggests for a field, and gets where it is left out; `undefined` if its own schema does not allow that. */
export function suggestionOf(field: FormField): JsonValue | undefined {
  if (field.default === undefined || fieldProblem(field, field.default) !== undefined) return undefined;
  return typeof field.default === 'object' ? [...field.default] : field.default;
}

function propertyOf(field: FormField): UnknownRecord {
  const { title, description } = field;
  return { title, description, default: suggestionOf(field), ...kindOf(field) };
}

function kindOf(field: FormField): UnknownRecord {
  switch (field.kind) {
    case 'text':
      return textOf(field);
    case 'number': {
      const { isInteger, minimum, maximum } = field;
      return { type: isInteger ? 'integer' : 'number', minimum, maximum };
    }
    case 'boolean':
      return { enum: [true, false], enumNames: ['Yes', 'No'] };
    case 'choice':
      return choiceOf(field.options);
    case 'choices': {
      const { options, minItems, maxItems } = field;
      return { type: 'array', items: choiceOf(options), minItems, maxItems, uniqueItems: true };
    }
    case 'list': {
      const { entries, minItems, maxItems, isUnique } = field;
      return { type: 'array', items: textOf(entries), minItems, maxItems, uniqueItems: isUnique };
    }
  }
}

function textOf({ format, minLength, maxLength, pattern }: TextLimits): UnknownRecord {
  return { type: 'string', format, minLength, maxLength, pattern };
}

function choiceOf(options: readonly FormOption[]): UnknownRecord {
  return { enum: options.map(({ value }) => value), enumNames: options.map(({ label }) => label) };
}
