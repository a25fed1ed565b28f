import { describe, expect, it } from 'vitest';
import { CancelSource } from '../../../../src/base/abort.ts';
import { describeAddress, excerpt, networkError } from '../../../../src/transport/http/httpProblems.ts';
import { ReconnectDelays } from '../../../../src/transport/http/reconnect.ts';
import { configuredHeaders, eventIdHeader } from '../../../../src/transport/http/requestHeaders.ts';
import { RequestSender, retryDelay } from '../../../../src/transport/http/requestSender.ts';
import { createAnsweringHttpClient } from '../../../fixtures/httpClients.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

describe('configuredHeaders', () => {
  const read = (headers: Record<string, string>, url = 'https://example.com/') =>
    configuredHeaders({ url: new URL(url), headers });

  it('leaves out what belongs to the protocol or to HTTP', () => {
    const ignored = ['Accept', 'Content-Length', 'MCP-Param-A', 'Mcp-Method', 'TE'];
    const headers = Object.fromEntries([...ignored, 'X-Mcp-Session-Id'].map((name) => [name, 'a']));
    expect(read(headers)).toEqual({ headers: { 'x-mcp-session-id': 'a' }, ignored });
  });

  it('prefers a configured header to a user in the URL', () => {
    expect(read({}, 'https://a:b@example.com/').headers).toEqual({ authorization: 'Basic YTpi' });
    const configured = read({ Authorization: 'Bearer x' }, 'https://a:b@example.com/');
    expect(configured.headers).toEqual({ authorization: 'Bearer x' });
  });

  it('takes a percent sign in a password as it is where it encodes nothing', () => {
    expect(read({}, 'https://a:5%@example.com/').headers).toEqual({ authorization: `Basic ${btoa('a:5%')}` });
  });

  it.each([{ 'a b': '1' }, { '': '1' }, { a: 'ä\u0100' }, { a: 'x\r\ny: z' }])('refuses %j', (headers) => {
    expect(() => read(headers as Record<string, string>)).toThrow(expect.objectContaining({ code: 'configuration' }));
  });
});

it.each([
  ['e-1', 'e-1'],
  ['ä', '\u00c3\u00a4'],
  ['', undefined],
  [undefined, undefined],
  ['a\u0001', undefined],
  ['x'.repeat(5_000), undefined],
])('eventIdHeader of %j is %j', (id, expected) => {
  expect(eventIdHeader(id)).toBe(expected);
  if (expected !== undefined) expect(() => new Headers({ 'last-event-id': expected })).not.toThrow();
});

const now = Date.parse('2026-07-28T12:00:00Z');

it.each([
  [429, '5', 0, 5_000],
  [429, ' 0 ', 0, 0],
  [503, '60', 2, 60_000],
  [503, '61', 0, undefined],
  [429, '99999999999999999999', 0, undefined],
  [429, 'Tue, 28 Jul 2026 12:00:30 GMT', 0, 30_000],
  [429, 'Tue, 28 Jul 2026 11:00:00 GMT', 0, 0],
  [429, 'Tue, 28 Jul 2026 13:00:00 GMT', 0, undefined],
  [429, 'soon', 0, 1_000],
  [429, undefined, 1, 2_000],
  [429, undefined, 2, undefined],
  [429, '5', 3, undefined],
  [503, undefined, 0, undefined],
  [503, '-1', 0, undefined],
  [500, '5', 0, undefined],
  [404, '5', 0, undefined],
])('after status %i with Retry-After %j, sent again %i times: %j', (status, retryAfter, repeats, expected) => {
  expect(retryDelay(status, retryAfter, repeats, now)).toBe(expected);
});

it('waits exactly as long as asked, then at least as long', () => {
  const reconnect = new ReconnectDelays(() => 0.99, 3);
  expect([1, 2, 3].map(() => reconnect.next(900))).toEqual([900, 1_493, 2_239]);
});

it('never comes back at once', () => {
  expect(new ReconnectDelays(() => 0, 3).next(0)).toBe(100);
});

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
    ['EAGAIN', 'it accepts no more connections'],
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

it('takes no cookies of an answer that comes after the account has changed', async () => {
  const sent: unknown[] = [];
  const answers: (() => void)[] = [];
  const http = createAnsweringHttpClient(({ headers }) => {
    sent.push(headers['cookie']);
    const response = new Response('', { headers: { 'set-cookie': `account=${sent.length}; Path=/` } });
    return new Promise((resolve) => answers.push(() => resolve(response)));
  });
  const ports = { clock: createManualClock(), authorizer: undefined };
  const sender = new RequestSender(http, ports, undefined, () => {});
  const send = () =>
    sender.send({ method: 'POST', url: new URL('https://a.example/mcp'), headers: {}, signal: new CancelSource() });
  const [early, between] = [send(), send()];
  answers[0]?.();
  await early;
  sender.forgetCookies();
  answers[1]?.();
  await between;
  const last = send();
  answers[2]?.();
  await last;
  expect(sent).toEqual([undefined, undefined, undefined]);
});
