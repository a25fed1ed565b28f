import { describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../src/base/clock.ts';
import { CancelledError } from '../../../src/base/errors.ts';
import { modelLimits } from '../../../src/base/modelLimits.ts';
import { findLocalModelServers, type LocalPort } from '../../../src/models/localServers.ts';
import { serve } from '../http/httpHarness.ts';
import { createClient, failure, list, startEndpoint } from './modelHarness.ts';

/** A server that answers each path with a body, or a status. */
async function startLister(
  answers: (path: string) => unknown,
): Promise<{ readonly origin: string; readonly port: number; readonly paths: () => string[] }> {
  const server = await serve(({ path }, response) => {
    const answer = answers(path);
    const isStatus = typeof answer === 'number';
    response.writeHead(isStatus ? answer : 200, { 'content-type': 'application/json' });
    response.end(isStatus ? '' : typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  return { origin: server.origin, port: server.port, paths: () => server.requests.map(({ path }) => path) };
}

describe('the models of a provider', () => {
  it('have the price, the context and the abilities that OpenRouter says', async () => {
    const entry = {
      id: 'openai/gpt-4o-mini',
      name: 'OpenAI: GPT-4o-mini',
      context_length: 128_000,
      architecture: { input_modalities: ['text', 'image'] },
      supported_parameters: ['tools', 'temperature'],
      pricing: { prompt: '0.00000015', completion: '0.0000006' },
    };
    const router = { id: 'openrouter/auto', pricing: { prompt: '-1', completion: '-1' }, context_length: 'much' };
    const { origin } = await startLister(() => ({ data: [entry, router, { name: 'no id' }, 7] }));
    expect(await list(origin, 'openai-chat')).toEqual([
      {
        id: 'openai/gpt-4o-mini',
        name: 'OpenAI: GPT-4o-mini',
        contextTokens: 128_000,
        abilities: { image: true, audio: false, tools: true },
        price: { input: 0.15, output: 0.6 },
      },
      { id: 'openrouter/auto' },
    ]);
  });

  it('come in pages from Anthropic, with its headers', async () => {
    const server = await serve(({ path, headers }, response) => {
      const isFirst = !path.includes('after_id');
      const more = isFirst ? {} : { max_input_tokens: 200_000, capabilities: { image_input: { supported: true } } };
      const data = [{ type: 'model', id: isFirst ? 'one' : 'two', display_name: isFirst ? 'One' : 'Two', ...more }];
      const isAllowed = headers['x-api-key'] === 'key' && headers['anthropic-version'] === '2023-06-01';
      response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data, has_more: isFirst, last_id: data[0]?.id }));
    });
    expect(await list(server.origin, 'anthropic', 'key')).toEqual([
      { id: 'one', name: 'One' },
      { id: 'two', name: 'Two', contextTokens: 200_000, abilities: { image: true } },
    ]);
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/v1/models?limit=1000',
      '/v1/models?limit=1000&after_id=one',
    ]);
  });

  it('are those of Gemini that generate content', async () => {
    const models = [
      {
        name: 'models/gemini-2.5-flash',
        displayName: 'Gemini 2.5 Flash',
        inputTokenLimit: 1_048_576,
        supportedGenerationMethods: ['generateContent'],
      },
      { name: 'models/embedding-001', supportedGenerationMethods: ['embedContent'] },
    ];
    const { origin } = await startLister(() => ({ models }));
    expect(await list(origin, 'gemini', 'key')).toEqual([
      { id: 'gemini-2.5-flash', name: 'Gemini 2.5 Flash', contextTokens: 1_048_576 },
    ]);
  });

  it('are bounded in number and in pages', async () => {
    const data = Array.from({ length: modelLimits.list.models + 5 }, (_, index) => ({ id: `model-${index}` }));
    const many = await startLister(() => ({ data }));
    expect(await list(many.origin, 'openai-chat')).toHaveLength(modelLimits.list.models);
    const endless = await startLister(() => ({ data: [{ id: 'one' }], has_more: true, last_id: 'one' }));
    expect(await list(endless.origin, 'anthropic')).toEqual([{ id: 'one' }]);
    expect(endless.paths()).toHaveLength(modelLimits.list.pages);
  });

  it('are not read from more bytes than a list has', async () => {
    const padding = 'x'.repeat(modelLimits.list.message.bytes);
    const { origin } = await startLister(() => ({ data: [{ id: 'one', padding }] }));
    expect((await failure(list(origin, 'openai-chat'))).message).toContain('does not list models: check the address.');
  });

  it.each([
    [401, 'unauthorized', 'wants a key: add one.'],
    [404, 'notFound', 'There is nothing at'],
    [429, 'rateLimited', 'Try again later.'],
    [302, 'failed', 'redirects elsewhere'],
  ] as const)('are not listed with status %i', async (status, kind, words) => {
    const { origin } = await startLister(() => status);
    expect(await failure(list(origin, 'openai-chat'))).toMatchObject({
      kind,
      message: expect.stringContaining(words) as string,
    });
  });

  it('are not listed by a page, or where nothing is', async () => {
    const { origin } = await startLister(() => '<html>Welcome</html>');
    expect((await failure(list(origin, 'openai-chat'))).kind).toBe('failed');
    const gone = await startEndpoint({ answers: [] });
    await gone.stop();
    expect((await failure(list(gone.origin, 'gemini'))).kind).toBe('unreachable');
  });
});

describe('programs on this machine that run models', () => {
  const find = (ports: readonly LocalPort[], signal = new AbortController().signal) =>
    findLocalModelServers({ http: createClient(), clock: createSystemClock(), signal }, ports);

  it('are found by their lists of models', async () => {
    const listOf = (owner: string) => ({ object: 'list', data: [{ id: 'qwen3', object: 'model', owned_by: owner }] });
    const ollama = await startEndpoint({ models: ['llama3.2:latest'], answers: [] });
    const llama = await startLister(() => listOf('llamacpp'));
    const vllm = await startLister(() => listOf('vllm'));
    const studio = await startLister(() => listOf('organization_owner'));
    const found = await find([
      { port: ollama.port, program: 'Ollama' },
      { port: studio.port, program: 'LM Studio' },
      { port: llama.port, program: 'llama.cpp' },
      { port: vllm.port, program: 'vLLM' },
    ]);
    expect(found).toEqual([
      { name: 'Ollama', baseUrl: `${ollama.origin}/v1`, models: [{ id: 'llama3.2:latest' }] },
      { name: 'LM Studio', baseUrl: `${studio.origin}/v1`, models: [{ id: 'qwen3' }] },
      { name: 'llama.cpp', baseUrl: `${llama.origin}/v1`, models: [{ id: 'qwen3' }] },
      { name: 'vLLM', baseUrl: `${vllm.origin}/v1`, models: [{ id: 'qwen3' }] },
    ]);
  });

  it('are not other servers, nor servers that do not answer', async () => {
    const page = await startLister(() => '<html>Jenkins</html>');
    const other = await startLister(() => ({ object: 'list', data: [{ id: 'a', object: 'user' }] }));
    const error = await startLister(() => 404);
    const silent = await serve(() => {});
    const gone = await startEndpoint({ answers: [] });
    await gone.stop();
    const ports = [page, other, error, silent, gone].map(({ port }) => ({ port, program: 'llama.cpp' as const }));
    expect(await find(ports)).toEqual([]);
  });

  it('with another mark than expected have no name', async () => {
    const { port } = await startLister((path) => (path === '/v1/models' ? { object: 'list', data: null } : 404));
    expect(await find([{ port, program: 'Ollama' }])).toMatchObject([
      { name: `Model server on port ${port}`, models: [] },
    ]);
  });

  it('are not looked for any more when the search is cancelled', async () => {
    const silent = await serve(() => {});
    const controller = new AbortController();
    const searching = find([{ port: silent.port, program: 'vLLM' }], controller.signal);
    const reason = new CancelledError();
    controller.abort(reason);
    await expect(searching).rejects.toBe(reason);
  });
});
