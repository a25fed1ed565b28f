import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { messageOf } from '../base/errors.ts';
import type { UnknownRecord } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import type { CheckJob, SchemaProblem, Validation } from '../base/schemaCheck.ts';
import { truncateWithEllipsis } from '../base/truncate.ts';

/** A schema compiled twice: to stop at the first problem, and to find all. */
interface CompiledSchema {
  readonly schema: UnknownRecord;
  readonly first: ValidateFunction | string;
  all?: ValidateFunction;
}

/**
 * Validates values with ajv and regular expressions of JavaScript. Time and memory are unbounded, so it runs in a process that
 * can be killed.
 */
export class SchemaChecker {
  readonly #compiled = new Map<number, CompiledSchema>();

  /** Validates up to the first problem. Never throws. */
  checkFirst(job: CheckJob): Validation {
    const { first } = this.#compiledOf(job);
    if (typeof first === 'string') return { kind: 'unsupported', reason: `the schema cannot be used: ${first}` };
    try {
      return run(first, job.value);
    } catch (error) {
      // Stack overflow: the schema refers to itself without end.
      return { kind: 'unsupported', reason: `the schema cannot be used: ${messageOf(error)}` };
    }
  }

  /** Finds all problems of a value after {@link checkFirst} has found one. @throws {RangeError} on stack overflow */
  checkAll(job: CheckJob): Validation {
    const found = this.#compiledOf(job);
    found.all ??= compile(found.schema, true);
    return run(found.all, job.value);
  }

  /** Only the first job with a key has the schema. */
  #compiledOf({ key, schema = {} }: CheckJob): CompiledSchema {
    const found = this.#compiled.get(key) ?? { schema, first: tryCompile(schema) };
    this.#compiled.set(key, found);
    return found;
  }
}

function run(validate: ValidateFunction, value: unknown): Validation {
  if (validate(value)) return { kind: 'valid' };
  return { kind: 'invalid', problems: (validate.errors ?? []).slice(0, limits.check.problems).map(toSchemaProblem) };
}

/** @returns the validator, or the reason why the schema cannot be compiled */
function tryCompile(schema: UnknownRecord): ValidateFunction | string {
  try {
    return compile(schema, false);
  } catch (error) {
    return messageOf(error).slice(0, limits.check.problemCharacters);
  }
}

/** Each schema gets its own instance of ajv, so that equal `$id`s do not conflict. */
function compile({ $schema: dialect, ...schema }: UnknownRecord, allErrors: boolean): ValidateFunction {
  const ajv = createAjv(dialect, {
    allErrors,
    // Servers use custom keywords and formats: unknown ones are ignored (JSON Schema 2020-12 Core, section 6.5).
    strict: false,
    // A format says what a text is meant to be, and refuses none (JSON Schema 2020-12 Validation, section 7.2.1).
    validateFormats: false,
    // A metaschema would reject a whole schema for one keyword, and takes 30 ms to compile.
    meta: false,
    validateSchema: false,
    // Compile each reference once: inlining doubles the code with each level of nested references.
    inlineRefs: false,
    // Without it, every object has a property `constructor`.
    ownProperties: true,
    logger: false,
    code: { regExp: Object.assign(compilePattern, { code: 'compilePattern' }) },
  });
  return ajv.compile(schema);
}

function createAjv(dialect: unknown, options: Options): Ajv {
  switch (typeof dialect === 'string' ? dialect.replace(/#$/, '').replace(/^http:/, 'https:') : dialect) {
    case undefined:
    case 'https://json-schema.org/draft/2020-12/schema':
      return new Ajv2020(options);
    case 'https://json-schema.org/draft/2019-09/schema':
      return new Ajv2019(options);
    // Draft-07 only adds keywords to draft-06.
    case 'https://json-schema.org/draft-07/schema':
    case 'https://json-schema.org/draft-06/schema':
      return new Ajv(options);
    default:
      throw new Error(`its dialect ${JSON.stringify(dialect)} is not known`);
  }
}

/**
 * Some patterns are valid only without the `u` flag. A pattern that is not valid in JavaScript matches everything. ajv
 * identifies patterns by `toString`.
 */
function compilePattern(pattern: string): { test(text: string): boolean; toString(): string } {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Not valid with these flags.
    }
  }
  return { test: () => true, toString: () => `/${pattern}/` };
}

/** Converts an error of ajv to a message for people who know the data, but not JSON Schema. */
function toSchemaProblem({ keyword, instancePath, params, message }: ErrorObject): SchemaProblem {
  const values = params as Readonly<Record<string, unknown>>;
  const missing = values['missingProperty'] ?? values['additionalProperty'] ?? values['unevaluatedProperty'];
  // RFC 6901, section 4.
  const path = instancePath.split('/').slice(1);
  const steps = path.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named = namedKeywords.includes(keyword) ? [...steps, String(missing)] : steps;
  const words = describe(keyword, values) ?? message ?? `breaks "${keyword}"`;
  const isMissing = keyword === 'required' && ({ isMissing: true } as const);
  return { path: named.map(truncateText), message: truncateText(words), ...isMissing };
}

/** Their problem is about a member of the value. */
const namedKeywords: readonly string[] = ['required', 'additionalProperties', 'unevaluatedProperties'];

function describe(keyword: string, params: Readonly<Record<string, unknown>>): string | undefined {
  const limit = String(params['limit']);
  const counted = `${limit} ${keyword.endsWith('Items') ? 'item' : 'character'}${limit === '1' ? '' : 's'}`;
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not known here';
    case 'type':
      return `must be ${[params['type']].flat().map(nameType).join(' or ')}`;
    case 'enum':
      return `must be one of ${listValues(params['allowedValues'])}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'minLength':
    case 'minItems':
      return `must have at least ${counted}`;
    case 'maxLength':
    case 'maxItems':
      return `must have at most ${counted}`;
    case 'format':
      return `must be a valid ${String(params['format'])}`;
    default:
      return undefined;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function nameType(type: unknown): string {
  return typeNames[String(type)] ?? String(type);
}

function listValues(values: unknown): string {
  const list = Array.isArray(values) ? values : [];
  const shown = list.slice(0, 20).map((value) => JSON.stringify(value));
  return list.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ');
}

function truncateText(text: string): string {
  return truncateWithEllipsis(text, limits.check.problemCharacters);
}
