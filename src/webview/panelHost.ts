import { isRecord, isString } from '../base/json.ts';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

/** The extension, seen from a page. */
export interface PanelHost<FromPanel> {
  send(message: FromPanel): void;
}

/**
 * Connects the page to the extension. Call once; VS Code hands its API out a single time.
 * @param onMessage gets every message that has one of `types`; the extension is trusted for the rest of its shape
 */
export function connectPanel<ToPanel extends { readonly type: string }, FromPanel>(
  types: readonly ToPanel['type'][],
  onMessage: (message: ToPanel) => void,
): PanelHost<FromPanel> {
  const api = acquireVsCodeApi();
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = event.data;
    if (isRecord(message) && isString(message['type']) && types.includes(message['type'])) {
      onMessage(message as unknown as ToPanel);
    }
  });
  return { send: (message) => api.postMessage(message) };
}
