/** What the two keys of the panel do in the part that is shown. */
export interface ShortcutTargets {
  /** Ctrl+Enter, or Cmd+Enter on a Mac. */
  readonly accept: () => void;
  /** Escape; the first one in a text field only leaves the field, so that no edit is lost by habit. */
  readonly refuse: () => void;
  /** Where the focus goes on leaving a field. */
  readonly leaveField: () => void;
}

/** @param targets asked at every key; `undefined` while the panel takes none */
export function listenToShortcuts(targets: () => ShortcutTargets | undefined): void {
  document.addEventListener('keydown', (event) => {
    // A held key or one that composes a character was not meant as a decision.
    if (event.repeat || event.isComposing) return;
    const isAccept = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    const isRefuse = event.key === 'Escape';
    if (!isAccept && !isRefuse) return;
    const target = targets();
    if (target === undefined) return;
    // An open list closes on Escape by itself.
    if (isRefuse && event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    // VS Code listens further out and would run its own keybindings as well.
    event.stopPropagation();
    if (isAccept) target.accept();
    else if (isField(event.target)) target.leaveField();
    else target.refuse();
  });
}

/** For the hint next to a button. */
export function acceptKeys(): string {
  return navigator.userAgent.includes('Mac') ? '⌘Enter' : 'Ctrl+Enter';
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
}
