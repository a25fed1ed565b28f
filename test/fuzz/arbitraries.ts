import * as fc from 'fast-check';
import type { Mutation, SessionCase } from './session/session.d.ts';

/** Names with a meaning in JavaScript. */
export const tellingNames = '__proto__ constructor prototype toString then hasOwnProperty length 0'.split(' ');

/** Texts with a special meaning: surrogates, control characters, paths, commands, HTML, variables. */
export const tellingTexts = [
  '',
  ' ',
  '\uD800',
  '\uDC00x',
  '\u202Egnp.exe',
  '\u0000',
  '\u001B[2J',
  '../../..',
  'file:///etc/passwd',
  'command:workbench.action.quit',
  'javascript:alert(1)',
  '<img src=x onerror=alert(1)>',
  '{{x}}',
  '${env:HOME}',
  '`'.repeat(99),
];

/** JSON values, most of them unexpected ones; large ones as instructions for `mutate.mjs`. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e21, -0, 2 ** 53, 1e308, [], {}, [[]], [null], { a: null }),
  fc.constantFrom(...tellingTexts),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.dictionary(fc.constantFrom(...tellingNames), fc.constantFrom(null, 1, 'x', {}, []), {
    maxKeys: 2,
    noNullPrototype: true,
  }),
  fc.record({
    $make: fc.constantFrom('text', 'list', 'object', 'lists', 'objects', 'backticks'),
    size: fc.constantFrom(100, 600, 3_000),
  }),
);

const at = fc.nat(45);
const place = fc.integer({ min: 0, max: 999 }).map((part) => part / 1_000);
const name = fc.oneof(
  fc.constantFrom(...tellingNames),
  fc.constantFrom('id', 'method', 'result', 'error', 'params', '_meta'),
);
const notices = 'message progress cancelled tools/list_changed resources/updated tasks/status'.split(' ');
/** An unexpected message. */
const message = fc.oneof(
  hostileValue,
  fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.constantFrom<unknown>(0, 1, 2, 3, 4, 'x', null),
    method: fc.constantFrom('ping', 'roots/list', 'sampling/createMessage', 'elicitation/create', 'no/such'),
    params: hostileValue,
  }),
  fc.record({
    jsonrpc: fc.constant('2.0'),
    method: fc.constantFrom(...notices).map((last) => `notifications/${last}`),
    params: hostileValue,
  }),
  fc.record({ jsonrpc: fc.constant('2.0'), id: fc.nat(20), result: hostileValue }),
);

/** One kind of fault, with its parameters. */
function fault(kind: Mutation['kind'], parameters: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}) {
  return fc.record({ at, kind: fc.constant(kind), ...parameters }) as fc.Arbitrary<unknown> as fc.Arbitrary<Mutation>;
}

const anywhere = [
  fault('replace', { place, value: hostileValue }),
  fault('replace', { place, value: hostileValue }),
  fault('add', { place, name, value: hostileValue }),
  fault('remove', { place }),
  fault('copy', { place, from: place }),
  fault('bytes', { place, removed: fc.nat(3), inserted: fc.string({ unit: 'binary', maxLength: 3 }) }),
  fault('cut', { place }),
  fault('repeat', { times: fc.integer({ min: 2, max: 20 }) }),
  fault('drop'),
  fault('delay', { messages: fc.integer({ min: 1, max: 4 }) }),
  fault('insert', { message }),
  fault('split', { place }),
  fault('close'),
];

const statuses = [201, 202, 204, 301, 307, 400, 401, 403, 404, 405, 429, 500, 503];
const headers =
  'content-type mcp-session-id retry-after location www-authenticate content-encoding content-length'.split(' ');
const headerValues = [
  ['', '0', '1', '-1', 'gzip', '/elsewhere', 'Bearer realm="x", scope="', 'x'.repeat(5_000)],
  ['text/html', 'text/event-stream', 'application/json;charset=latin1'],
].flat();
const overHttp = [
  fault('status', { status: fc.constantFrom(...statuses) }),
  fault('header', { name: fc.constantFrom(...headers), value: fc.constantFrom(...headerValues) }),
];

/**
 * Recorded sessions with some faults, run at the same time: a session mostly waits.
 * @param sessions names to choose from
 */
export function sessionCases(sessions: readonly string[], { isHttp = false } = {}): fc.Arbitrary<SessionCase[]> {
  const mutation = fc.oneof(...anywhere, ...(isHttp ? overHttp : []));
  const session = fc.record({
    session: fc.constantFrom(...sessions),
    mutations: fc.array(mutation, { minLength: 1, maxLength: 8 }),
  });
  return fc.array(session, { minLength: 1, maxLength: 16, size: 'max' });
}
