import type { FormNode } from './formParts.ts';

/**
 * Runs a change of the form. If it takes away what has the focus, the nearest part above that is still there gets it: the
 * focus is never lost to the page.
 * @param nodes the nodes of the form, by their element
 */
export function keepFocus(form: HTMLElement, nodes: WeakMap<Element, FormNode>, run: () => void): void {
  const { activeElement } = document;
  const isInForm = activeElement instanceof HTMLElement && form.contains(activeElement);
  const above = isInForm ? nodesAbove(activeElement, nodes) : [];
  run();
  if (!isInForm || isShown(activeElement)) return;
  const next = above.find(({ element }) => form.contains(element) && isShown(element));
  next?.focus();
}

/** False for elements that were removed, or are hidden. */
export function isShown(target: HTMLElement): boolean {
  return target.offsetParent !== null;
}

function nodesAbove(start: Element, nodes: WeakMap<Element, FormNode>): readonly FormNode[] {
  const found: FormNode[] = [];
  for (let at: Element | null = start; at !== null; at = at.parentElement) {
    const node = nodes.get(at);
    if (node !== undefined) found.push(node);
  }
  return found;
}
