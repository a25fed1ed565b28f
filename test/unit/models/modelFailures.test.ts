import { describe, expect, it } from 'vitest';
import { ProxyError } from '../../../src/base/httpClient.ts';
import { endpointOf } from '../../../src/models/endpoint.ts';
import { connectionFailure, type FailureContext, failureOf, shownWords } from '../../../src/models/modelFailures.ts';
import type { ModelFailure } from '../../../src/models/modelGateway.ts';

const endpoint = endpointOf({ name: 'GPT', api: 'openai-chat', baseUrl: 'https://api.example.com/v1' });
const context: FailureContext = { endpoint, model: 'gpt', key: 'sk-1234' };

/** What providers answer: the status, the body, and what it means. */
const answers: readonly (readonly [string, number | undefined, unknown, ModelFailure])[] = [
  [
    'OpenAI, a long request',
    400,
    { error: { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' } },
    'contextOverflow',
  ],
  [
    'Anthropic, a long request',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
    'contextOverflow',
  ],
  [
    'Anthropic, many bytes',
    413,
    { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
    'contextOverflow',
  ],
  [
    'Gemini, a long request',
    400,
    {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      },
    },
    'contextOverflow',
  ],
  [
    'llama.cpp, a long request',
    400,
    {
      error: {
        code: 400,
        type: 'exceed_context_size_error',
        message: 'the request exceeds the available context size',
      },
    },
    'contextOverflow',
  ],
  [
    'vLLM, a long request',
    400,
    {
      object: 'error',
      message: "This model's maximum context length is 4096 tokens.",
      type: 'BadRequestError',
      code: 400,
    },
    'contextOverflow',
  ],
  ['Ollama, a long request', 500, { error: 'the input length exceeds the context length' }, 'contextOverflow'],
  [
    'xAI, a long request',
    400,
    { error: "This model's maximum prompt length is 131072 but the request contains 200000 tokens." },
    'contextOverflow',
  ],
  [
    'OpenAI, a wrong key',
    401,
    { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } },
    'unauthorized',
  ],
  [
    'Gemini, a wrong key',
    400,
    {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: 'API key not valid. Please pass a valid API key.',
        details: [{ reason: 'API_KEY_INVALID' }],
      },
    },
    'unauthorized',
  ],
  [
    'Anthropic, no permission',
    403,
    { type: 'error', error: { type: 'permission_error', message: 'Your key may not use it' } },
    'unauthorized',
  ],
  [
    'OpenAI, no such model',
    404,
    { error: { message: 'The model `gpt-9` does not exist', code: 'model_not_found' } },
    'notFound',
  ],
  [
    'Ollama, no such model',
    404,
    { error: { message: 'model "llama9" not found, try pulling it first', type: 'api_error' } },
    'notFound',
  ],
  ['another server', 404, '<html>Not here</html>', 'notFound'],
  [
    'OpenAI, too many requests',
    429,
    { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } },
    'rateLimited',
  ],
  [
    'Anthropic, overloaded',
    529,
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    'rateLimited',
  ],
  [
    'Anthropic, overloaded in the middle',
    undefined,
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    'rateLimited',
  ],
  [
    'Anthropic, no credit',
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low' } },
    'rateLimited',
  ],
  ['OpenRouter, no credit', 402, { error: { code: 402, message: 'Insufficient credits' } }, 'rateLimited'],
  [
    'Gemini, overloaded',
    503,
    { error: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' } },
    'rateLimited',
  ],
  ['Azure, its filter', 400, { error: { code: 'content_filter', message: 'The response was filtered' } }, 'refused'],
  [
    'OpenAI, its policy',
    400,
    {
      error: { code: 'invalid_prompt', message: 'Your prompt was flagged as potentially violating our usage policy.' },
    },
    'refused',
  ],
  [
    'OpenRouter, moderation',
    403,
    { error: { code: 403, message: 'Your input was flagged', metadata: { reasons: ['hate'] } } },
    'refused',
  ],
  [
    'Ollama, no tools',
    400,
    { error: { message: 'registry.ollama.ai/library/llava does not support tools' } },
    'unsupported',
  ],
  [
    'llama.cpp, no images',
    500,
    { error: { code: 500, message: 'image input is not supported - hint: you may need to provide the mmproj' } },
    'unsupported',
  ],
  [
    'OpenRouter, no images',
    404,
    { error: { message: 'No endpoints found that support image input', code: 404 } },
    'unsupported',
  ],
  ['a server, out of order', 500, { error: { message: 'Internal error' } }, 'failed'],
  ['a server, another request', 400, { detail: 'stop: too many' }, 'failed'],
  [
    'a failed response',
    undefined,
    { type: 'response.failed', response: { error: { code: 'server_error', message: 'An error' } } },
    'failed',
  ],
  ['nothing', 500, '', 'failed'],
];

describe('what a provider says instead of an answer', () => {
  it.each(answers)('means what it says: %s', (_name, status, body, kind) => {
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
    ['ENOTFOUND', 'unreachable', 'cannot be reached (ENOTFOUND): is its address right'],
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
