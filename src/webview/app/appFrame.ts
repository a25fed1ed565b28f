// Runs in the app's own document before anything of the app. All of it is a convenience for apps: an app can undo it, and no
// promise to a person rests on it.

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
  window.parent.postMessage({ patchbay: 'link', href }, '*');
}

/** Keys with which a person leaves the app; no others go on, as a key can be a command. */
function passKey(event: KeyboardEvent): void {
  const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
  const isPalette = key === 'F1' || ((ctrlKey || metaKey) && shiftKey && code === 'KeyP');
  if (event.defaultPrevented || !event.isTrusted || altKey || !(isPalette || key === 'F6')) return;
  event.preventDefault();
  window.parent.postMessage({ patchbay: 'key', key: isPalette ? 'F1' : 'F6', shiftKey: !isPalette && shiftKey }, '*');
}

for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { value: memoryStorage(), configurable: true });
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
window.addEventListener('click', followLink);
window.addEventListener('keydown', passKey);
