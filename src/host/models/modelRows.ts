import type { ModelConnection, ModelGateway } from '../../models/modelGateway.ts';
import { singleLine } from '../platform/displayText.ts';
import { hostOf, isLocalAddress } from './modelEntries.ts';
import type { ModelSetup } from './modelQuestions.ts';
import { describeConnection, testIntent } from './modelText.ts';

/** A row of the view *Models*. All texts are plain, and in one line. */
export interface ModelRow {
  /** Unique in the view. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly icon: string;
  /** What the menus of package.json know it by. */
  readonly contextValue: 'model.own' | 'model.editor' | 'model.problem';
  /** Of a model that the person has set up. */
  readonly connection?: ModelConnection;
}

/** Those that the person has set up, with what is wrong with them, then those of the editor. */
export async function readModelRows(
  { settings, keys }: Pick<ModelSetup, 'settings' | 'keys'>,
  editor: Pick<ModelGateway, 'list'>,
): Promise<readonly ModelRow[]> {
  const { connections, problems } = settings.read();
  const own = connections.map(async (connection): Promise<ModelRow> => {
    const { id, name, model, baseUrl } = connection;
    return {
      id: `own:${id}`,
      label: singleLine(name, 100),
      description: singleLine(model === name ? hostOf(baseUrl) : `${model} · ${hostOf(baseUrl)}`, 120),
      tooltip: `${describeConnection(connection, await keys.has(connection))}\nTest Model: ${testIntent(baseUrl)}.`,
      icon: isLocalAddress(baseUrl) ? 'vm' : 'cloud',
      contextValue: 'model.own',
      connection,
    };
  });
  const faults = problems.map((problem, index): ModelRow => ({
    id: `problem:${index}`,
    label: 'Not used',
    description: singleLine(problem),
    tooltip: problem,
    icon: 'warning',
    contextValue: 'model.problem',
  }));
  const ofEditor = (await editor.list()).map(({ id, name, vendor, family }): ModelRow => ({
    id: `editor:${id}`,
    label: singleLine(name, 100),
    description: singleLine(vendor ?? '', 60),
    tooltip: singleLine(`From VS Code: ${[vendor, family].filter(Boolean).join(', ')}`, 200),
    icon: 'sparkle',
    contextValue: 'model.editor',
  }));
  return [...(await Promise.all(own)), ...faults, ...ofEditor];
}
