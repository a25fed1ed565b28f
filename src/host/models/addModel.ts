import { window } from 'vscode';
import { notificationText } from '../platform/displayText.ts';
import { type AddModelPorts, askStep } from './addModelSteps.ts';
import { answerStep, goBack, goToEdit, type ModelDraft, type ModelFlow, startFlow, toConnection } from './modelFlow.ts';
import type { ModelKeys } from './modelKeys.ts';
import type { ModelSettings } from './modelSettings.ts';
import { savedMessage } from './modelText.ts';

/** What *Add Model…* and *Manage Models…* need. */
export interface ModelSetup extends AddModelPorts {
  readonly settings: ModelSettings;
  readonly keys: ModelKeys;
}

/**
 * *Add Model…*: asks where the model is, for its address, key and price as far as needed, and tests it. Nothing is kept before
 * the end.
 * @throws {CancelledError} when the person dismisses a question
 */
export async function addModel(setup: ModelSetup): Promise<void> {
  const draft = await askDraft(setup);
  const { settings, keys } = setup;
  const names = settings.read().connections.map(({ name }) => name);
  const connection = toConnection(draft, { ids: settings.ids, names });
  if (connection === undefined) return;
  // The key first: a model that is listed can answer.
  if (draft.key !== undefined && draft.key !== '') await keys.save(connection, draft.key);
  try {
    await settings.add(connection);
  } catch (error) {
    await keys.remove(connection.id);
    throw error;
  }
  void window.showInformationMessage(notificationText(savedMessage(connection)));
}

async function askDraft(ports: AddModelPorts): Promise<ModelDraft> {
  let flow: ModelFlow = startFlow();
  for (;;) {
    const outcome = await askStep(flow.step, { draft: flow.draft, hasBack: flow.before.length > 0 }, ports);
    if (outcome.kind === 'next') {
      const after = answerStep(flow, outcome.draft);
      if (after === undefined) return outcome.draft;
      flow = after;
    } else {
      flow = outcome.kind === 'back' ? goBack(flow) : goToEdit(flow);
    }
  }
}
