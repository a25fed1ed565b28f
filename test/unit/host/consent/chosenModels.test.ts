import { describe, expect, it } from 'vitest';
import { createChosenModels } from '../../../../src/host/consent/chosenModels.ts';
import { sampleState } from '../sampleState.ts';

const stored = (models: unknown) => sampleState({ 'patchbay.chosenModels': models });

const who = (server: string): string => server;

describe('the models chosen for servers', () => {
  it('are there in the next window, and can be forgotten', () => {
    const memento = sampleState();
    const models = createChosenModels(memento, who);
    let changes = 0;
    models.onDidChange(() => (changes += 1));
    models.remember('demo', 'ollama/a');
    models.remember('__proto__', 'b');
    models.remember('demo', 'ollama/a');
    expect(changes).toBe(2);
    const next = createChosenModels(memento, who);
    expect([next.get('demo'), next.get('__proto__'), next.get('toString')]).toEqual(['ollama/a', 'b', undefined]);
    next.forget('demo');
    expect(next.all).toEqual([{ server: '__proto__', model: 'b' }]);
  });

  it('are not suggested for another server with the label, and come back with the first one', () => {
    const identities = new Map([['demo', 'a']]);
    const models = createChosenModels(sampleState(), (server) => identities.get(server));
    models.remember('demo', 'm');
    identities.set('demo', 'b');
    expect(models.get('demo')).toBeUndefined();
    identities.delete('demo');
    expect(models.get('demo')).toBeUndefined();
    identities.set('demo', 'a');
    expect(models.get('demo')).toBe('m');
  });

  it('follow to the new name of their server, for what it is alone', () => {
    const identities = new Map([
      ['demo', 'a'],
      ['better', 'a'],
    ]);
    const models = createChosenModels(sampleState(), (server) => identities.get(server));
    models.remember('demo', 'm');
    models.rename('demo', 'better');
    expect(models.all).toEqual([{ server: 'better', model: 'm' }]);
    expect(models.get('better')).toBe('m');
    identities.set('better', 'b');
    expect(models.get('better')).toBeUndefined();
  });

  it('are at most 200, the latest', () => {
    const memento = sampleState();
    const models = createChosenModels(memento, who);
    for (let index = 0; index < 201; index += 1) models.remember(String(index), 'm');
    models.remember('1', 'other');
    expect(memento.values['patchbay.chosenModels']).toHaveLength(200);
    expect(models.get('0')).toBeUndefined();
    expect(models.all.at(-1)).toEqual({ server: '1', model: 'other' });
    const many = stored(Array.from({ length: 300 }, (_, index) => [String(index), String(index), 'm']));
    expect(createChosenModels(many, who).all).toHaveLength(200);
  });

  it('are checked when they are read', () => {
    const memento = stored([['a', 'a', 'm'], ['b', 'b'], ['c', 'c', 1], 'd', ['e', 'e', 'x'.repeat(2_001)], null]);
    expect(createChosenModels(memento, who).all).toEqual([{ server: 'a', model: 'm' }]);
    expect(createChosenModels(stored({ a: 'm' }), who).all).toEqual([]);
  });

  it('are not remembered where the state cannot be written, without an error', async () => {
    const memento = sampleState();
    const models = createChosenModels({ ...memento, update: () => Promise.reject(new Error('full')) }, who);
    models.remember('demo', 'm');
    await Promise.resolve();
    expect(models.get('demo')).toBeUndefined();
  });
});
