import { expect, it } from 'vitest';
import type { TreeDataProvider, TreeItem } from 'vscode';
import { Emitter } from '../../../../src/base/event.ts';
import { CommandIds } from '../../../../src/host/commandIds.ts';
import { createModelCommands } from '../../../../src/host/models/manageModels.ts';
import { type ModelRow, readModelRows } from '../../../../src/host/models/modelRows.ts';
import { createModelsView } from '../../../../src/host/models/modelsView.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { editor, lm } from '../../../fixtures/vscode.ts';
import { sampleSecrets } from '../sampleState.ts';
import { createSetup } from './setUp.ts';

const local = {
  id: 'llama',
  name: 'Llama',
  api: 'openai-chat',
  baseUrl: 'http://127.0.0.1:11434/v1',
  model: 'llama3.2',
};
const ofEditor = { id: 'lm:x/gpt', name: 'GPT\u202e', vendor: 'copilot', family: 'gpt', maxInputTokens: 1 };
const provider = () => editor.tree.provider as TreeDataProvider<ModelRow>;

it('has the models of the person, what is wrong with them, and those of the editor, as plain text', async () => {
  const { setup } = createSetup([], {}, [{ ...local, name: 'Lla\u200bma', id: 'bad' }, local]);
  const rows = await readModelRows(setup, { list: async () => [ofEditor] });
  expect(rows).toMatchObject([
    { label: 'Llama', description: 'llama3.2 · 127.0.0.1:11434', icon: 'vm', contextValue: 'model.own' },
    {
      label: 'Not used',
      description: expect.stringContaining('Entry 1 of patchbay.models'),
      contextValue: 'model.problem',
    },
    { description: 'copilot', tooltip: 'From VS Code: copilot, gpt', contextValue: 'model.editor' },
  ]);
  expect(rows[2]?.label).not.toContain('\u202e');
  expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
  const same = createSetup([], {}, [{ ...local, name: local.model }]).setup;
  const [row] = await readModelRows(same, { list: async () => [] });
  expect([row?.label, row?.description]).toEqual(['llama3.2', '127.0.0.1:11434']);
});

it('reads nothing before it is shown, and again when models come or go', async () => {
  const didChangeModels = new Emitter<void>();
  Object.assign(lm, { onDidChangeChatModels: didChangeModels.event });
  let readings = 0;
  const clock = createManualClock();
  createModelsView(async () => {
    readings += 1;
    return [];
  }, clock);
  expect(readings).toBe(0);
  expect(await provider().getChildren()).toEqual([]);
  let refreshes = 0;
  provider().onDidChangeTreeData?.(() => void (refreshes += 1));
  for (const change of [
    () =>
      editor.fire('onDidChangeConfiguration', { affectsConfiguration: (name: string) => name === 'patchbay.models' }),
    () => didChangeModels.fire(),
  ]) {
    refreshes = 0;
    change();
    await clock.advance(1_000);
    expect(refreshes).toBe(1);
  }
  editor.fire('onDidChangeConfiguration', { affectsConfiguration: () => false });
  await clock.advance(1_000);
  expect(refreshes).toBe(1);
});

it('opens the settings from the row of an entry that is wrong, and nothing from others', async () => {
  const { setup } = createSetup([], {}, [{ id: 'x' }, local]);
  const rows = await readModelRows(setup, { list: async () => [] });
  createModelsView(async () => rows, createManualClock());
  const items = await Promise.all(rows.map(async (row): Promise<TreeItem> => provider().getTreeItem(row)));
  expect(items.map(({ command }) => command?.command)).toEqual([undefined, 'workbench.action.openSettingsJson']);
  expect(items[0]?.accessibilityInformation?.label).toBe('Llama, llama3.2 · 127.0.0.1:11434');
});

it('removes the model of its own row, and of no object that only looks like one', async () => {
  editor.settings['models'] = [local, { ...local, id: 'b', name: 'B' }];
  const http = { request: () => Promise.reject(new Error('no network')) } as never;
  const options = { secrets: sampleSecrets(), http, clock: createManualClock(), logger: { warn: () => {} } };
  const commands = createModelCommands(options);
  const remove = commands[CommandIds.removeModel];
  const [row, other] = await commands.rows();
  await remove(row);
  expect(editor.settings['models']).toMatchObject([{ id: 'b' }]);
  // A list to choose from is opened, and nothing is removed.
  void remove({ ...other }).catch(() => {});
  expect(editor.settings['models']).toMatchObject([{ id: 'b' }]);
});

it('has a key for the row that the keyboard is on, if that is a model of the person', async () => {
  const { setup } = createSetup([], {}, [local]);
  const rows = await readModelRows(setup, { list: async () => [ofEditor] });
  const view = createModelsView(async () => rows, createManualClock());
  const found = [];
  for (const row of rows) {
    editor.pressOn(row);
    found.push(view.focused());
  }
  expect(found).toEqual([rows[0], undefined]);
});
