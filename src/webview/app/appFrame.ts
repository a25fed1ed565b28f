// Runs in the app's own document before anything of the app. All of it is a convenience for apps: an app can undo it, and no
// promise to a person rests on it.
import { replaceParent } from './frameParent.ts';
import { followTheme } from './frameTheme.ts';

/** The page around the app. */
const page = window.parent;

/** Apps expect storage, and a frame without an origin has none: this one ends with the document. */
function memoryStorage(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    clear: () => kept.clear(),
    getItem: (key: string) => kept.get(key) ?? null,
    key: (index: number) => [...kept.keys()][index] ?? null,
    removeItem: (key: string) => void kept.delete(key),
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

function hasStorage(name: 'localStorage' | 'sessionStorage'): boolean {
  try {
    return typeof window[name] === 'object';
  } catch {
    // There is none without an origin, or the browser gives none to pages inside others.
    return false;
  }
}

/** Reports of one kind from one document; a person who builds an app needs the first ones. */
const maximumReports = 50;

/** @returns a function that tells the page around the app each text once */
function createReporter(kind: 'blocked' | 'failed'): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (told.has(text) || told.size >= maximumReports) return;
    told.add(text);
    page.postMessage({ patchbay: kind, text }, '*');
  };
}

const reportBlocked = createReporter('blocked');
const reportFailed = createReporter('failed');

/** Libraries make a function without a body, to see whether they could make one; they go on without it. */
function isProbe(blocked: string, sample: string): boolean {
  return blocked === 'eval' && /^\(function anonymous\(\s*\) \{\s*\}\)$/.test(sample);
}

/** No window opens. Right after a click or a key it counts as a link, which the person is asked about; otherwise it is blocked. */
function openWindow(address?: string | URL): null {
  const href = String(address ?? '');
  if (navigator.userActivation.isActive && href !== '') page.postMessage({ patchbay: 'link', href }, '*');
  else reportBlocked(`window.open ${href}`);
  return null;
}

/** A blocked navigation would leave an error page in place of the app. */
function followLink(event: MouseEvent): void {
  const target = event.composedPath()[0];
  const link = target instanceof Element ? target.closest('a[href], area[href]') : null;
  const href = link?.getAttribute('href');
  if (event.defaultPrevented || href === undefined || href === null) return;
  event.preventDefault();
  if (href.startsWith('#')) {
    const id = decodeURIComponent(href.slice(1));
    (document.getElementById(id) ?? document.documentElement).scrollIntoView();
    return;
  }
  page.postMessage({ patchbay: 'link', href }, '*');
}

/** Keys that lead to the rest of the window lead out of the app, to the page around it; pressed again, they do what they do there. */
function leaveByKey(event: KeyboardEvent): void {
  const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
  const isPalette = key === 'F1' || ((ctrlKey || metaKey) && shiftKey && code === 'KeyP');
  if (event.defaultPrevented || !event.isTrusted || altKey || !(isPalette || key === 'F6')) return;
  event.preventDefault();
  page.postMessage({ patchbay: 'key' }, '*');
}

const withConfirmation = { targetOrigin: '*', includeUserActivation: true };

/** The page around the app may take the focus for a moment after a press, and what was pressed would not have it again. */
const pressMs = 1_000;
let pressed: { readonly element: Element; readonly at: number } | undefined;

/** A click gives the app the keyboard, where the browser confirms it. */
function reportPress(event: PointerEvent): void {
  if (!event.isTrusted) return;
  page.postMessage({ patchbay: 'press', isUp: event.type === 'pointerup' }, withConfirmation);
  const target = event.composedPath()[0];
  pressed = target instanceof Element ? { element: target, at: performance.now() } : undefined;
}

function focusPressed(): void {
  const { element, at } = pressed ?? { element: undefined, at: -Infinity };
  pressed = undefined;
  // Later the focus comes by Tab, which chooses what gets it.
  if (performance.now() - at > pressMs) return;
  const field = element?.closest('input, textarea, select, button, [tabindex], [contenteditable]');
  const hasNone = document.activeElement === null || document.activeElement === document.body;
  if (hasNone && (field instanceof HTMLElement || field instanceof SVGElement)) field.focus({ preventScroll: true });
}

/** Many apps focus a field as they load. These calls do nothing while the person is elsewhere; one that goes on is stopped. */
const maximumIgnored = 3;
let ignored = 0;

function isIgnored(): boolean {
  if (document.hasFocus() || ignored >= maximumIgnored) return false;
  ignored += 1;
  return true;
}

function focusOnlyInside({ prototype }: { readonly prototype: HTMLOrSVGElement }): void {
  const focus: (this: HTMLOrSVGElement, options?: FocusOptions) => void = Reflect.get(prototype, 'focus');
  prototype.focus = function focusInside(this: HTMLOrSVGElement, options) {
    if (!isIgnored()) focus.call(this, options);
  };
}

replaceParent(page, followTheme(document.currentScript?.dataset['theme'] === 'dark' ? 'dark' : 'light'));
for (const name of ['localStorage', 'sessionStorage'] as const)
  if (!hasStorage(name)) Object.defineProperty(window, name, { value: memoryStorage(), configurable: true });
// Connections of WebRTC are no requests to the policy.
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) Reflect.deleteProperty(window, name);
for (const name of ['pushState', 'replaceState'] as const) {
  const original = history[name].bind(history);
  history[name] = (...given) => {
    try {
      original(...given);
    } catch {
      // The document has no address that could change.
    }
  };
}
window.open = openWindow;
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
  if (!isProbe(blockedURI, sample)) reportBlocked(`${effectiveDirective} ${blockedURI}`);
});
window.addEventListener('error', ({ message }) => reportFailed(message));
window.addEventListener('unhandledrejection', ({ reason }) => reportFailed(String(reason)));
window.addEventListener('click', followLink);
window.addEventListener('keydown', leaveByKey);
window.addEventListener('focus', focusPressed);
for (const type of ['pointerdown', 'pointerup'] as const) window.addEventListener(type, reportPress, { capture: true });
for (const kind of [HTMLElement, SVGElement]) focusOnlyInside(kind);
