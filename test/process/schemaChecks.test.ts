import { spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Disposable } from '../../src/base/disposable.ts';
import type { JsonValue } from '../../src/base/json.ts';
import type { SchemaValidator } from '../../src/client/validation/schemaValidator.ts';
import type { JsonSchema } from '../../src/protocol/mcp/tools.ts';
import type { BuiltScript } from '../fixtures/builtScript.ts';
import { buildChecker, createForkedValidator } from '../fixtures/schemaChecker.ts';

let checker: BuiltScript;
let validator: SchemaValidator & Disposable;
let started: number;
let ended: number;

beforeAll(async () => {
  checker = await buildChecker();
});
afterAll(() => checker.remove());

function createValidator(settings: { milliseconds?: number; heapMegabytes?: number } = {}): typeof validator {
  return createForkedValidator(checker, {
    ...settings,
    onStart(script) {
      started += 1;
      script.onExit(() => (ended += 1));
    },
  });
}

beforeEach(() => {
  started = 0;
  ended = 0;
  validator = createValidator();
});

afterEach(async () => {
  validator.dispose();
  await vi.waitFor(() => expect(ended).toBe(started), 10_000);
});

async function outcomeOf(schema: JsonSchema, value: unknown, server = 'hostile'): Promise<string> {
  const validation = await validator.validate(server, schema, value);
  return validation.kind === 'unsupported' ? validation.reason : validation.kind;
}

function nested(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

function list<T>(length: number, create: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => create(index));
}

/** Schemas that each refer to another one of `count`. */
function manyReferences(count: number): JsonSchema {
  const properties = list(count, (index) => [`p${index}`, { $ref: `#/$defs/d${index}` }]);
  const defs = list(count, (index) => [
    `d${index}`,
    { properties: { x: { $ref: `#/$defs/d${(index * 7 + 1) % count}` } } },
  ]);
  return { properties: Object.fromEntries(properties) as JsonValue, $defs: Object.fromEntries(defs) as JsonValue };
}

const nestedLists = { type: 'array', items: { $ref: '#/$defs/a' } };
/** A schema whose work doubles with each level of a value. */
const doubling: JsonSchema = { $defs: { a: { anyOf: [nestedLists, nestedLists] } }, $ref: '#/$defs/a' };

const tooSlow = 'checking took longer than 1 s';
const tooLarge = 'checking took more than 128 MB of memory';

/** Schemas that a server can send, each with a value. */
const attacks: readonly (readonly [string, JsonSchema, unknown])[] = [
  ['a recursive anyOf', doubling, nested(40)],
  ['a pattern that no rule of thumb finds', { type: 'string', pattern: '^(a?){28}$' }, `${'a'.repeat(40)}!`],
  ['many references', { ...manyReferences(1_500), not: false }, {}],
  ['unique objects', { uniqueItems: true }, list(40_000, (index) => ({ index }))],
  ['unique numbers', { uniqueItems: true }, list(90_000, (index) => index)],
  ['a pattern over many texts', { items: { pattern: '^(a?){18}$|!' } }, list(10_000, () => `${'a'.repeat(18)}!`)],
];

describe('a schema that attacks [schema-bounds]', () => {
  it.each(attacks)('%s: is stopped, and the next schema is checked', async (_name, schema, value) => {
    let turns = 0;
    const turn = setInterval(() => (turns += 1), 10);
    const outcome = await outcomeOf(schema, value);
    clearInterval(turn);
    expect([tooSlow, tooLarge]).toContain(outcome);
    // This process was not blocked in the meantime.
    expect(turns).toBeGreaterThan(5);
    expect(await outcomeOf(schema, value)).toBe(`${outcome} before`);
    expect(await outcomeOf({ type: 'string', pattern: '^a$' }, 'b', 'other')).toBe('invalid');
    expect(await outcomeOf({ type: 'string', pattern: '^a$' }, 'a', 'other')).toBe('valid');
    expect(started).toBeGreaterThan(1);
  });

  it('of keywords that this process knows needs no other one, however many references it has', async () => {
    expect(await outcomeOf(manyReferences(1_500), { p0: { x: {} } })).toBe('valid');
    expect(started).toBe(0);
  });

  it('that refers to itself without end is unusable, and takes no process along', async () => {
    expect(await outcomeOf({ $ref: '#' }, {})).toBe('the schema cannot be used: Maximum call stack size exceeded');
    expect(await outcomeOf({ pattern: 'a' }, 'a')).toBe('valid');
    expect(started).toBe(1);
  });

  it('that fills the memory ends only the process that checks', async () => {
    validator.dispose();
    // More time, for a slow machine, and less memory to fill.
    validator = createValidator({ milliseconds: 600_000, heapMegabytes: 32 });
    expect(await outcomeOf({ pattern: 'a' }, 'a')).toBe('valid');
    expect(await outcomeOf(doubling, nested(40))).toBe(tooLarge);
    expect(await outcomeOf({ pattern: 'a' }, 'b')).toBe('invalid');
  });

  it('does not keep the schemas of other servers waiting for more than its own turn', async () => {
    const hostile = list(3, (index) => outcomeOf({ pattern: `^(a+)+${index}$` }, `${'a'.repeat(40)}!`));
    expect(await outcomeOf({ pattern: 'a' }, 'a', 'other')).toBe('valid');
    // Only the check that was running.
    expect(started).toBe(2);
    validator.dispose();
    expect(await Promise.all(hostile)).toEqual([tooSlow, 'Patchbay is closing', 'Patchbay is closing']);
  });

  it('still has its problems told one by one: the first where all take too long', async () => {
    const schema = { type: 'array', maxItems: 1, items: { pattern: '^(a?){28}$' } };
    const value = ['ok'.repeat(3), `${'a'.repeat(40)}!`];
    const outcome = await validator.validate('hostile', schema, value);
    expect(outcome).toEqual({ kind: 'invalid', problems: [{ path: [], message: expect.stringContaining('1 item') }] });
    expect(await validator.validate('hostile', schema, value)).toEqual(outcome);
    expect(started).toBe(2);
  });
});

describe('the process that checks', () => {
  it('tells all problems of a value, in the words of the data', async () => {
    const schema = { properties: { a: { pattern: '^a' }, b: { minLength: 2 } }, required: ['c'] };
    const outcome = await validator.validate('server', schema, { a: 'x', b: 'y' });
    expect(outcome.kind === 'invalid' && outcome.problems.map(({ path }) => path.join('.'))).toEqual(['c', 'a', 'b']);
  });

  it('has nothing of the environment, and none of the options, that this process was given', async () => {
    vi.stubEnv('NODE_OPTIONS', '--this-option-does-not-exist');
    vi.stubEnv('SECRET_TOKEN', 'x');
    expect(await outcomeOf({ pattern: 'a' }, 'a')).toBe('valid');
    vi.unstubAllEnvs();
  });

  it('is not started from a script that is not there', async () => {
    const built = checker;
    checker = { ...built, path: `${built.path}.missing` };
    validator = createValidator();
    checker = built;
    expect(await outcomeOf({ pattern: 'a' }, 'a')).toBe('the process that checks could not be started');
  });

  it.each([
    ['idle', '^a$'],
    ['busy without end', '^(a+)+$'],
  ])('ends when its parent is killed: %s', async (_name, pattern) => {
    const job = { id: 1, key: 1, schema: { pattern }, value: `${'a'.repeat(60)}!`, firstOnly: true };
    const parent = spawn(process.execPath, ['-e', parentScript, checker.path, JSON.stringify(job)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.once('data', (data: Buffer) => resolve(Number(data.toString())));
    });
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000, interval: 100 });
  });
});

/** Starts the checker process and sends it a job. Prints its process id. */
const parentScript = `
  const { fork } = require('node:child_process');
  const child = fork(process.argv[1], ['1000'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  child.once('message', () => child.send(JSON.parse(process.argv[2]), () => console.log(child.pid)));
`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
