import { expect } from 'vitest';
import { type Feature, lastParams } from '../feature.ts';

export const promptFeatures: readonly Feature[] = [
  {
    name: 'prompt',
    shows: ['prompt-get'],
    async run({ server }) {
      const { messages } = await server.getPrompt('greet', { name: 'Ada', language: 'Estonian' });
      expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Greet Ada in Estonian.' } }]);
    },
  },
  {
    name: 'prompt error',
    shows: ['prompt-error'],
    async run({ server }) {
      await expect(server.getPrompt('missing')).rejects.toMatchObject({ name: 'JsonRpcError', code: -32602 });
      await expect(server.getPrompt('greet')).rejects.toMatchObject({ name: 'JsonRpcError', code: -32602 });
    },
  },
  {
    name: 'completion',
    shows: ['completion'],
    async run({ server }) {
      const prompt = { type: 'ref/prompt', name: 'greet' } as const;
      expect(await server.complete(prompt, { name: 'language', value: 'E' })).toEqual(['English', 'Estonian']);
      const template = { type: 'ref/resource', uri: 'memo:///notes/{name}' } as const;
      expect(await server.complete(template, { name: 'name', value: 'G' })).toEqual(['Grace']);
    },
  },
  {
    name: 'completion with context',
    shows: ['completion-context'],
    since: '2025-06-18',
    async run(bench) {
      const prompt = { type: 'ref/prompt', name: 'greet' } as const;
      const values = await bench.server.complete(prompt, { name: 'language', value: '' }, { name: 'Ada' });
      expect(values).toEqual(['English']);
      expect(await lastParams(bench, 'completion/complete')).toMatchObject({ context: { arguments: { name: 'Ada' } } });
    },
  },
];
