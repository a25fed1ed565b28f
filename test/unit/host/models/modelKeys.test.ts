import { beforeEach, describe, expect, it } from 'vitest';
import { createModelKeys, type ModelKeys } from '../../../../src/host/models/modelKeys.ts';
import { sampleSecrets } from '../sampleState.ts';

let secrets: Map<string, string>;
let keys: ModelKeys;

beforeEach(() => {
  secrets = new Map();
  keys = createModelKeys(sampleSecrets(secrets));
});

const gpt = { id: 'gpt', name: 'GPT', baseUrl: 'https://api.openai.com/v1' };

describe('the key of a model', () => {
  it('is read for its id and the origin of its address, whatever the path is', async () => {
    await keys.save(gpt, ' sk-1 ');
    expect(await keys.read(gpt)).toBe('sk-1');
    expect(await keys.read({ ...gpt, baseUrl: 'https://api.openai.com/v2' })).toBe('sk-1');
    expect(await keys.read({ ...gpt, id: 'other' })).toBeUndefined();
  });

  it.each(['https://evil.example/v1', 'http://api.openai.com/v1', 'https://api.openai.com:8443/v1'])(
    'does not go to %s, where a changed setting would send it',
    async (baseUrl) => {
      await keys.save(gpt, 'sk-1');
      await expect(keys.read({ ...gpt, baseUrl })).rejects.toThrow(
        /^The key of “GPT” was entered for https:\/\/api\.openai\.com, but .* enter the key again with Manage Models…\.$/,
      );
      expect(await keys.has({ ...gpt, baseUrl })).toBe(false);
      expect(await keys.has(gpt)).toBe(true);
    },
  );

  it('is not kept where it would be sent unencrypted to another machine', async () => {
    const plain = { ...gpt, baseUrl: 'http://192.168.0.2:8000/v1' };
    await expect(keys.save(plain, 'sk-1')).rejects.toThrow(
      /^No key is sent to 192\.168\.0\.2:8000: .* Use https:\/\/\.$/,
    );
    expect(secrets.size).toBe(0);
    await keys.save({ ...gpt, baseUrl: 'http://127.0.0.1:8000/v1' }, 'sk-1');
    expect(secrets.size).toBe(1);
  });

  it('is not read from a store that has it for such an address', async () => {
    const plain = { ...gpt, baseUrl: 'http://192.168.0.2:8000/v1' };
    secrets.set('patchbay.model:gpt', JSON.stringify({ origin: 'http://192.168.0.2:8000', key: 'sk-1' }));
    await expect(keys.read(plain)).rejects.toThrow('enter the key again');
  });

  it('is removed with the model, by an empty key, and replaced by that for another address', async () => {
    await keys.save(gpt, 'sk-1');
    await keys.save({ ...gpt, baseUrl: 'https://b.example' }, 'sk-2');
    expect([...secrets.values()].join()).not.toContain('sk-1');
    await keys.save(gpt, '');
    expect(secrets.size).toBe(0);
    await keys.save(gpt, 'sk-1');
    const keepAgain = await keys.remove('gpt');
    expect(secrets.size).toBe(0);
    expect(await keys.has(gpt)).toBe(false);
    await keepAgain();
    expect(await keys.read(gpt)).toBe('sk-1');
    const tooLate = await keys.remove('gpt');
    await keys.save(gpt, 'sk-2');
    await tooLate();
    expect(await keys.read(gpt)).toBe('sk-2');
  });

  it('is none where something else is stored', async () => {
    secrets.set('patchbay.model:gpt', 'sk-1');
    expect(await keys.read(gpt)).toBeUndefined();
  });
});
