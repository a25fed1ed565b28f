import { type Uri, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuditLog } from '../../client/auditLog.ts';
import { DefinitionPins } from '../../client/definitions/definitionPins.ts';
import type { ChangedDefinition, DefinitionQuestions } from '../../client/definitions/ports.ts';
import { askSafely, testingAnswer } from '../platform/dialogs.ts';
import { escapeIcons, notificationText } from '../platform/displayText.ts';
import { showDifference } from '../platform/documents.ts';
import { createTextDocuments, tabName } from '../platform/textDocuments.ts';
import { isItemNode, type ServersNode } from '../servers/serverNodes.ts';
import { changeLines, definitionDocument, definitionQuestion, describeDefinition } from './definitionText.ts';
import type { ItemMarks } from './itemMarks.ts';
import { createPinFile } from './pinFile.ts';

export { followDefinitions } from './followDefinitions.ts';

export interface DefinitionHostOptions {
  /** The folder of the pin files. */
  readonly folder: string;
  readonly audit: AuditLog;
  readonly logger: Logger;
  /** True only when VS Code runs extension tests: then `patchbay.testing.consent` may answer. */
  readonly isTest: boolean;
}

export interface DefinitionHost extends Disposable {
  readonly pins: DefinitionPins;
  readonly documents: DefinitionDocuments;
}

export function createDefinitionHost({ folder, audit, logger, isTest }: DefinitionHostOptions): DefinitionHost {
  const store = new DisposableStore();
  const documents = store.add(createDefinitionDocuments());
  const questions = createQuestions(documents);
  const pins = new DefinitionPins({
    store: createPinFile(folder, logger),
    audit,
    questions: {
      ask: async (...question) => (isTest ? testingAnswer('consent') : undefined) ?? questions.ask(...question),
    },
  });
  return { pins, documents, dispose: () => store.dispose() };
}

/**
 * A modal question whose focused button shows the difference. After that, the person decides in a notification beside it,
 * which keys pressed in an editor cannot reach.
 */
function createQuestions(documents: DefinitionDocuments): DefinitionQuestions {
  const use = 'Use New Definition';
  const show = 'Show Difference';
  return {
    async ask(changed, origin) {
      const question = definitionQuestion(changed, origin);
      const chosen = await askSafely({ ...question, safe: show, actions: [use] });
      if (chosen !== show) return chosen === use;
      await documents.show(changed);
      const waiting = `Use the new definition of the ${describeDefinition(changed)}? Nothing has been sent yet.`;
      return (await window.showWarningMessage(notificationText(waiting), 'Don’t Use', use)) === use;
    },
  };
}

export interface DefinitionDocuments extends Disposable {
  show(changed: ChangedDefinition): Promise<void>;
}

function createDefinitionDocuments(): DefinitionDocuments {
  const missingText = 'This comparison was closed. Show it again.\n';
  const documents = createTextDocuments({ scheme: 'patchbay-definition', missingText });
  let count = 0;
  const add = (changed: ChangedDefinition, side: 'before' | 'after'): Uri => {
    count += 1;
    return documents.set(`${tabName(changed.key)}, ${side}`, String(count), definitionDocument(changed[side]));
  };
  return {
    async show(changed) {
      const title = `${describeDefinition(changed)}: before ↔ now`;
      await showDifference(add(changed, 'before'), add(changed, 'after'), title);
    },
    dispose: () => documents.dispose(),
  };
}

/** The subject of *Show Definition Changes*: the row of the tree, or a choice of the person. */
export async function chooseChange(argument: unknown, marks: ItemMarks): Promise<ChangedDefinition | undefined> {
  return changeOfRow(argument, marks) ?? (await pickChange(marks.changes));
}

/** A menu passes the node of its row. */
function changeOfRow(argument: unknown, marks: ItemMarks): ChangedDefinition | undefined {
  if (typeof argument !== 'object' || argument === null || !('kind' in argument)) return undefined;
  const node = argument as ServersNode;
  return isItemNode(node) ? marks.changeOf(node) : undefined;
}

async function pickChange(changes: readonly ChangedDefinition[]): Promise<ChangedDefinition | undefined> {
  if (changes.length === 0) {
    void window.showInformationMessage('Nothing that you have used has changed.');
    return undefined;
  }
  const rows = changes.map((changed) => ({
    label: escapeIcons(describeDefinition(changed)),
    detail: escapeIcons(changeLines(changed).join(' · ').slice(0, 300)),
    changed,
  }));
  const picked = await window.showQuickPick(rows, {
    title: 'Show Definition Changes',
    placeHolder: 'Changed since you last used it',
  });
  return picked?.changed;
}
