import { describe, expect, it, vi } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import { addModel } from '../../../../src/host/models/addModel.ts';
import { ModelError } from '../../../../src/models/modelGateway.ts';
import { createSetup } from './setUp.ts';
import { editor } from '../../../fixtures/vscode.ts';

const ollama = { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: [{ id: 'llama3.2' }] };
const openai = 'OpenAI (Chat completions)';
const other = 'Another OpenAI-Compatible Address…';
const byName = 'Enter the Name of the Model…';

describe('Add Model', () => {
  it('finds a model on this computer, tests it, and saves it without key and without cost', async () => {
    const { setup, stored, asked, used } = createSetup(
      ['Look for Models on This Computer', 'Ollama', 'llama3.2', 'Test', 'Save'],
      { findLocal: () => Promise.resolve([ollama]) },
    );
    await addModel(setup);
    const connection = {
      id: 'llama3.2',
      name: 'llama3.2',
      api: 'openai-chat',
      baseUrl: 'http://127.0.0.1:11434/v1',
      model: 'llama3.2',
      price: { input: 0, output: 0 },
    };
    expect(stored.entries).toEqual([connection]);
    expect(stored.secrets.size).toBe(0);
    expect(used.test).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining(connection),
      undefined,
      expect.anything(),
    );
    expect(asked[0]?.rows?.[0]?.detail).toContain('Ollama (11434), LM Studio (1234), llama.cpp (8080), vLLM (8000)');
    expect(asked[3]?.placeholder).toBe(
      'One short question is sent to 127.0.0.1:11434, for an answer of at most 16 tokens',
    );
    expect(asked[4]?.rows?.[0]?.detail).toBe('Answered “ready” in 0.8 s; 1,200 + 2 tokens; no cost');
    expect(editor.said).toEqual(['“llama3.2” can now answer requests of servers, after you approve each.']);
  });

  it('says what to start where nothing is found, and looks again', async () => {
    const findLocal = vi.fn(() => Promise.resolve([ollama])).mockResolvedValueOnce([]);
    const { setup, asked, used } = createSetup(['Look for Models on This Computer', 'Look Again', 'escape'], {
      findLocal,
    });
    await expect(addModel(setup)).rejects.toThrow(CancelledError);
    expect(asked[1]?.placeholder).toMatch(/^Nothing found\. Start Ollama/);
    expect(asked[2]?.rows?.map(({ label }) => label)).toEqual(['Ollama', 'Look Again']);
    expect(used.findLocal).toHaveBeenCalledTimes(2);
  });

  it('asks a provider for its models with the key, for the price if it is not known, and saves the key at the end', async () => {
    const models = [
      { id: 'gpt-4o', contextTokens: 128_000 },
      { id: 'free', price: { input: 0, output: 0 } },
    ];
    const { setup, stored, asked, used } = createSetup(
      [openai, '', 'a key', 'sk-1', 'gpt-4o', '1,5', 'x', '2.5, 10', 'Save Without Test'],
      { list: () => Promise.resolve(models) },
    );
    await addModel(setup);
    expect(stored.entries).toEqual([
      {
        id: 'gpt-4o',
        name: 'gpt-4o',
        api: 'openai-chat',
        baseUrl: 'https://api.openai.com/v1',
        model: 'gpt-4o',
        contextTokens: 128_000,
        price: { input: 2.5, output: 10 },
      },
    ]);
    expect([...stored.secrets]).toEqual([
      ['patchbay.model:gpt-4o', '{"origin":"https://api.openai.com","key":"sk-1"}'],
    ]);
    expect(used.list).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ baseUrl: 'https://api.openai.com/v1', api: 'openai-chat' }),
      'sk-1',
      expect.anything(),
    );
    expect(used.test).not.toHaveBeenCalled();
    expect(asked[1]?.refusals).toEqual(['A key is needed.', expect.stringMatching(/^A key contains only/)]);
    expect(asked[2]?.rows?.map(({ description }) => description)).toEqual(['128,000 tokens', 'no cost', undefined]);
    expect(asked[3]?.refusals).toHaveLength(2);
  });

  it('takes the name of a model where the list cannot be read, and says why', async () => {
    const list = () => Promise.reject(new ModelError('notFound', 'There is nothing at a.example.'));
    const { setup, stored, asked } = createSetup(
      [other, 'a.example', 'https://a.example/v1/', '', byName, 'my model', '', 'Save Without Test'],
      { list },
    );
    await addModel(setup);
    expect(asked[3]).toMatchObject({
      placeholder: 'The models cannot be listed',
      rows: [{ label: 'Enter the Name of the Model…', detail: 'There is nothing at a.example.' }],
    });
    expect(stored.entries).toMatchObject([{ id: 'my-model', baseUrl: 'https://a.example/v1', model: 'my model' }]);
    expect(stored.entries[0]).not.toHaveProperty('price');
    expect(stored.secrets.size).toBe(0);
  });

  it('asks for no key where others could read it', async () => {
    const { setup, asked, used } = createSetup([other, 'http://192.168.0.2:8000/v1', 'escape']);
    await expect(addModel(setup)).rejects.toThrow(CancelledError);
    expect(asked.map(({ title }) => title)).toEqual(['Add Model', 'Add Model: Address', 'Add Model: Model']);
    expect(used.list.mock.calls[0]?.[1]).toBeUndefined();
  });

  it('sends a key that was entered for one address to no other', async () => {
    const { setup, used } = createSetup([
      other,
      'https://a.example',
      'sk-1',
      'back',
      'back',
      'https://b.example',
      '',
      'back',
      'back',
      'back',
      openai,
      'escape',
    ]);
    await expect(addModel(setup)).rejects.toThrow(CancelledError);
    expect(used.list.mock.calls.map(([{ baseUrl }, key]) => [baseUrl, key])).toEqual([
      ['https://a.example', 'sk-1'],
      ['https://b.example', undefined],
    ]);
  });

  it('offers another try, a change or to save after a test that failed', async () => {
    const failed = { kind: 'failed', message: 'OpenAI does not accept the key.' } as const;
    const test = vi.fn(() => Promise.resolve(failed));
    const price = { input: 1, output: 2 };
    const { setup, stored, asked } = createSetup(
      [openai, 'sk-1', 'gpt-4o', 'Test', 'Try Again', 'Edit', 'sk-2', 'gpt-4o', 'Test', 'Save Anyway'],
      { test, list: () => Promise.resolve([{ id: 'gpt-4o', price }]) },
    );
    await addModel(setup);
    expect(asked[4]).toMatchObject({
      placeholder: 'OpenAI does not accept the key.',
      rows: [{ label: 'Try Again' }, { label: 'Edit' }, { label: 'Save Anyway' }, { label: 'Cancel' }],
    });
    expect(asked[6]).toMatchObject({ title: 'Add Model: Key', value: 'sk-1' });
    expect(test).toHaveBeenCalledTimes(3);
    expect(stored.entries).toMatchObject([{ price }]);
    expect([...stored.secrets.values()].join()).toContain('sk-2');
  });

  it.each(['escape', 'Cancel'] as const)('leaves nothing after %j at the last question', async (last) => {
    const { setup, stored } = createSetup([openai, 'sk-1', 'm', last], {
      list: () => Promise.resolve([{ id: 'm', price: { input: 1, output: 1 } }]),
    });
    await expect(addModel(setup)).rejects.toThrow(CancelledError);
    expect(stored.entries).toEqual([]);
    expect(stored.secrets.size).toBe(0);
    expect(editor.said).toEqual([]);
  });

  it('leaves no key where the settings cannot be written', async () => {
    const { setup, stored } = createSetup([openai, 'sk-1', 'm', 'Save Without Test'], {
      list: () => Promise.resolve([{ id: 'm', price: { input: 1, output: 1 } }]),
    });
    const add = () => Promise.reject(new Error('settings.json has errors'));
    await expect(addModel({ ...setup, settings: { ...setup.settings, add } })).rejects.toThrow(
      'settings.json has errors',
    );
    expect(stored.secrets.size).toBe(0);
  });

  it('does not trust what an endpoint says of its models', async () => {
    const hostile = [
      { id: 'evil\u202e' },
      { id: ' spaces ' },
      { id: 'x'.repeat(1_001) },
      { id: 'ok', name: `N\u200b${'ame'.repeat(1_000)}`, price: { input: -5, output: Number.NaN } },
    ];
    const { setup, stored, asked } = createSetup([openai, 'sk-1', hostile[3]?.name ?? '', 'Save Without Test'], {
      list: () => Promise.resolve(hostile),
    });
    await addModel(setup);
    expect(asked[2]?.rows).toHaveLength(2);
    expect(setup.settings.read()).toMatchObject({ problems: [], connections: [{ model: 'ok' }] });
    expect(stored.entries[0]).toHaveProperty('name', expect.stringMatching(/^N⟨U\+200B⟩ame.{1,90}…$/));
    expect(stored.entries[0]).not.toHaveProperty('price');
  });

  it('gives each model an id and a name of its own', async () => {
    const deeds = [openai, 'sk-1', 'm', 'Save Without Test'];
    const before = [{ id: 'm', name: 'm', api: 'gemini', baseUrl: 'https://b.example', model: 'm' }];
    const { setup, stored } = createSetup(
      deeds,
      { list: () => Promise.resolve([{ id: 'm', price: { input: 1, output: 1 } }]) },
      before,
    );
    await addModel(setup);
    expect(stored.entries).toMatchObject([{ id: 'm' }, { id: 'm-api.openai.com', name: 'm (api.openai.com)' }]);
  });
});
