import type { WebviewPanel } from 'vscode';
import { Emitter } from '../../base/event.ts';
import type { QuestionSurface } from './questionQueue.ts';

/** An editor tab as a queue of questions sees it. */
export function toQuestionSurface<ToPanel>(panel: WebviewPanel): QuestionSurface<ToPanel> {
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
    reveal: (takesFocus) => panel.reveal(undefined, !takesFocus),
    dispose() {
      isClosing = true;
      panel.dispose();
    },
  };
}
