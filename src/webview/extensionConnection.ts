import { isRecord, isString } from '../base/json.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** A page's connection to the extension. */
export interface ExtensionConnection<FromPanel> {
  send(message: FromPanel): void;
  /** What {@link setState} kept of this page, also over a reload of the window; unchecked. */
  getState(): unknown;
  /** @param state JSON */
  setState(state: unknown): void;
}

/** Milliseconds between two times that the extension is told of keys. The pages of apps have to know: see `app/keyboardWatch`. */
const typedMs = 300;

/**
 * Connects the page to the extension. Call it once: `acquireVsCodeApi` throws on a second call.
 * @param types the message types to receive; others are dropped
 * @param onMessage called with each message; apart from its type its shape is not checked, as the extension is trusted
 */
export function connectToExtension<ToPanel extends { readonly type: string }, FromPanel>(
  types: readonly ToPanel['type'][],
  onMessage: (message: ToPanel) => void,
): ExtensionConnection<FromPanel> {
  const api = acquireVsCodeApi();
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    // A frame anywhere in the window can post to this page; VS Code's own messages come from the page's own origin.
    if (event.origin !== self.origin) return;
    const message = event.data;
    if (isRecord(message) && isString(message['type']) && types.includes(message['type'])) {
      onMessage(message as unknown as ToPanel);
    }
  });
  let typedAt = -Infinity;
  window.addEventListener(
    'keydown',
    () => {
      if (performance.now() - typedAt < typedMs) return;
      typedAt = performance.now();
      api.postMessage({ type: 'typed' });
    },
    { capture: true },
  );
  return {
    send: (message) => api.postMessage(message),
    getState: () => api.getState(),
    setState: (state) => api.setState(state),
  };
}
