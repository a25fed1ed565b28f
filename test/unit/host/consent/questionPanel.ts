import { expect } from 'vitest';
import type { WebviewPanel } from 'vscode';
import { Emitter } from '../../../../src/base/event.ts';

/** The panel of a queue; a test takes the place of its page. */
export function createQuestionPanel<ToPanel extends { readonly type: string }>() {
  const panels: { posted: ToPanel[]; message: Emitter<unknown>; close: Emitter<void>; isOpen: boolean }[] = [];
  /** What happened to all panels, in order. */
  const seen: string[] = [];
  const panel = () => panels.at(-1) ?? expect.unreachable('No panel was opened.');
  const openPanel = (): WebviewPanel => {
    const opened = {
      posted: [] as ToPanel[],
      message: new Emitter<unknown>(),
      close: new Emitter<void>(),
      isOpen: true,
    };
    panels.push(opened);
    const made = {
      webview: {
        onDidReceiveMessage: opened.message.event,
        postMessage(message: ToPanel) {
          opened.posted.push(message);
          seen.push(message.type);
        },
      },
      onDidDispose: opened.close.event,
      onDidChangeViewState: () => {},
      reveal: (_column: undefined, preserveFocus = false) => seen.push(preserveFocus ? 'revealed' : 'focused'),
      dispose() {
        opened.isOpen = false;
        seen.push('disposed');
        opened.close.fire();
      },
    };
    return made as unknown as WebviewPanel;
  };
  return { panels, panel, seen, openPanel, say: (message: unknown): void => panel().message.fire(message) };
}
