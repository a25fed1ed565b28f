import { describe, expect, it } from 'vitest';
import { secretsOfPlan } from '../../../../src/secrets/planSecrets.ts';
import { createRedactor } from '../../../../src/secrets/redactor.ts';
import { redactedJson, redactedJsonSteps, traceJson } from '../../../../src/client/trace/traceJson.ts';
import { runNow } from '../../../../src/secrets/steps.ts';

const secret = 'Zm9v/yE"7';

/** The trace of a message of a server whose definition contains `secret`. */
function trace(message: unknown, secrets: readonly string[] = []): string {
  const plan = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: { API_TOKEN: secret }, secrets } as const;
  return traceJson(message, createRedactor(secretsOfPlan('x', plan)));
}

describe('a traced message', () => {
  it('stays as it is where nothing is secret', () => {
    const message = { jsonrpc: '2.0', id: 1, result: { ok: true, none: null, list: [1, 'two'] } };
    expect(trace(message)).toBe(JSON.stringify(message));
  });

  it.each([
    ['a value', { text: `it is ${secret}!` }],
    ['the name of a member', { [secret]: 1 }],
    ['JSON inside a text', { text: JSON.stringify({ deep: secret }) }],
    ['JSON inside JSON inside a text', { text: JSON.stringify(JSON.stringify({ password: 'Zm9v' })) }],
    ['a URL', { uri: `https://example.com/?q=${encodeURIComponent(secret)}` }],
    ['a member that nobody would call secret', JSON.parse(`{"__proto__": ${JSON.stringify(secret)}}`)],
  ])('hides what the server was given as a secret, in %s', (_, params) => {
    const text = trace({ method: 'm', params });
    expect(text).not.toContain('Zm9v');
    expect(text).toContain('••••');
  });

  it('hides what came from a hidden input, wherever it went, also as a number', () => {
    expect(trace({ text: 'the 4711 pin', number: 47_110, pin: 4711 }, ['4711'])).not.toContain('4711');
  });

  it.each<[string, unknown]>([
    ['split over blocks', { content: ['hunter2-C', 'orrect/Horse&42'].map((text) => ({ type: 'text', text })) }],
    ['split over blocks with ids', ['hunter2-C', 'orrect/Horse&42'].map((text, id) => ({ id: `id ${id}`, text }))],
    ['in letters', { list: Array.from('hunter2-Correct/Horse&42') }],
    ['in bytes', { bytes: [...Buffer.from('hunter2-Correct/Horse&42')] }],
    ['split over names', { 'hunter2-Correct': { '/Horse&42': true } }],
  ])('hides a secret %s', (_name, params) => {
    const text = trace({ jsonrpc: '2.0', params }, ['hunter2-Correct/Horse&42']);
    expect(text).not.toMatch(/orrect|"h"|104/);
    expect(text).toContain('••••');
  });

  it('does not hide words because a setting has them', () => {
    const args = ['--auth', 'none', '--key', 'name'];
    const env = { SORT_KEY: 'type', AUTH: 'true', AUTH_MODE: 'text', PASS: 'abc1' };
    const redactor = createRedactor(secretsOfPlan('x', { kind: 'stdio', command: 'x', args, cwd: undefined, env }));
    const message = { type: 'text', text: 'nonexistent text of this type is true', name: 'none' };
    expect(traceJson(message, redactor)).toBe(JSON.stringify(message));
    // Letters and digits together are no word.
    expect(traceJson({ a: 'so abc1 it is' }, redactor)).not.toContain('abc1');
  });

  it('does not take a very short secret for every letter of it', () => {
    expect(trace({ text: 'ab', list: ['a', 'b'] }, ['a'])).toBe('{"text":"ab","list":["••••••••","b"]}');
  });

  it.each([
    ['password', 'hunter2'],
    ['apiKey', 12_345],
    ['Authorization', ['hunter2']],
    ['credentials', { user: 'hunter2' }],
  ])('hides the value of a member called %s', (name, value) => {
    const text = trace({ params: { arguments: { [name]: value } } });
    expect(text).not.toMatch(/hunter2|12345/);
    expect(text).toContain(name);
  });

  it('hides a completed argument by its name', () => {
    expect(trace({ argument: { name: 'token', value: 'hunter2' } })).not.toContain('hunter2');
    expect(trace({ argument: { name: 'city', value: 'Oslo' } })).toContain('Oslo');
  });

  it('shows the schema of a secret argument and the token of progress', () => {
    const tool = { inputSchema: { properties: { password: { type: 'string' } } } };
    expect(trace(tool)).toBe(JSON.stringify(tool));
    expect(trace({ _meta: { progressToken: 7 } })).toContain('7');
    expect(trace({ properties: { password: 'hunter2' } })).not.toContain('hunter2');
  });

  it.each([
    'Authorization: Bearer hunter2hunter2',
    'curl -H "Authorization: hunter2"',
    'basic aHVudGVyMjpodW50ZXIy',
    'https://me:hunter2@example.com/',
    'https://example.com/callback?code=hunter2&state=1',
    'https://example.com/#access_token=hunter2',
    'API_KEY=hunter2',
    'password: hunter2',
    '{"client_secret" : "hunter\\"2hunter2"}',
    '{"client_secret":"hunter2 and then the text was cut',
    'ghp_hunter2hunter2hunter2',
    'eyJhdW50ZXIy.hunter2.hunter2',
    '-----BEGIN RSA PRIVATE KEY-----\nhunter2\nhunter2',
  ])('hides what looks like a secret: %s', (text) => {
    expect(trace({ text })).not.toMatch(/hunter2|aHVudGVyMjp/);
  });

  it('leaves ordinary text and URLs alone', () => {
    const text = 'See https://example.com/?page=2&sort=name#top: key points, basic facts; a = 1.';
    expect(trace({ text })).toBe(JSON.stringify({ text }));
  });
});

describe('a long message', () => {
  it('is cut, each text by itself, with how much is missing', () => {
    const text = trace({ a: 'x'.repeat(100_000), b: 'end' });
    expect(text.length).toBeLessThan(5_000);
    expect(text).toContain('(96,000 more characters)');
    expect(text).toContain('"end"');
  });

  it('is cut as a whole', () => {
    const text = trace({ list: Array.from({ length: 100_000 }, (_, index) => ({ name: `tool ${index}` })) });
    expect(text.length).toBeLessThan(100_000);
    expect(text).toMatch(/… \(\d+ more\)/);
    const members = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`member${index}`, index]));
    expect(trace(members).length).toBeLessThan(100_000);
  });

  it('leaves no part of a secret where it is cut', () => {
    const long = 'S3CRET-'.repeat(30);
    for (let before = 3_700; before < 4_010; before += 1) {
      expect(trace({ text: `${'x'.repeat(before)}${long}${'y'.repeat(200)}` }, [long])).not.toContain('S3CRET');
    }
    expect(trace({ text: long.repeat(60) }, [long])).not.toContain('S3CRET');
  });

  it('may be nested as deep as it likes', () => {
    let deep: unknown = 'bottom';
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(trace(deep)).toContain('nested deeper');
  });

  it('shows characters that would not show, or would turn the line, by their numbers', () => {
    expect(trace({ text: 'a\u202eb\u2028c\u0000\n' })).toBe('{"text":"a\\u202eb\\u2028c\\u0000\\n"}');
  });
});

describe('the secrets of a plan', () => {
  const url = new URL('https://me:p%40ss@example.com/mcp?api_key=abc1&page=2');
  const headers = { Authorization: `Basic ${btoa('me:opensesame')}`, Accept: 'text/plain', 'X-Mode': 'fast' };

  it('are what headers and the address let in with', () => {
    const secrets = secretsOfPlan('x', { kind: 'http', url, headers }).map(({ value }) => value);
    expect(secrets).toEqual(expect.arrayContaining(['opensesame', btoa('me:opensesame'), 'abc1', 'p@ss']));
    for (const harmless of ['text/plain', 'fast', '2', 'me']) expect(secrets).not.toContain(harmless);
  });

  it('are variables and options, and no values that are everywhere', () => {
    const env = { TOKEN: 'abc1', DEBUG: '1', MODE: 'production', DATA: 'x7f9a0b1c2', GONE: null };
    const args = ['--api-key', 'def2', '--password=ghi3', '--verbose', 'yes'];
    const secrets = secretsOfPlan('x', { kind: 'stdio', command: 'x', args, cwd: undefined, env });
    expect(secrets.map(({ value }) => value)).toEqual(['abc1', 'x7f9a0b1c2', 'def2', 'ghi3']);
  });
});

it.each([
  { params: { text: 'key-12345678 and more', list: [1, 'key-12345678', { token: 'x' }] } },
  { long: `${'x'.repeat(60_000)} key-12345678`, again: `${'x'.repeat(60_000)} key-12345678`, other: 12 },
  { content: ['key-1', '2345678', 'y'.repeat(60_000)] },
  { password: 'z'.repeat(60_000) },
])('are the same in steps, with texts of any length: %#', (message) => {
  const redactor = createRedactor([{ value: 'key-12345678', kind: 'secretInput', what: 'it' }]);
  const json = runNow(redactedJsonSteps(message, redactor));
  expect(json).toBe(redactedJson(message, redactor));
  expect(json).not.toContain('key-12345678');
});
