import { type Uri, window } from 'vscode';
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

export type DefinitionHost = ReturnType<typeof createDefinitionHost>;

export function createDefinitionHost({ folder, audit, logger, isTest }: DefinitionHostOptions) {
  const documents = createTextDocuments({
    scheme: 'patchbay-definition',
    missingText: 'This comparison was closed. Show it again.\n',
  });
  let count = 0;

  async function show(changed: ChangedDefinition): Promise<void> {
    const add = (side: 'before' | 'after'): Uri => {
      count += 1;
      return documents.set(`${tabName(changed.key)}, ${side}`, String(count), definitionDocument(changed[side]));
    };
    await showDifference(add('before'), add('after'), `${describeDefinition(changed)}: before ↔ now`);
  }

  /**
   * A modal question whose focused button shows the difference. After that, the person decides in a notification beside it,
   * which keys pressed in an editor cannot reach.
   */
  async function ask(changed: ChangedDefinition, origin: UseOrigin): Promise<boolean> {
    const answer = isTest ? testingAnswer('consent') : undefined;
    if (answer !== undefined) return answer;
    const use = 'Use New Definition';
    const safe = 'Show Difference';
    const chosen = await askSafely({ ...definitionQuestion(changed, origin), safe, actions: [use] });
    if (chosen !== safe) return chosen === use;
    await show(changed);
    const waiting = `Use the new definition of the ${describeDefinition(changed)}? Nothing has been sent yet.`;
    return (await window.showWarningMessage(notificationText(waiting), 'Don’t Use', use)) === use;
  }

  return {
    pins: new DefinitionPins(createPinFile(folder, logger), ask, audit),
    /** Shows the change of a row of the tree, or one that the person chooses. */
    async showChosen(argument: unknown, marks: ItemMarks): Promise<void> {
      // A menu passes the node of its row.
      const node = isRecord(argument) && 'kind' in argument ? (argument as unknown as ServersNode) : undefined;
      const ofRow = node !== undefined && isItemNode(node) ? marks.changeOf(node) : undefined;
      const changed = ofRow ?? (await pickChange(marks.changes));
      if (changed !== undefined) await show(changed);
    },
    dispose: () => documents.dispose(),
  };
}

async function pickChange(changes: readonly ChangedDefinition[]): Promise<ChangedDefinition | undefined> {
  if (changes.length === 0) {
    void window.showInformationMessage('No changes since you last used them.');
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
