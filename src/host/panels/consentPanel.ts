import type { Uri, WebviewPanel } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { ConsentQueue, type ConsentSurface } from './consentQueue.ts';
import { openWebviewPanel } from './openWebviewPanel.ts';

export interface ConsentPanelOptions {
  readonly extensionUri: Uri;
  readonly clock: Clock;
}

/**
 * Asks about requests for a language model in an editor tab. There is no serializer on purpose: after a reload of the
 * window the tab is gone, and with it the request.
 */
export function createConsentPanel(options: ConsentPanelOptions): ConsentQueue {
  return new ConsentQueue({
    clock: options.clock,
    openSurface: () =>
      toSurface(
        openWebviewPanel({ extensionUri: options.extensionUri, name: 'consent', title: 'Patchbay: Model Request' }),
      ),
  });
}

function toSurface(panel: WebviewPanel): ConsentSurface {
  const didClose = new Emitter<void>();
  let isClosing = false;
  panel.onDidDispose(() => {
    if (!isClosing) didClose.fire();
    didClose.dispose();
  });
  return {
    onMessage: (listener) => panel.webview.onDidReceiveMessage((message: unknown) => listener(message)),
    onDidClose: didClose.event,
    // The promise tells whether the page was there to hear it; a page that was not gets everything with its "ready".
    post: (message) => void panel.webview.postMessage(message),
    // The next request comes to the front; whoever types elsewhere by now goes on typing there.
    reveal: () => panel.reveal(undefined, true),
    dispose() {
      isClosing = true;
      panel.dispose();
    },
  };
}
