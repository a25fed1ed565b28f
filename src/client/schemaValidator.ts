import type { Ajv, Options } from 'ajv';
import { messageOf } from '../base/errors.ts';
import type { JsonSchema } from '../protocol/mcp/tools.ts';
import { compilePattern } from '../base/safePattern.ts';
import { type SchemaProblem, toSchemaProblem } from './schemaProblem.ts';

export type Validation =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly problems: readonly SchemaProblem[] }
  /** The schema itself cannot be used; nothing is known about the value. */
  | { readonly kind: 'unsupported'; readonly reason: string };

/** Checks values against the schemas of servers: 2020-12 unless `$schema` says 2019-09, draft-07 or draft-06. */
export interface SchemaValidator {
  /** Never rejects for what a schema or a value holds, fetches nothing, changes neither. Compiled once for each schema object. */
  validate(schema: JsonSchema, value: unknown): Promise<Validation>;
}

type Check = (value: unknown) => Validation;

/** Problems told of one value. */
const maximumProblems = 50;
/** Objects and lists, and how deep they nest: some keywords cost the square of it. */
const limits = { schema: { nodes: 20_000, depth: 200 }, value: { nodes: 50_000, depth: 500 } };

/** ajv is loaded at the first call. Every schema gets an instance of its own: `$id`s of different tools never meet. */
export function createSchemaValidator(): SchemaValidator {
  const checks = new WeakMap<JsonSchema, Promise<Check>>();
  return {
    async validate(schema, value) {
      let check = checks.get(schema);
      if (check === undefined) {
        check = compile(schema).catch((error: unknown) => unusable(messageOf(error)));
        checks.set(schema, check);
      }
      return (await check)(value);
    },
  };
}

async function compile(schema: JsonSchema): Promise<Check> {
  if (!isWithin(schema, limits.schema)) return unusable('it is too large');
  // The dialect is settled here; what is left of a name nobody serves would only stop the compiler.
  const { $schema: dialect, ...rest } = schema;
  const ajv = await createAjv(dialect);
  if (ajv === undefined) return unusable(`its dialect ${JSON.stringify(dialect)} is not known`);
  const { default: addFormats } = await import('ajv-formats');
  addFormats(ajv);
  // The metaschema would turn down a whole schema for one pattern in another dialect.
  ajv.addFormat('regex', true);
  const validate = ajv.compile(rest);
  return (value) => {
    if (!isWithin(value, limits.value)) return { kind: 'unsupported', reason: 'The value is too large to be checked.' };
    if (validate(value)) return { kind: 'valid' };
    return { kind: 'invalid', problems: (validate.errors ?? []).slice(0, maximumProblems).map(toSchemaProblem) };
  };
}

/** @returns `undefined` for a dialect we do not have */
async function createAjv(dialect: unknown): Promise<Ajv | undefined> {
  const options: Options = {
    allErrors: true,
    // Servers write keywords and formats of their own: an unknown one asserts nothing (2020-12, section 6.5).
    strict: false,
    logger: false,
    code: { regExp: Object.assign(compilePattern, { code: 'compilePattern' }) },
  };
  switch (typeof dialect === 'string' ? dialect.replace(/#$/, '').replace(/^http:/, 'https:') : dialect) {
    case undefined:
    case 'https://json-schema.org/draft/2020-12/schema':
      return new (await import('ajv/dist/2020.js')).Ajv2020(options);
    case 'https://json-schema.org/draft/2019-09/schema':
      return new (await import('ajv/dist/2019.js')).Ajv2019(options);
    // Draft-07 only adds keywords to draft-06.
    case 'https://json-schema.org/draft-07/schema':
    case 'https://json-schema.org/draft-06/schema':
      return new (await import('ajv')).Ajv(options);
    default:
      return undefined;
  }
}

function unusable(reason: string): Check {
  return () => ({ kind: 'unsupported', reason: `The schema cannot be used: ${reason}.` });
}

function isWithin(root: unknown, { nodes, depth }: { readonly nodes: number; readonly depth: number }): boolean {
  return roomAfter(root, nodes, depth) >= 0;
}

/** @returns how many of `room` objects and lists may still come; negative when there are too many or they nest too deep */
function roomAfter(value: unknown, room: number, depth: number): number {
  if (typeof value !== 'object' || value === null) return room;
  if (depth < 0) return -1;
  let left = room - 1;
  for (const child of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    if (left < 0) break;
    left = roomAfter(child, left, depth - 1);
  }
  return left;
}
