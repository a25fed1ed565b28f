import { expect, it } from 'vitest';
import type { InputStore } from '../../../../src/host/configuration/inputStore.ts';
import { addServers, chooseTarget } from '../../../../src/host/configuration/saveServers.ts';
import { editor, Uri } from '../../../fixtures/vscode.ts';

const input = { type: 'promptString', id: 'k', description: 'd', default: undefined, password: true } as const;
const nothing = async (): Promise<void> => {};

async function save(): Promise<void> {
  const options = { inputs: {} as InputStore, refresh: nothing, reveal: nothing, labels: () => [] };
  await addServers('user', [{ label: 'new', definition: { command: 'x' } }], [input], { inputIds: new Set() }, options);
}

it('adds servers and inputs to the user settings', async () => {
  editor.settings['servers'] = { old: { command: 'y' } };
  await save();
  expect(editor.settings['servers']).toEqual({ old: { command: 'y' }, new: { command: 'x' } });
  expect(editor.settings['inputs']).toEqual([input]);
});

it.each([
  ['servers', ['a'], /"patchbay.servers" in your user settings is not an object. Nothing was changed. Fix it first/],
  ['servers', 'a', /not an object/],
  ['inputs', { k: 1 }, /"patchbay.inputs" in your user settings is not a list/],
])('replaces no setting of another type: %s', async (name, value, message) => {
  editor.settings[name] = value;
  await expect(save()).rejects.toThrow(
    expect.objectContaining({ code: 'configuration', message: expect.stringMatching(message) }),
  );
  expect(editor.settings).toEqual({ [name]: value });
});

it('says of each place who gets what is saved there', async () => {
  editor.workspaceFile = Uri.file('/all.code-workspace');
  editor.files.set('/all.code-workspace', { text: '{"settings": {"mcp": {"servers": {"a": {"command": "x"}}}}}' });
  await chooseTarget('Add');
  expect(editor.questions[0]?.choices.map(({ description }) => description)).toEqual([
    'For everyone who opens this workspace',
    'For everyone who works on this folder',
    'For you, in every workspace',
  ]);
});
