import type { FormContent, FormField, PatternFinding } from '../../base/formField.ts';
import { isString } from '../../base/json.ts';
import type { SchemaValidator } from '../validation/schemaValidator.ts';

/** Tries the texts in a form on the patterns of their fields. What is left out is fine. */
export type PatternCheck = (content: FormContent) => Promise<readonly PatternFinding[]>;

/** Patterns of a server may take any time: they run where they can be stopped. */
export function createPatternCheck(
  validator: SchemaValidator,
  server: string,
  fields: readonly FormField[],
): PatternCheck {
  const schemas = new Map<string, { readonly type: 'string'; readonly pattern: string }>();
  for (const field of fields)
    if (field.kind === 'text' && field.pattern !== undefined)
      schemas.set(field.name, { type: 'string', pattern: field.pattern });

  async function find(name: string, value: unknown): Promise<PatternFinding[]> {
    const schema = schemas.get(name);
    if (schema === undefined || !isString(value)) return [];
    const validation = await validator.validate(server, schema, value);
    switch (validation.kind) {
      case 'valid':
        return [{ name, value }];
      case 'invalid':
        return [{ name, value, problem: `This must match the pattern ${schema.pattern}` }];
      case 'unsupported':
        return [{ name, value, note: `Not checked against its pattern: ${validation.reason}.` }];
    }
  }

  return async (content) => {
    const findings = await Promise.all(Object.entries(content).map(([name, value]) => find(name, value)));
    return findings.flat();
  };
}
