import { isRecord, isString } from '../base/json.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

interface ExtensionConnection<FromPanel> {
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
 * @param onMessage called with each message; its shape is not checked, as the extension is trusted, but VS Code sends messages of
 *   other types too
 */
export function connectToExtension<FromPanel>(onMessage: (message: never) => void): ExtensionConnection<FromPanel> {
  const api = acquireVsCodeApi();
  window.addEventListener('message', ({ origin, data }: MessageEvent<unknown>) => {
    // A frame anywhere in the window can post to this page; VS Code's own messages come from the page's own origin.
    if (origin === self.origin && isRecord(data) && isString(data['type'])) onMessage(data as never);
  });
  let typedAt = -Infinity;
  const noteKey = (): void => {
    if (performance.now() - typedAt < typedMs) return;
    typedAt = performance.now();
    api.postMessage({ type: 'typed' });
  };
  window.addEventListener('keydown', noteKey, { capture: true });
  return {
    send: (message) => api.postMessage(message),
    getState: () => api.getState(),
    setState: (state) => api.setState(state),
  };
}
