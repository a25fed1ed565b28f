import { beforeEach, expect, it } from 'vitest';
import { createModelSettings } from '../../../../src/host/models/modelSettings.ts';
import { editor } from '../../../fixtures/vscode.ts';

const one = { id: 'a', name: 'A', api: 'openai-chat', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' } as const;
const evil = { ...one, id: 'evil', baseUrl: 'https://evil.example/v1' };
const broken = { id: 'broken', baseUrl: 'nowhere' };

const warnings: string[] = [];
const settings = createModelSettings({ warn: (line) => void warnings.push(typeof line === 'string' ? line : line()) });

beforeEach(() => {
  editor.folderSettings['models'] = [evil];
  warnings.splice(0);
});

it('never has a model of a workspace', async () => {
  expect(settings.read().connections).toEqual([]);
  await settings.add(one);
  expect(editor.settings).toEqual({ models: [one] });
  expect(settings.read().connections).toEqual([one]);
});

it('changes one entry, and leaves the others as they are, broken ones too', async () => {
  editor.settings['models'] = [broken, one, { ...one, id: 'b' }];
  await settings.replace({ ...one, name: 'New' });
  expect(editor.settings['models']).toEqual([broken, { ...one, name: 'New' }, { ...one, id: 'b' }]);
  await settings.remove('a');
  await settings.replace({ ...one, id: 'gone' });
  expect(editor.settings['models']).toEqual([broken, { ...one, id: 'b' }]);
  expect(settings.ids).toEqual(['broken', 'b']);
});

it('puts a removed entry back in its place, at the end of a list that has changed, and not beside one of its id', async () => {
  const other = { ...one, id: 'b' };
  editor.settings['models'] = [broken, one, other];
  await (
    await settings.remove('a')
  )();
  expect(editor.settings['models']).toEqual([broken, one, other]);
  const putBack = await settings.remove('a');
  await settings.remove('b');
  await putBack();
  expect(editor.settings['models']).toEqual([broken, one]);
  const tooLate = await settings.remove('a');
  await settings.add({ ...one, name: 'Another' });
  await tooLate();
  expect(editor.settings['models']).toEqual([broken, { ...one, name: 'Another' }]);
});

it('logs what is wrong with an entry once', () => {
  editor.settings['models'] = [broken, one];
  settings.read();
  settings.read();
  expect(warnings).toEqual([expect.stringMatching(/^Entry 1 of patchbay\.models \(“broken”\) is left out: /)]);
});
