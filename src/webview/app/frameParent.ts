import { isRecord } from '../../base/json.ts';

/**
 * Gives the app a parent that it may read: on a window of another origin, each look at a member throws, and frameworks such as
 * Vue look for members of their own on all that they hold. What the page says comes from that parent too.
 * @param page the real one, which messages go to as before
 * @param onTheme gets the theme that the page tells of; the app gets no such message
 */
export function replaceParent(page: Window, onTheme: (theme: 'light' | 'dark') => void): void {
  const ignore = (): void => {};
  const parent: Record<string, unknown> = {
    postMessage: (message: unknown, ...rest: [options?: WindowPostMessageOptions]) =>
      page.postMessage(message, ...rest),
    closed: false,
    length: 0,
    opener: null,
    focus: ignore,
    blur: ignore,
    close: ignore,
  };
  // As on the window at the top: who looks for that one goes from parent to parent.
  for (const name of ['window', 'self', 'frames', 'parent', 'top']) parent[name] = parent;
  // Frozen, so that Vue does not wrap it in a proxy.
  Object.freeze(parent);
  Object.defineProperty(window, 'parent', { value: parent, writable: true, configurable: true, enumerable: true });
  window.addEventListener(
    'message',
    (event) => {
      if (event.source !== page) return;
      const data: unknown = event.data;
      if (isRecord(data) && data['patchbay'] === 'theme') {
        event.stopImmediatePropagation();
        return onTheme(data['theme'] === 'light' ? 'light' : 'dark');
      }
      Object.defineProperty(event, 'source', { value: parent, configurable: true });
    },
    { capture: true },
  );
}
