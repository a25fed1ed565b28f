import { window } from 'vscode';
import type { ChangedDefinition } from '../../client/definitions/ports.ts';
import { escapeIcons } from '../displayText.ts';
import type { ItemMarks } from '../views/itemMarks.ts';
import { isItemNode, type ServersNode } from '../views/serverNodes.ts';
import { changeLines, nameOf } from './definitionText.ts';

/** What *Show Definition Changes* is about: a row of the tree, or what a person chooses. */
export async function chooseChange(argument: unknown, marks: ItemMarks): Promise<ChangedDefinition | undefined> {
  return changeOfRow(argument, marks) ?? (await pickChange(marks.changes));
}

/** Menus hand over the row itself. */
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
    label: escapeIcons(nameOf(changed)),
    detail: escapeIcons(changeLines(changed).join(' · ').slice(0, 300)),
    changed,
  }));
  const picked = await window.showQuickPick(rows, {
    title: 'Show Definition Changes',
    placeHolder: 'Changed since you last used it',
  });
  return picked?.changed;
}
