import { beforeEach, describe, expect, it } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import { manageModels } from '../../../../src/host/models/manageModels.ts';
import { createSetup } from './setUp.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { unhurried } from '../../../fixtures/unhurried.ts';
import { editor } from '../../../fixtures/vscode.ts';

beforeEach(unhurried);

const local = {
  id: 'llama',
  name: 'Llama',
  api: 'openai-chat',
  baseUrl: 'http://127.0.0.1:11434/v1',
  model: 'llama3.2',
  price: { input: 0, output: 0 },
};
const remote = {
  ...local,
  id: 'gpt',
  name: 'GPT',
  baseUrl: 'https://api.openai.com/v1',
  price: { input: 2.5, output: 10 },
};
const plain = { ...local, id: 'lan', name: 'LAN', baseUrl: 'http://192.168.0.2:8000/v1', price: undefined };

async function manage(...[deeds, endpoints, before = [local, remote]]: Parameters<typeof createSetup>) {
  const made = createSetup(deeds, endpoints, before);
  await made.setup.keys.save(remote, 'sk-1');
  await expect(manageModels(made.setup)).rejects.toThrow(CancelledError);
  return made;
}

describe('Manage Models', () => {
  it('lists where each model is, what it costs, and whether there is a key; and what is wrong', async () => {
    const { asked } = await manage(['escape'], {}, [{ id: 'x' }, local, remote]);
    expect(asked[0]?.rows).toMatchObject([
      { label: 'Open Settings', detail: expect.stringContaining('Entry 1 of patchbay.models (“x”) is left out') },
      { label: 'Llama', detail: 'llama3.2, at 127.0.0.1:11434, no cost, without a key' },
      { label: 'GPT', detail: 'llama3.2, at api.openai.com, $2.50 in, $10.00 out per million tokens, with a key' },
      { label: 'Add Model…' },
    ]);
  });

  it('offers to add the first model', async () => {
    const { asked } = await manage(['Add Model…', 'escape'], {}, []);
    expect(asked[0]).toMatchObject({
      placeholder: expect.stringMatching(/^No models are set up/),
      rows: [{ label: 'Add Model…' }],
    });
    expect(asked[1]?.title).toBe('Add Model');
  });

  it('tests a model with its key, after it said what is sent, and comes back to the list', async () => {
    const { asked, used } = await manage(['GPT', 'Test', 'OK', 'escape']);
    expect(asked[1]?.rows?.[0]).toMatchObject({
      label: 'Test',
      detail: expect.stringContaining('is sent to api.openai.com'),
    });
    expect(used.test.mock.calls[0]?.slice(0, 2)).toEqual([remote, 'sk-1']);
    expect(asked[2]?.rows?.[0]?.detail).toBe('Answered “ready” in 0.8 s; 1,200 + 2 tokens; $0.00302');
    expect(asked[3]?.title).toBe('Manage Models');
  });

  it('does not test a model whose address has changed, with the key for another one', async () => {
    const moved = { ...remote, baseUrl: 'https://evil.example' };
    const { asked, used } = await manage(['GPT', 'Test', 'Close', 'escape'], {}, [moved]);
    expect(asked[2]?.placeholder).toContain('enter the key again');
    expect(used.test).not.toHaveBeenCalled();
  });

  it('changes the key, the name and the price', async () => {
    const { stored, asked } = await manage([
      'GPT',
      'Change Key…',
      'sk-2',
      'GPT',
      'Change Price…',
      '',
      'GPT',
      'Rename…',
      'Llama',
      ' ',
      'Big',
      'escape',
    ]);
    const { price: _price, ...rest } = remote;
    expect(stored.entries).toEqual([local, { ...rest, name: 'Big' }]);
    expect([...stored.secrets.values()]).toEqual(['{"origin":"https://api.openai.com","key":"sk-2"}']);
    expect(asked[8]?.refusals).toEqual(['Another model has this name.', 'The name must not be empty.']);
  });

  it('takes no key for an address where others could read it', async () => {
    const { asked, stored } = await manage(['LAN', 'Change Key…', 'sk-9', 'back', 'escape'], {}, [plain]);
    expect(asked[2]?.refusals).toEqual([expect.stringMatching(/^No key is sent to 192\.168\.0\.2:8000/)]);
    expect([...stored.secrets.values()].join()).not.toContain('sk-9');
  });

  it('removes a model and its key without a question', async () => {
    const { stored, asked } = await manage(['GPT', 'Remove', 'escape']);
    expect(asked[2]?.rows?.map(({ label }) => label)).not.toContain('GPT');
    expect(editor.questions).toMatchObject([{ text: 'Removed the model “GPT”.', buttons: ['Undo'] }]);
    expect(stored.entries).toEqual([local]);
    expect(stored.secrets.size).toBe(0);
  });

  it('brings a removed model back with its key', async () => {
    editor.answer = 'Undo';
    const { stored, setup } = await manage(['GPT', 'Remove', 'escape']);
    await settle();
    expect(stored.entries).toEqual([local, remote]);
    expect(await setup.keys.read(remote)).toBe('sk-1');
  });

  it('opens the settings where an entry is wrong', async () => {
    const made = createSetup(['Open Settings'], {}, [{ id: 'x' }]);
    await manageModels(made.setup);
    expect(editor.executed).toEqual([
      ['workbench.action.openSettingsJson', { revealSetting: { key: 'patchbay.models' } }],
    ]);
  });
});
