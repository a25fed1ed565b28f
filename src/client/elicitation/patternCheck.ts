import { type FormContent, type FormField, patternOf, type PatternResult } from '../../base/formField.ts';
import type { UnknownRecord } from '../../base/json.ts';
import type { SchemaValidator } from '../validation/schemaValidator.ts';

/** Checks the texts of a form against the patterns of their fields. Missing values are accepted. */
export type PatternCheck = (content: FormContent) => Promise<readonly PatternResult[]>;

/** Creates the check of one form. A server's pattern may run very long, so it runs in the checker process. */
export function createPatternCheck(
  validator: SchemaValidator,
  server: string,
  fields: readonly FormField[],
): PatternCheck {
  const checks = new Map(fields.map((field) => [field.name, checkOf(field)]));

  async function find(name: string, value: FormContent[string]): Promise<PatternResult[]> {
    const check = checks.get(name);
    if (check === undefined || (typeof value !== 'string' && !Array.isArray(value))) return [];
    const validation = await validator.validate(server, check.schema, value);
    switch (validation.kind) {
      case 'valid':
        return [{ name, value }];
      case 'invalid': {
        const [index] = validation.problems[0]?.path ?? [];
        const place = index === undefined ? 'This' : `Entry ${Number(index) + 1}`;
        return [{ name, value, problem: `${place} must match the pattern "${check.pattern}"` }];
      }
      case 'unsupported':
        return [{ name, value, note: `Not checked against its pattern: ${validation.reason}.` }];
    }
  }

  return async (content) => {
    const findings = await Promise.all(Object.entries(content).map(([name, value]) => find(name, value)));
    return findings.flat();
  };
}

function checkOf(field: FormField): { readonly pattern: string; readonly schema: UnknownRecord } | undefined {
  const pattern = patternOf(field);
  if (pattern === undefined) return undefined;
  const text = { type: 'string', pattern };
  return { pattern, schema: field.kind === 'list' ? { type: 'array', items: text } : text };
}
