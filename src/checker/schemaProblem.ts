import type { ErrorObject } from 'ajv';
import { limits } from '../base/limits.ts';
import type { SchemaProblem } from '../base/schemaCheck.ts';

/** Puts what ajv found into words for people who know the data, not JSON Schema. */
export function toSchemaProblem(error: ErrorObject): SchemaProblem {
  const { path, message } = describe(error);
  return { path: path.map(cut), message: cut(message) };
}

function describe(error: ErrorObject): SchemaProblem {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case 'required':
      return { path: [...path, String(params['missingProperty'])], message: 'is required' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return {
        path: [...path, String(params['additionalProperty'] ?? params['unevaluatedProperty'])],
        message: 'is not known here',
      };
    case 'enum':
      return { path, message: `must be one of ${listValues(params['allowedValues'])}` };
    case 'const':
      return { path, message: `must be ${JSON.stringify(params['allowedValue'])}` };
    case 'minimum':
      return { path, message: `must be at least ${String(params['limit'])}` };
    case 'maximum':
      return { path, message: `must be at most ${String(params['limit'])}` };
    case 'format':
      return { path, message: `must be a valid ${String(params['format'])}` };
    default:
      return { path, message: error.message ?? `breaks "${error.keyword}"` };
  }
}

function listValues(values: unknown): string {
  const list = Array.isArray(values) ? values : [];
  const shown = list.slice(0, 20).map((value) => JSON.stringify(value));
  return list.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ');
}

/** RFC 6901, section 4. */
function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function cut(text: string): string {
  return text.length > limits.check.problemCharacters ? `${text.slice(0, limits.check.problemCharacters)}…` : text;
}
