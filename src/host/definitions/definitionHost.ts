import { type Uri, window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuditLog } from '../../client/auditLog.ts';
import { DefinitionPins } from '../../client/definitions/definitionPins.ts';
import type { ChangedDefinition } from '../../client/definitions/ports.ts';
import type { UseOrigin } from '../../client/useDispatcher.ts';
import { askSafely, testingAnswer } from '../platform/dialogs.ts';
import { escapeIcons, notificationText } from '../platform/displayText.ts';
import { showDifference } from '../platform/documents.ts';
import { createTextDocuments, tabName } from '../platform/textDocuments.ts';
import { isItemNode, type ServersNode } from '../servers/serverNodes.ts';
import { changeLines, definitionDocument, definitionQuestion, describeDefinition } from './definitionText.ts';
import type { ItemMarks } from './itemMarks.ts';
import { createPinFile } from './pinFile.ts';

export interface DefinitionHostOptions {
  readonly folder: string;
  readonly audit: AuditLog;
  readonly logger: Logger;
  /** True only when VS Code runs extension tests: then `patchbay.testing.consent` may answer. */
  readonly isTest: boolean;
}

export class DefinitionHost implements Disposable {
  readonly pins: DefinitionPins;
  readonly #isTest: boolean;
  readonly #documents = createTextDocuments({
    scheme: 'patchbay-definition',
    missingText: 'This comparison was closed. Show it again.\n',
  });
  #count = 0;

  constructor({ folder, audit, logger, isTest }: DefinitionHostOptions) {
    this.#isTest = isTest;
    this.pins = new DefinitionPins(createPinFile(folder, logger), (...change) => this.#ask(...change), audit);
  }

  /** Shows the change of a row of the tree, or one that the person chooses. */
  async showChosen(argument: unknown, marks: ItemMarks): Promise<void> {
    // A menu passes the node of its row.
    const node = isRecord(argument) && 'kind' in argument ? (argument as unknown as ServersNode) : undefined;
    const ofRow = node !== undefined && isItemNode(node) ? marks.changeOf(node) : undefined;
    const changed = ofRow ?? (await pickChange(marks.changes));
    if (changed !== undefined) await this.#show(changed);
  }

  dispose(): void {
    this.#documents.dispose();
  }

  async #show(changed: ChangedDefinition): Promise<void> {
    const add = (side: 'before' | 'after'): Uri => {
      this.#count += 1;
      const name = `${tabName(changed.key)}, ${side}`;
      return this.#documents.set(name, String(this.#count), definitionDocument(changed[side]));
    };
    await showDifference(add('before'), add('after'), `${describeDefinition(changed)}: before ↔ now`);
  }

  /**
   * A modal question whose focused button shows the difference. After that, the person decides in a notification beside it,
   * which keys pressed in an editor cannot reach.
   */
  async #ask(changed: ChangedDefinition, origin: UseOrigin): Promise<boolean> {
    const answer = this.#isTest ? testingAnswer('consent') : undefined;
    if (answer !== undefined) return answer;
    const use = 'Use New Definition';
    const show = 'Show Difference';
    const chosen = await askSafely({ ...definitionQuestion(changed, origin), safe: show, actions: [use] });
    if (chosen !== show) return chosen === use;
    await this.#show(changed);
    const waiting = `Use the new definition of the ${describeDefinition(changed)}? Nothing has been sent yet.`;
    return (await window.showWarningMessage(notificationText(waiting), 'Don’t Use', use)) === use;
  }
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
