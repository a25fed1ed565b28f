/** What the two keyboard shortcuts of a panel do in the current step. */
export interface ShortcutTargets {
  /** Ctrl+Enter, or Cmd+Enter on a Mac. */
  readonly accept: () => void;
  /** Escape. In a text field, Escape leaves the field first, so that no edit is lost by accident. */
  readonly refuse: () => void;
  /** Moves the focus out of a text field. */
  readonly leaveField: () => void;
}

/**
 * Listens for the two shortcuts on the whole page.
 * @param targets called for each key; returns `undefined` while the panel takes no keys
 */
export function listenToShortcuts(targets: () => ShortcutTargets | undefined): void {
  document.addEventListener('keydown', (event) => {
    // A repeated key, or one that is part of an IME composition, is not a decision.
    if (event.repeat || event.isComposing) return;
    const isAccept = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    const isRefuse = event.key === 'Escape';
    if (!isAccept && !isRefuse) return;
    const target = targets();
    if (target === undefined) return;
    // Escape closes an open list.
    if (isRefuse && event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    // VS Code listens on an outer element and would also run its own keybindings.
    event.stopPropagation();
    if (isAccept) target.accept();
    else if (isField(event.target)) target.leaveField();
    else target.refuse();
  });
}

/** The name of the accept shortcut on this platform, for hints and tooltips. */
export function acceptKeys(): string {
  return navigator.userAgent.includes('Mac') ? '⌘Enter' : 'Ctrl+Enter';
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
}
