import { describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../src/base/clock.ts';
import { CancelledError } from '../../../src/base/errors.ts';
import { createModelEndpoints, type ModelEndpoints } from '../../../src/host/models/modelEndpoints.ts';
import { describeTest } from '../../../src/host/models/modelText.ts';
import { modelApis } from '../../../src/models/modelGateway.ts';
import { connectionTo, createClient, startEndpoint } from './modelHarness.ts';

const { signal } = new AbortController();

function createEndpoints(): ModelEndpoints {
  return createModelEndpoints(createClient(), createSystemClock());
}

describe.each(modelApis)('the test of a model behind %s', (api) => {
  it('sends one short question with the key, and shows the answer, its tokens and its cost', async () => {
    const endpoint = await startEndpoint({ key: 'sk-1', answers: [{ pieces: ['rea', 'dy'] }] });
    const price = { input: 10, output: 100 };
    const test = await createEndpoints().test(connectionTo(endpoint.origin, api), 'sk-1', signal);
    expect(describeTest(test, price)).toMatch(/^Answered “ready” in \d+\.\d s; 11 \+ 7 tokens; \$0\.00081$/);
    expect(endpoint.requests).toHaveLength(1);
    const [request] = endpoint.requests;
    expect(JSON.stringify(request?.body)).toContain('Answer with the single word: ready');
    expect(JSON.stringify(request?.body)).toMatch(/"max(?:_output|_completion|Output)?_?[tT]okens":16\b/);
  });

  it('says why there is no answer', async () => {
    const endpoint = await startEndpoint({ key: 'sk-1', answers: [{ pieces: ['ready'] }] });
    const test = await createEndpoints().test(connectionTo(endpoint.origin, api), 'sk-2', signal);
    expect(test).toMatchObject({ kind: 'failed', message: expect.stringMatching(/does not accept the key/) });
    expect(describeTest(test, undefined)).not.toContain('sk-2');
  });
});

describe('what is asked while a model is set up', () => {
  it('is the list of a provider, with the key', async () => {
    const endpoint = await startEndpoint({ key: 'sk-1', models: ['a', 'b'], answers: [{ pieces: [] }] });
    const connection = connectionTo(endpoint.origin, 'openai-chat');
    expect((await createEndpoints().list(connection, 'sk-1', signal)).map(({ id }) => id)).toEqual(['a', 'b']);
    await expect(createEndpoints().list(connection, undefined, signal)).rejects.toThrow('wants a key');
  });

  it('ends when the person dismisses the question', async () => {
    const endpoint = await startEndpoint({ answers: [{ pieces: ['ready'], fault: 'silent' }] });
    const abort = new AbortController();
    const test = createEndpoints().test(connectionTo(endpoint.origin, 'openai-chat'), undefined, abort.signal);
    await expect.poll(() => endpoint.requests.length).toBe(1);
    abort.abort(new CancelledError());
    await expect(test).rejects.toThrow(CancelledError);
    await endpoint.requests[0]?.closed;
  });
});
