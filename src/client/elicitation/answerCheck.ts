import {
  type FieldFinding,
  type FlatForm,
  type FormContent,
  isValid,
  missedFormat,
  numberProblem,
} from '../../schema/flatForm.ts';
import type { SchemaValidator } from '../validation/schemaValidator.ts';

/**
 * Checks the answer to a form. A pattern may run very long, so each value is checked by itself, in the checker process where
 * the quick check does not do: the others are checked anyway.
 */
export function checkAnswer(
  validator: SchemaValidator,
  server: string,
  { properties, required }: FlatForm,
  content: FormContent,
): Promise<readonly FieldFinding[]> {
  async function find(name: string): Promise<FieldFinding> {
    const property = properties[name];
    const value = Object.hasOwn(content, name) ? content[name] : undefined;
    if (property === undefined || value === undefined) {
      const problems = required.includes(name) ? [{ path: [name], message: 'is required' }] : [];
      return { name, value, problems };
    }
    const fault = numberProblem(property, value);
    if (fault !== undefined) return { name, value, problems: [{ path: [name], message: fault }] };
    const format = missedFormat(property, value);
    if (format !== undefined)
      return { name, value, problems: [{ path: [name], message: `must be a valid ${format}` }] };
    const validation = await validator.validate(server, property, value);
    if (validation.kind === 'unsupported') {
      const problems = isValid(property, value) === false ? [{ path: [name], message: 'is not valid' }] : [];
      return { name, value, problems, note: `Not checked: ${validation.reason}.` };
    }
    const found = validation.kind === 'valid' ? [] : validation.problems;
    return { name, value, problems: found.map(({ path, message }) => ({ path: [name, ...path], message })) };
  }

  return Promise.all(Object.keys(properties).map(find));
}
