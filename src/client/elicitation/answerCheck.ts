import { type FieldFinding, type FlatForm, type FormContent, isValid, numberProblem } from '../../schema/flatForm.ts';
import type { SchemaValidator } from '../validation/schemaValidator.ts';

/**
 * Checks the answer to a form. A pattern may run very long, so each value is checked by itself, in the checker process where
 * the quick check does not do: then the others are checked all the same.
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
    const wrong = (message: string, more = {}): FieldFinding => ({
      name,
      value,
      problems: [{ path: [name], message }],
      ...more,
    });
    const right = { name, value, problems: [] };
    if (property === undefined || value === undefined) return required.includes(name) ? wrong('fill this in') : right;
    const fault = numberProblem(property, value);
    if (fault !== undefined) return wrong(fault);
    const validation = await validator.validate(server, property, value);
    switch (validation.kind) {
      case 'valid':
        return right;
      case 'invalid': {
        const problems = validation.problems.map(({ path, message }) => ({ path: [name, ...path], message }));
        return { name, value, problems };
      }
      case 'unsupported': {
        const note = `Not checked: ${validation.reason}.`;
        return isValid(property, value) === false ? wrong('is not valid', { note }) : { ...right, note };
      }
    }
  }

  return Promise.all(Object.keys(properties).map(find));
}
