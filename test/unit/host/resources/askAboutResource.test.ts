import { expect, it, vi } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import { CommandIds } from '../../../../src/host/commandIds.ts';
import type { ModelSubject } from '../../../../src/host/invocation/modelQuestion.ts';
import { createResourceCommands, type ResourceFeatureOptions } from '../../../../src/host/resources/resourceFeature.ts';
import { createResourceStore } from '../../../../src/host/resources/resourceStore.ts';
import { toResourceUri } from '../../../../src/host/resources/resourceFiles.ts';
import type { ResourceContents } from '../../../../src/protocol/mcp/content.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { sampleSeal } from '../sampleSeal.ts';
import { running, sampleRegistry, sampleServer } from '../sampleServer.ts';
import { editor, Uri } from '../../../fixtures/vscode.ts';

const image: ResourceContents = { uri: 'demo://i.png', mimeType: 'image/png', blob: 'aGk=' };
const text: ResourceContents = { uri: 'demo://t.txt', mimeType: 'text/plain', text: 'grüße' };

function setUp(contents: readonly ResourceContents[], state: typeof running | { readonly kind: 'stopped' } = running) {
  const resources = [{ uri: 'demo://t.txt', name: 't', title: 'A Text' }];
  const host = sampleServer('demo', { state, contents: { resources } });
  Object.assign(host.server, { preflight: async () => {} });
  const clock = createManualClock();
  const asked: ModelSubject[] = [];
  const confirmed: unknown[] = [];
  const read = vi.fn(async () => ({ contents }));
  const options = {
    registry: sampleRegistry(host),
    clock,
    storage: { get: () => undefined, update: async () => {} },
    confirmElsewhere: async (_what: string, argument: unknown) => {
      confirmed.push(argument);
      return false;
    },
    askModel: async (about: ModelSubject) => void asked.push(about),
  } as unknown as ResourceFeatureOptions;
  const store = createResourceStore(clock, () => 'one', read);
  const commands = createResourceCommands(options, sampleSeal(), store);
  const { [CommandIds.askModelAboutResource]: ask, [CommandIds.saveResource]: save } = commands;
  return { ask, save, asked, confirmed, read };
}

it('asks a model about the contents of a row of the sidebar', async () => {
  const { ask, asked } = setUp([text, image]);
  await ask({ server: 'demo', uri: 'demo://t.txt' });
  expect(asked).toEqual([
    {
      server: 'demo',
      title: 'A Text',
      about: 'resource demo://t.txt',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Resource: `demo://t.txt`\n\n```\ngrüße\n```' },
            { type: 'image', mimeType: 'image/png', data: 'aGk=' },
          ],
        },
      ],
      needsQuestion: true,
    },
  ]);
});

it('asks about the one part that the active editor shows', async () => {
  const { ask, asked } = setUp([text, image]);
  const shown = toResourceUri(sampleSeal(), { server: 'demo', uri: 'demo://t.txt' }, { text: 'A Text' });
  const uri = Uri.from({ ...shown, path: `${shown.path}/i.png` });
  editor.activeTab = { input: { uri } };
  await ask(undefined);
  await ask(uri);
  const content = [{ type: 'image', mimeType: 'image/png', data: 'aGk=' }];
  expect(asked.map(({ messages }) => messages)).toEqual([[{ role: 'user', content }], [{ role: 'user', content }]]);
});

it('starts no server for a document in front without a yes: the command may be that of another extension', async () => {
  const { ask, save, asked, confirmed, read } = setUp([text], { kind: 'stopped' });
  const shown = toResourceUri(sampleSeal(), { server: 'demo', uri: 'demo://t.txt' }, { text: 'A Text' });
  editor.activeTab = { input: { uri: Uri.from(shown) } };
  await expect(ask(undefined)).rejects.toThrow(CancelledError);
  await expect(save(undefined)).rejects.toThrow(CancelledError);
  expect(confirmed).toEqual([1, 2].map(() => ({ server: 'demo', uri: 'demo://t.txt' })));
  expect(asked).toEqual([]);
  expect(read).not.toHaveBeenCalled();
});
