import { window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuditLog } from '../../client/auditLog.ts';
import { createDefinitionPins, type DefinitionPins } from '../../client/definitions/definitionPins.ts';
import type { DefinitionQuestions } from '../../client/definitions/ports.ts';
import { askSafely } from '../askSafely.ts';
import { notificationText } from '../notificationText.ts';
import { testingAnswer } from '../testingAnswer.ts';
import { createDefinitionDocuments, type DefinitionDocuments } from './definitionDocuments.ts';
import { definitionQuestion, nameOf } from './definitionText.ts';
import { createPinFile } from './pinFile.ts';

export interface DefinitionHostOptions {
  /** The folder for what is kept. */
  readonly folder: string;
  readonly audit: AuditLog;
  readonly logger: Logger;
  /** True only when VS Code runs extension tests: then `patchbay.testing.consent` may answer. */
  readonly isTest: boolean;
}

/** Pins, with the person who is asked about changes. */
export interface DefinitionHost extends Disposable {
  readonly pins: DefinitionPins;
  readonly documents: DefinitionDocuments;
}

export function createDefinitionHost({ folder, audit, logger, isTest }: DefinitionHostOptions): DefinitionHost {
  const store = new DisposableStore();
  const documents = store.add(createDefinitionDocuments());
  const questions = createQuestions(documents);
  const pins = createDefinitionPins({
    store: createPinFile(folder, logger),
    audit,
    questions: {
      ask: async (...question) => (isTest ? testingAnswer('consent') : undefined) ?? questions.ask(...question),
    },
  });
  return { pins, documents, dispose: () => store.dispose() };
}

/**
 * A modal question whose focused button shows the difference. After that the person decides beside it, in a notification,
 * which no key pressed in an editor reaches.
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
      const waiting = `Use the new definition of the ${nameOf(changed)}? Nothing has been sent yet.`;
      return (await window.showWarningMessage(notificationText(waiting), 'Don’t Use', use)) === use;
    },
  };
}
