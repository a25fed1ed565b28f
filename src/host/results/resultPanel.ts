import { commands, type Uri, type WebviewPanel } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import {
  openWholeAction,
  readResultMessage,
  type ResultFromPanel,
  type ResultToPanel,
} from '../../shared/resultMessages.ts';
import { CommandIds } from '../commandIds.ts';
import { openLink } from '../platform/openLink.ts';
import { blocksOf, resourceUrisOf, type ResultDocument, toBlockFile, toResultView, wholeOf } from './resultDocument.ts';
import { saveAs } from '../platform/sendTo.ts';
import { showError } from '../platform/showError.ts';
import type { WholeValue } from './wholeDocuments.ts';
import { openWebviewPanel } from '../platform/webviewPanel.ts';

export interface ResultPanels extends Disposable {
  /** Shows `document` in the tab of its key, opening one where there is none. */
  show(document: ResultDocument): void;
  /** The result in the active editor, whole. */
  readonly active: WholeValue | undefined;
}

/** Shows the results of prompts and tools in editor tabs. Not restored after a reload. */
export function createResultPanels(options: { readonly extensionUri: Uri }): ResultPanels {
  const tabs = new Map<string, ResultTab>();
  return {
    show(document) {
      const open = tabs.get(document.key);
      if (open !== undefined) return open.show(document);
      const panel = openWebviewPanel({ ...options, name: 'result', title: document.title });
      panel.onDidDispose(() => tabs.delete(document.key));
      tabs.set(document.key, new ResultTab(panel, document));
    },
    get active() {
      return [...tabs.values()].find(({ isActive }) => isActive)?.whole;
    },
    dispose() {
      for (const tab of tabs.values()) tab.dispose();
    },
  };
}

class ResultTab implements Disposable {
  readonly #panel: WebviewPanel;
  #document: ResultDocument;
  #isReady = false;

  constructor(panel: WebviewPanel, document: ResultDocument) {
    this.#panel = panel;
    this.#document = document;
    panel.webview.onDidReceiveMessage((value: unknown) => {
      const message = readResultMessage(value);
      if (message !== undefined) this.#receive(message);
    });
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  get whole(): WholeValue {
    const { title, result } = this.#document;
    return { title, value: wholeOf(result) };
  }

  show(document: ResultDocument): void {
    this.#document = document;
    this.#panel.title = document.title;
    this.#panel.reveal();
    if (this.#isReady) this.#draw();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #receive(message: ResultFromPanel): void {
    const document = this.#document;
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        return this.#draw();
      case 'action':
        if (message.id === openWholeAction.id) void commands.executeCommand(CommandIds.openWhole);
        if (document.actions.some((action) => action.id === message.id)) document.onAction(message.id);
        return;
      case 'openLink':
        openLink(message.uri, document.server).catch(showError);
        return;
      case 'openResource':
        if (resourceUrisOf(document.result).has(message.uri)) document.onOpenResource?.(message.uri);
        return;
      case 'save':
        void this.#save(message.index);
    }
  }

  async #save(index: number): Promise<void> {
    const block = blocksOf(this.#document.result)[index];
    const file = block && toBlockFile(block);
    if (file === undefined) return;
    try {
      await saveAs(file.name, () => file.bytes());
    } catch (error) {
      showError(error);
    }
  }

  #draw(): void {
    const message: ResultToPanel = { type: 'show', view: toResultView(this.#document) };
    void this.#panel.webview.postMessage(message);
  }
}
