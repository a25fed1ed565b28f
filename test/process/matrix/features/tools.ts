import { expect } from 'vitest';
import { type Feature, textOf, until } from '../feature.ts';

export const toolFeatures: readonly Feature[] = [
  {
    name: 'tool call',
    shows: ['tool-call', 'display-name'],
    async run({ server }) {
      expect(textOf(await server.callTool('echo', { text: 'Größe 漢字 🙂\n' }))).toBe('Größe 漢字 🙂\n');
      expect(server.tools.find(({ name }) => name === 'echo')).toMatchObject({ description: 'Says it again' });
    },
  },
  {
    name: 'tool annotations',
    shows: ['tool-annotations'],
    since: '2025-03-26',
    async run({ server }) {
      const { annotations } = server.tools.find(({ name }) => name === 'add') ?? expect.unreachable();
      expect(annotations).toEqual({ title: 'Add two numbers', readOnlyHint: true, idempotentHint: true });
    },
  },
  {
    name: 'structured output',
    shows: ['structured-output'],
    since: '2025-06-18',
    async run({ server }) {
      expect(await server.callTool('add', { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } });
    },
  },
  {
    name: 'tool error',
    shows: ['tool-error'],
    async run({ server }) {
      const result = await server.callTool('fail');
      expect(result.isError).toBe(true);
      expect(textOf(result)).toBe('It cannot be done.');
      await expect(server.callTool('missing')).rejects.toMatchObject({ name: 'JsonRpcError', code: -32602 });
    },
  },
  {
    name: 'content: text, image, resource',
    shows: ['content-kinds'],
    run: async ({ server }) => await showKinds(server, ['text', 'image', 'resource']),
  },
  {
    name: 'content: audio',
    shows: ['content-kinds'],
    since: '2025-03-26',
    run: async ({ server }) => await showKinds(server, ['audio']),
  },
  {
    name: 'content: resource link',
    shows: ['content-kinds'],
    since: '2025-06-18',
    run: async ({ server }) => await showKinds(server, ['resource_link']),
  },
  {
    name: 'changed list',
    shows: ['list-changed'],
    async run({ server }) {
      const hasExtra = (): boolean => server.tools.some(({ name }) => name === 'extra');
      const changed = until(server.onDidChange, hasExtra);
      await server.callTool('add_tool');
      await changed;
    },
  },
];

async function showKinds(server: Parameters<Feature['run']>[0]['server'], kinds: readonly string[]): Promise<void> {
  const { content } = await server.callTool('show', { kinds });
  expect(content.map(({ type }) => type)).toEqual(kinds);
}
