import { describe, expect, it } from 'vitest';
import { redactedCopy, redactedJson } from '../../../src/client/trace/traceJson.ts';
import { isPlainJson } from '../../../src/secrets/plainJson.ts';
import { createRedactor } from '../../../src/secrets/redactor.ts';
import { keyShapes } from '../../../src/secrets/secretNames.ts';

const redactor = createRedactor([]);
const long = 'Q7aB3cD9'.repeat(6);

/** A text of each form of {@link keyShapes}, in its order. */
const keys: readonly string[] = [
  `sk-${long}`,
  `ghp_${long}`,
  `AIza${long}`,
  `GOCSPX-${long}`,
  `sk_live_${long}`,
  `npm_${long}`,
  `AKIA${'Z'.repeat(16)}`,
  `aws_secret_access_key = "${long.slice(0, 40)}"`,
  `xoxb-${long}`,
  `glpat-${long}`,
  `eyJ${long}.${long}`,
  `Bearer ${long}`,
  'postgres://user:opensesame@host',
];

const contexts: readonly string[] = [
  `github_pat_${long}`,
  `rk_test_${long}`,
  `glsoat-${long}`,
  `//registry.example/:_authToken=${long}`,
  '-----BEGIN RSA PRIVATE KEY-----\nabc',
  'Authorization: abc',
  'Set-Cookie: abc',
  'proxy-authorization":"abc',
  'my passphrase: abc',
  'passwd : abc',
  'API key: abc',
  'refresh_token: abc',
  'basic\tabcdef',
  'dPoP abcdef',
  'https://abc@host/',
  'https://host/?code=abc',
  'x#Session=abc',
  'DB_PASSWORD=abc',
  '{"apiKey":"abc"}',
  '{"a":{"userPAT":"abc"}}',
  String.raw`{\"token\":\"abc\"}`,
];

const messages = [...keys, ...contexts].flatMap((text) =>
  ['', '\n', 'x ', '"', '\\', '\u0001'].map((before) => ({
    result: { content: [{ type: 'text', text: before + text }] },
  })),
);

const named = ['token', 'accessToken', 'PASSWORD', 'x-api-key', 'userPAT', 'KEY2', 'dsn', 'progressToken2'].flatMap(
  (name) => [{ [name]: 'abc' }, { params: { argument: { name, value: 'abc' } } }, { [name]: 12 }],
);

describe('isPlainJson', () => {
  it('knows a beginning of each form of keys', () => {
    expect(keys.map((text, place) => text.search(keyShapes[place]?.pattern ?? '') !== -1 && text)).toEqual(keys);
    expect(keys).toHaveLength(keyShapes.length);
    expect(keys.filter((text) => isPlainJson(JSON.stringify({ text })))).toEqual([]);
  });

  it('is never said of JSON in which something is hidden', () => {
    const hidden = [...messages, ...named].filter(
      (message) => JSON.stringify(redactedCopy(message, redactor, Infinity)) !== JSON.stringify(message),
    );
    expect(hidden.length).toBeGreaterThan(150);
    expect(hidden.filter((message) => isPlainJson(JSON.stringify(message)))).toEqual([]);
  });

  it('is said of what most messages are', () => {
    const params = {
      name: 'read_file',
      arguments: { path: 'src/keyboard.ts', pattern: '^a' },
      _meta: { progressToken: 3 },
    };
    const message = { jsonrpc: '2.0', id: 3, method: 'tools/call', params };
    expect(isPlainJson(JSON.stringify(message))).toBe(true);
    expect(redactedJson(message, redactor)).toBe(JSON.stringify(message));
  });

  it('is no word of a redactor that knows secrets', () => {
    const value = 'hunter2-abc';
    const known = createRedactor([{ value, kind: 'secretInput', what: 'it' }]);
    expect(redactedJson({ text: value }, known)).not.toContain(value);
    expect(redactedJson({ text: 'abc' }, known)).toBe('{"text":"abc"}');
  });
});
