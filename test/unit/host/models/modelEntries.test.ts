import { describe, expect, it } from 'vitest';
import {
  addressProblem,
  createModelId,
  isLocalAddress,
  mayCarryKey,
  normalAddress,
  readModelEntries,
  uniqueModelName,
} from '../../../../src/host/models/modelEntries.ts';

const entry = { id: 'a', name: 'A', api: 'openai-chat', baseUrl: 'http://127.0.0.1:11434/v1/', model: 'llama3.2' };

describe('the setting patchbay.models', () => {
  it('is read with all members, and without the slash at the end of an address', () => {
    const whole = {
      ...entry,
      contextTokens: 8_192,
      price: { input: 0.15, output: 0.6 },
      abilities: { image: true, tools: false },
    };
    expect(readModelEntries([whole])).toEqual({
      connections: [{ ...whole, baseUrl: 'http://127.0.0.1:11434/v1' }],
      problems: [],
    });
    expect(readModelEntries(undefined)).toEqual({ connections: [], problems: [] });
  });

  it.each([
    ['a text', 'must be an object'],
    [{ ...entry, id: '' }, 'its "id" must not be empty'],
    [{ ...entry, id: 'x'.repeat(101) }, 'its "id" must have at most 100 characters'],
    [{ ...entry, name: 3 }, 'its "name" must be a text'],
    [{ ...entry, name: 'A\u202eB' }, 'its "name" must have no hidden characters'],
    [{ ...entry, api: 'openai' }, 'its "api" must be one of openai-chat, openai-responses, anthropic, gemini'],
    [{ ...entry, model: undefined }, 'its "model" must be a text'],
    [{ ...entry, baseUrl: 'ftp://a.example' }, 'its "baseUrl" must start with "https://" or "http://"'],
    [{ ...entry, contextTokens: 0.5 }, 'its "contextTokens" must be a whole number'],
    [{ ...entry, price: { input: -1, output: 0 } }, 'its "price" must have'],
    [{ ...entry, price: { input: 1 } }, 'its "price" must have'],
    [{ ...entry, price: { input: 1, output: 1, currency: 'EUR' } }, 'its "price" must have'],
    [{ ...entry, abilities: { image: 'yes' } }, 'its "abilities" may have image, audio, tools'],
    [{ ...entry, abilities: { video: true } }, 'its "abilities" may have image, audio, tools'],
    [{ ...entry, temperature: 1 }, '"temperature" is not a known key.'],
    [{ ...entry, apiKey: 'sk-1' }, '"apiKey" is not a known key; keys are kept in the secret storage'],
  ])('leaves out %j, and says why', (bad, reason) => {
    const { connections, problems } = readModelEntries([bad, { ...entry, id: 'b' }]);
    expect(connections.map(({ id }) => id)).toEqual(['b']);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^Entry 1 of patchbay\.models/);
    expect(problems[0]).toContain(reason);
    expect(problems[0]).not.toContain('sk-1');
  });

  it('leaves out the second entry of an id, and what is no list', () => {
    const { connections, problems } = readModelEntries([entry, { ...entry, name: 'B' }]);
    expect(connections.map(({ name }) => name)).toEqual(['A']);
    expect(problems).toEqual(['Entry 2 of patchbay.models (“B”) is left out: another entry has the same "id".']);
    expect(readModelEntries({ 0: entry }).problems).toEqual(['patchbay.models is ignored: it must be a list.']);
  });

  it('has a bounded number of entries', () => {
    const many = Array.from({ length: 205 }, (_, index) => ({ ...entry, id: String(index) }));
    const { connections, problems } = readModelEntries(many);
    expect(connections).toHaveLength(200);
    expect(problems).toEqual(['patchbay.models has 205 entries: only the first 200 are used.']);
  });
});

describe('the address of an endpoint', () => {
  it.each(['https://api.openai.com/v1', 'http://[::1]:8080', 'HTTPS://a.example/x/', 'http://localhost:1234/v1'])(
    'may be %s',
    (text) => expect(addressProblem(text)).toBeUndefined(),
  );

  it.each([
    ['api.openai.com', 'must start with'],
    ['https:api.openai.com', 'must start with'],
    ['https://', 'must start with'],
    ['javascript:alert(1)', 'must start with'],
    ['https://key@a.example/v1', 'no user and password'],
    ['https://@a.example/v1', 'no user and password'],
    ['https://a.example/v1?key=1', 'must end with its path'],
    ['https://a.example/v1?', 'must end with its path'],
    ['https://a.example/v1#x', 'must end with its path'],
    ['https://a.example\\@b.example/', 'no user and password'],
    ['https://a.example\\v1', 'no "?", "#" or backslash'],
    [' https://a.example', 'must start with'],
    ['https://a.example/ v1', 'no spaces or hidden'],
    ['https://a.example/\u200b', 'no spaces or hidden'],
    [`https://a.example/${'x'.repeat(2_000)}`, 'at most 2000'],
  ])('is not %s', (text, reason) => expect(addressProblem(text)).toContain(reason));

  it('is kept without a slash at its end', () => {
    expect(normalAddress('HTTPS://A.example:443/v1//')).toBe('https://a.example/v1');
    expect(normalAddress('http://127.0.0.1:80/')).toBe('http://127.0.0.1');
  });

  it('gets a key on this machine, or encrypted, and nowhere else', () => {
    expect(
      ['http://127.0.0.1:1/v1', 'http://localhost', 'http://[::1]:1', 'https://a.example'].map(mayCarryKey),
    ).toEqual(Array(4).fill(true));
    expect(['http://a.example', 'http://192.168.0.2', 'http://127.0.0.1.a.example'].map(mayCarryKey)).toEqual(
      Array(3).fill(false),
    );
    expect(isLocalAddress('https://localhost.a.example')).toBe(false);
  });
});

it('makes ids and names that no other model has', () => {
  expect(createModelId('Llama 3.2 (ä)', [])).toBe('llama-3.2');
  expect(createModelId('Llama 3.2', ['llama-3.2', 'llama-3.2-2'])).toBe('llama-3.2-3');
  expect(createModelId('日本', [])).toBe('model');
  expect(createModelId('x'.repeat(500), []).length).toBeLessThanOrEqual(100);
  expect(uniqueModelName('gpt', 'a.example', [])).toBe('gpt');
  expect(uniqueModelName('gpt', 'a.example', ['gpt'])).toBe('gpt (a.example)');
  expect(uniqueModelName('gpt', 'a.example', ['gpt', 'gpt (a.example)'])).toBe('gpt (a.example) 2');
  expect(uniqueModelName('x'.repeat(1_000), 'h'.repeat(300), ['x'.repeat(1_000)]).length).toBeLessThanOrEqual(100);
});
