import { expect } from 'vitest';
import { type Feature, isHandshake, lastParams } from '../feature.ts';

export const resourceFeatures: readonly Feature[] = [
  {
    name: 'resource: text, binary, several',
    shows: ['resource-read'],
    async run({ server }) {
      expect((await server.readResource('memo:///text')).contents).toMatchObject([
        { uri: 'memo:///text', mimeType: 'text/plain', text: expect.stringContaining('a memo') },
      ]);
      expect((await server.readResource('memo:///picture')).contents).toMatchObject([{ blob: 'iVBORw0KGgo=' }]);
      expect((await server.readResource('memo:///several')).contents).toHaveLength(2);
    },
  },
  {
    name: 'resource template',
    shows: ['resource-templates'],
    async run({ server }) {
      expect(server.resourceTemplates[0]).toMatchObject({ uriTemplate: 'memo:///notes/{name}', name: 'note' });
      expect((await server.readResource('memo:///notes/zeta')).contents).toMatchObject([{ text: 'the note zeta' }]);
    },
  },
  {
    name: 'missing resource',
    shows: ['resource-not-found'],
    async run({ server }) {
      const code = expect.toSatisfy((value: unknown) => value === -32002 || value === -32602);
      await expect(server.readResource('memo:///nowhere')).rejects.toMatchObject({ name: 'JsonRpcError', code });
    },
  },
  {
    name: 'resource updates',
    shows: ['resource-subscribe'],
    async run(bench) {
      const { server, revision } = bench;
      const updated: string[] = [];
      const next = (): Promise<void> =>
        new Promise((resolve) => {
          const subscription = server.onDidUpdateResource(({ uri }) => {
            subscription.dispose();
            updated.push(uri);
            resolve();
          });
        });
      await server.subscribe('memo:///text');
      await server.subscribe('memo:///picture');
      const first = next();
      await server.callTool('touch', { uri: 'memo:///text' });
      await first;
      await server.unsubscribe('memo:///text');
      const second = next();
      await server.callTool('touch', { uri: 'memo:///text' });
      await server.callTool('touch', { uri: 'memo:///picture' });
      await second;
      expect(updated).toEqual(['memo:///text', 'memo:///picture']);
      if (isHandshake(revision))
        expect(await lastParams(bench, 'resources/unsubscribe')).toMatchObject({ uri: 'memo:///text' });
    },
  },
];
