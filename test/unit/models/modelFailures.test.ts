import { describe, expect, it } from 'vitest';
import { ProxyError } from '../../../src/base/httpClient.ts';
import { endpointOf } from '../../../src/models/endpoint.ts';
import { connectionFailure, type FailureContext, failureOf, shownWords } from '../../../src/models/modelFailures.ts';
import providerFailures from '../../fixtures/providerFailures.json' with { type: 'json' };

const endpoint = endpointOf({ name: 'GPT', api: 'openai-chat', baseUrl: 'https://api.example.com/v1' });
const context: FailureContext = { endpoint, model: 'gpt', key: 'sk-1234' };

describe('what a provider says instead of an answer', () => {
  it.each(providerFailures)('means what it says: $what', ({ status, body, kind }) => {
    for (const form of typeof body === 'string' ? [body] : [body, JSON.stringify(body)]) {
      expect(failureOf({ status, body: form, address: 'https://api.example.com/v1/chat' }, context).kind).toBe(kind);
    }
  });

  it('is shown in one line, bounded, without the key, with its hidden characters', () => {
    expect(shownWords('Key sk-1234\n  is\twrong \u200b!', 'sk-1234')).toBe('Key ••• is wrong ⟨U+200B⟩!');
    expect(shownWords('x'.repeat(100_000), undefined)).toHaveLength(501);
    expect(shownWords('\u202e'.repeat(100_000), undefined).length).toBeLessThanOrEqual(1_001);
    expect(shownWords('a%2Fb c', 'a/b')).toBe('••• c');
  });

  it('is no page of HTML', () => {
    const { message } = failureOf({ status: 502, body: '<html><h1>Bad gateway</h1></html>' }, context);
    expect(message).toBe('GPT at api.example.com failed with HTTP status 502.');
  });

  it('says when to try again, as Gemini does', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.07s' }];
    const body = { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota', details } };
    expect(failureOf({ status: 429, body: [body] }, context)).toMatchObject({
      kind: 'rateLimited',
      retryAfterMs: 34_070,
    });
    expect(failureOf({ status: 429, body, retryAfterMs: 5 }, context).retryAfterMs).toBe(5);
  });

  it.each([
    [undefined, 'later'],
    [0, 'in 1 second'],
    [34_070, 'in 35 seconds'],
    [120_000, 'in 2 minutes'],
    [3_601_000, 'in 61 minutes'],
    [7_200_000, 'in 2 hours'],
    [604_800_000, 'in 168 hours'],
  ])('says how long %s milliseconds are', (retryAfterMs, words) => {
    const { message } = failureOf({ status: 429, body: '', retryAfterMs }, context);
    expect(message).toContain(`or it is overloaded. Try again ${words}.`);
  });

  it('asks for a key where there is none', () => {
    const without = { ...context, key: ' ' };
    expect(failureOf({ status: 401, body: '' }, without).message).toBe('GPT at api.example.com wants a key: add one.');
  });
});

describe('a connection that fails', () => {
  const withCode = (code: string): Error => Object.assign(new Error('failed'), { code });

  it.each([
    ['ENOTFOUND', 'unreachable', 'cannot be reached (ENOTFOUND): check its address and your network'],
    ['CERT_HAS_EXPIRED', 'unreachable', 'its certificate is not trusted (CERT_HAS_EXPIRED).'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'unreachable', 'its certificate is not trusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unreachable', 'its certificate is not trusted'],
    ['ECONNRESET', 'cutOff', 'closed the connection before it answered'],
  ] as const)('says why: %s', (code, kind, words) => {
    const error = connectionFailure(withCode(code), false, context);
    expect([error.kind, error.message]).toEqual([kind, expect.stringContaining(words)]);
  });

  it('names the proxy that failed', () => {
    const error = connectionFailure(new ProxyError('proxy:3128', { status: 407 }), false, context);
    expect([error.kind, error.message]).toEqual([
      'unreachable',
      expect.stringContaining('the proxy proxy:3128 refuses'),
    ]);
  });
});
