import { isRecord } from '../base/json.ts';
import { button } from './dom.ts';

/**
 * Milliseconds before a question that just appeared can be decided, so that no click or key meant for something else
 * decides it.
 */
export const decisionDelayMs = 1_000;

/** For so long after an act of the person on a control, what moves is taken for what the act has moved, in milliseconds. */
const ownMs = 500;

const controlSelector = 'button, input, select, textarea, summary, audio';

/**
 * Keeps the deciding buttons and keys disabled until the person has had time to see the question, and again whenever what decides
 * has moved or changed its size. Its listeners stay for as long as the page.
 * @param onDidChange called when the deciding buttons are to be enabled or disabled
 * @param decides what holds the deciding buttons, while there is a question
 * @param onDidInteract called at each interaction of the person, after which keys decide
 */
export function createDecisionGuard(
  onDidChange: (isEnabled: boolean) => void,
  decides: () => Element | undefined,
  onDidInteract?: () => void,
) {
  let isEnabled = false;
  let place = '';
  let actedAt = -Infinity;
  let hasInteraction = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function restartDelay(): void {
    clearTimeout(timer);
    isEnabled = false;
    place = placeOf(decides());
    observer.disconnect();
    for (const each of [document.body, ...document.body.children]) observer.observe(each);
    onDidChange(false);
    if (document.visibilityState !== 'visible') return;
    timer = setTimeout(() => {
      isEnabled = true;
      onDidChange(true);
    }, decisionDelayMs);
  }

  const follow = (): void => {
    const now = placeOf(decides());
    if (now === place) return;
    // What the person does on the page may move the buttons: that surprises no one.
    if (performance.now() - actedAt < ownMs) place = now;
    else restartDelay();
  };
  const observer = new ResizeObserver(follow);
  const noteAct = ({ target }: Event): void => {
    // What has moved before this act was not moved by it.
    follow();
    if (target instanceof Element && target.closest(controlSelector) !== null) actedAt = performance.now();
  };
  for (const type of ['input', 'click', 'keydown']) document.addEventListener(type, noteAct, { capture: true });
  listenForMoves(follow, restartDelay);

  listenForInteraction(() => {
    hasInteraction = true;
    onDidInteract?.();
  });
  document.addEventListener('visibilitychange', () => {
    if (!isEnabled) restartDelay();
  });
  return {
    /** The next step of the same question is on the screen: waits again. */
    restartDelay,
    /** A new question is on the screen: forgets all interaction and waits. */
    reset(): void {
      hasInteraction = false;
      restartDelay();
    },
    /** The wait is over: buttons and keys may decide. */
    get isEnabled(): boolean {
      follow();
      return isEnabled;
    },
    /** The person has clicked on the page or focused a control since the question appeared. Before that, keys decide nothing. */
    get hasInteraction(): boolean {
      return hasInteraction;
    },
  };
}

function listenForInteraction(onDidInteract: () => void): void {
  document.addEventListener('pointerdown', onDidInteract, { capture: true });
  document.addEventListener('focusin', ({ target }) => {
    // The page itself focuses headings only. A control gets the focus from the person.
    if (target instanceof Element && target.matches(controlSelector)) onDidInteract();
  });
}

/** @param onTabMoved the extension tells the page, which cannot see it; a frame in the page has another origin */
function listenForMoves(onMoved: () => void, onTabMoved: () => void): void {
  window.addEventListener('resize', onMoved);
  document.addEventListener('scroll', onMoved, { capture: true });
  window.addEventListener('message', ({ origin, data }: MessageEvent<unknown>) => {
    if (origin === self.origin && isRecord(data) && data['type'] === 'moved') onTabMoved();
  });
}

function placeOf(deciding: Element | undefined): string {
  if (deciding === undefined) return '';
  const { left, top, width, height } = deciding.getBoundingClientRect();
  return [left, top, width, height].map(Math.round).join(' ');
}

/** What the two keyboard shortcuts of a panel do in the current step. */
export interface ShortcutActions {
  /** Ctrl+Enter, or Cmd+Enter on a Mac. */
  readonly accept: () => void;
  /** Escape. In a text field, Escape leaves the field first, so that no edit is lost by accident. */
  readonly refuse: () => void;
  readonly leaveField: () => void;
}

/**
 * Listens for the two shortcuts on the whole page.
 * @param currentActions called for each key; returns `undefined` while the panel takes no keys
 */
export function listenToShortcuts(currentActions: () => ShortcutActions | undefined): void {
  document.addEventListener('keydown', (event) => {
    // A repeated key, or one that is part of an IME composition, is not a decision.
    if (event.repeat || event.isComposing) return;
    const isAccept = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    const isRefuse = event.key === 'Escape';
    if (!isAccept && !isRefuse) return;
    const actions = currentActions();
    if (actions === undefined) return;
    // Escape closes an open list.
    if (isRefuse && event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    // VS Code listens on an outer element and would also run its own keybindings.
    event.stopPropagation();
    if (isAccept) actions.accept();
    else if (isField(event.target)) leave(event.target, actions);
    else actions.refuse();
  });
}

/** The name of the accept shortcut on this platform, for hints and tooltips. */
export function acceptKeys(): string {
  return navigator.userAgent.includes('Mac') ? '⌘Enter' : 'Ctrl+Enter';
}

/** The button for which the accept shortcut stands. */
export function acceptButton(label: string, icon: string, onClick: () => void): HTMLButtonElement {
  return button({ label, icon, kind: 'primary', title: acceptKeys(), onClick });
}

/** Also while the button that it leads to is disabled, and takes no focus. */
function leave(field: HTMLElement, { leaveField }: ShortcutActions): void {
  leaveField();
  if (document.activeElement === field) field.blur();
}

function isField(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  return target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
}
