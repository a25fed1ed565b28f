import { element, iconButton } from '../dom.ts';

/**
 * The buttons of one row of a tree. They move to the row that has the focus, or the pointer: few, however long the tree is.
 * @param isInTabOrder the Tab key leads from the row to its buttons
 */
export function createNodeActions(
  { copyValue, copyPath }: Readonly<Record<'copyValue' | 'copyPath', (row: HTMLElement) => void>>,
  isInTabOrder: boolean,
) {
  const made = element('span', { class: 'json-actions' });
  const add = (label: string, iconName: string, act: (row: HTMLElement) => void): void => {
    const copy = iconButton(label, iconName, () => {
      if (made.parentElement !== null) act(made.parentElement);
    });
    copy.tabIndex = isInTabOrder ? 0 : -1;
    // A click in a row that has no focus leaves the focus where it is: these buttons go with the pointer.
    if (!isInTabOrder) copy.addEventListener('mousedown', (event) => event.preventDefault());
    made.append(copy);
  };
  add('Copy Value', 'copy', copyValue);
  add('Copy Path', 'link', copyPath);
  return {
    element: made,
    moveTo(row: HTMLElement): void {
      if (made.parentElement !== row) row.append(made);
    },
  };
}
