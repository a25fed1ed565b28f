import type { Uri, WebviewPanel } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { readResultMessage, type ResultFromPanel, type ResultToPanel } from '../../shared/resultMessages.ts';
import { openWebviewPanel } from '../platform/webviewPanel.ts';
import { type ResultDocument, toResultView } from './resultDocument.ts';
import { receiveResultMessage, type ResultPorts, wholeValueOf } from './resultRequests.ts';
import { textStyleOf } from './textStyles.ts';
import type { WholeValue } from './wholeDocuments.ts';

/** Shows the results of prompts and tools in editor tabs, which disposing closes. Not restored after a reload. */
export class ResultPanels implements Disposable {
  readonly #extensionUri: Uri;
  readonly #ports: ResultPorts;
  readonly #tabs = new Map<string, ResultTab>();

  constructor(extensionUri: Uri, ports: ResultPorts) {
    this.#extensionUri = extensionUri;
    this.#ports = ports;
  }

  /** Shows `document` in the tab of its key, opening one where there is none. */
  show(document: ResultDocument): void {
    const open = this.#tabs.get(document.key);
    if (open !== undefined) return open.show(document);
    const panel = openWebviewPanel({ extensionUri: this.#extensionUri, name: 'result', title: document.title });
    panel.onDidDispose(() => this.#tabs.delete(document.key));
    this.#tabs.set(document.key, new ResultTab(panel, document, this.#ports));
  }

  /** Draws the tab of that key again, where it is; nothing where there is none. */
  update(key: string, document: () => ResultDocument): void {
    this.#tabs.get(key)?.update(document());
  }

  get active(): WholeValue | undefined {
    return [...this.#tabs.values()].find(({ isActive }) => isActive)?.whole;
  }

  dispose(): void {
    for (const tab of this.#tabs.values()) tab.dispose();
  }
}

class ResultTab {
  readonly #panel: WebviewPanel;
  readonly #ports: ResultPorts;
  #document: ResultDocument;
  #isReady = false;

  constructor(panel: WebviewPanel, document: ResultDocument, ports: ResultPorts) {
    this.#panel = panel;
    this.#document = document;
    this.#ports = ports;
    panel.webview.onDidReceiveMessage((value: unknown) => {
      const message = readResultMessage(value);
      if (message !== undefined) this.#receive(message);
    });
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  get whole(): WholeValue {
    return wholeValueOf(this.#document);
  }

  show(document: ResultDocument): void {
    this.#document = document;
    this.#panel.title = document.title;
    this.#panel.reveal();
    if (this.#isReady) this.#draw();
  }

  update(document: ResultDocument): void {
    this.#document = document;
    if (this.#isReady) this.#draw(true);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #receive(message: ResultFromPanel): void {
    if (message.type !== 'ready') return receiveResultMessage(this.#document, message, this.#ports);
    this.#isReady = true;
    this.#draw();
  }

  #draw(isUpdate?: true): void {
    const textStyle = textStyleOf(this.#ports.storage, this.#document.texts);
    const message: ResultToPanel = { type: 'show', view: toResultView(this.#document), textStyle, isUpdate };
    void this.#panel.webview.postMessage(message);
  }
}
