import { describe, expect, it } from 'vitest';
import { describeAddress, excerpt, networkError } from '../../../../src/transport/http/httpProblems.ts';

describe('excerpt', () => {
  it.each([
    ['plain  text\n', 'plain text'],
    ['<html><head><title>Oops</title><meta></head><body class="a">It\n<b>broke</b></body></html>', 'Oops It broke'],
    ['<script>alert("x")</script><p>Hello</p>', 'Hello'],
    ['<script>never ends', 'never ends'],
    ['<img src=x onerror=alert(1)', 'img src=x onerror=alert(1)'],
    ['{"error":"invalid_token","error_description":"Too old"}', 'Too old'],
    ['{"error":{"message":"Inner"}}', 'Inner'],
    ['{"detail":"Not here"}', 'Not here'],
    ['{"a":1}', '{"a":1}'],
    ['{broken', '{broken'],
    ['a\u202Eb\u0007c', 'a b c'],
    ['', ''],
  ])('of %j is %j', (text, expected) => {
    expect(excerpt(text)).toBe(expected);
  });

  it('is short, and quick with what is meant to be slow', () => {
    expect(excerpt('x'.repeat(1_000))).toBe(`${'x'.repeat(200)}…`);
    expect(excerpt('<script>'.repeat(100_000)).length).toBeLessThan(300);
    expect(excerpt('<'.repeat(1_000_000)).length).toBeLessThan(300);
  });
});

it('describes an address without what may be secret in it', () => {
  expect(describeAddress({ url: new URL('https://me:pass@example.com:8443/mcp?key=1#part') })).toBe(
    'https://example.com:8443/mcp?…',
  );
  expect(describeAddress({ url: new URL('http://[::1]:1/') })).toBe('http://[::1]:1/');
  const url = new URL('http://localhost/mcp?key=1');
  expect(describeAddress({ url, socketPath: '/run/a b.sock' })).toBe('unix:///run/a%20b.sock?…#/mcp');
  expect(describeAddress({ url, socketPath: '\\\\.\\pipe\\a' })).toBe('pipe:///pipe/a?…#/mcp');
});

describe('networkProblem', () => {
  const url = new URL('https://example.com/mcp?key=secret');
  const failure = (code: string): Error => Object.assign(new Error(code), { code });

  it.each([
    ['ECONNREFUSED', 'nothing listens there'],
    ['ENOTFOUND', 'the name example.com is not known'],
    ['EAI_AGAIN', 'the name example.com is not known'],
    ['ETIMEDOUT', 'it does not respond'],
    ['EHOSTUNREACH', 'it does not respond'],
    ['CERT_HAS_EXPIRED', 'its certificate is not accepted'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not accepted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not accepted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is not accepted'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'no secure connection could be made'],
  ])('says what to do about %s', (code, part) => {
    const problem = networkError(failure(code), { url });
    expect(problem.code).toBe('unreachable');
    expect(problem.message).toContain(`The server at https://example.com/mcp?… cannot be reached: ${part} (${code}).`);
  });

  it.each([
    ['ENOENT', 'there is no such socket'],
    ['ECONNREFUSED', 'nothing listens there'],
    ['ENOTSOCK', 'nothing listens there'],
    ['EACCES', 'you may not use it'],
    ['EAGAIN', 'it takes no more connections'],
  ])('says what to do about %s of a socket', (code, part) => {
    const socket = { url: new URL('http://localhost/mcp'), socketPath: '/run/my.sock' };
    const problem = networkError(failure(code), socket);
    expect(problem.code).toBe('unreachable');
    expect(problem.message).toContain(`The server at unix:///run/my.sock#/mcp cannot be reached: ${part} (${code}).`);
    expect(networkError(failure('EPIPE'), socket)).toMatchObject({ code: 'answerLost' });
  });

  it.each([failure('ECONNRESET'), new Error('unknown'), 'odd'])(
    'takes %s for a request that may have arrived',
    (error) => {
      const problem = networkError(error, { url });
      expect(problem.code).toBe('answerLost');
      expect(problem.message).not.toContain('secret');
    },
  );
});
