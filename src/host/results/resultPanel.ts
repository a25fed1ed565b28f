import type { Uri, WebviewPanel } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { readResultMessage, type ResultToPanel } from '../../shared/resultMessages.ts';
import { openWebviewPanel } from '../platform/webviewPanel.ts';
import { type ResultDocument, toResultView } from './resultDocument.ts';
import { receiveResultMessage, type ResultPorts, textStyleOf, wholeValueOf } from './resultRequests.ts';
import type { WholeValue } from './wholeDocuments.ts';

interface ResultTab {
  readonly panel: WebviewPanel;
  document: ResultDocument;
  /** Its page takes messages. */
  isReady: boolean;
}

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
    const tab = this.#tabs.get(document.key);
    if (tab === undefined) return this.#open(document);
    tab.document = document;
    tab.panel.title = document.title;
    tab.panel.reveal();
    this.#draw(tab);
  }

  /** Draws the tab of that key again, where it is; nothing where there is none. */
  update(key: string, document: () => ResultDocument): void {
    const tab = this.#tabs.get(key);
    if (tab === undefined) return;
    tab.document = document();
    this.#draw(tab, true);
  }

  get active(): WholeValue | undefined {
    const active = [...this.#tabs.values()].find(({ panel }) => panel.active);
    return active && wholeValueOf(active.document);
  }

  dispose(): void {
    for (const { panel } of this.#tabs.values()) panel.dispose();
  }

  #open(document: ResultDocument): void {
    const { key, title } = document;
    const panel = openWebviewPanel({ extensionUri: this.#extensionUri, name: 'result', title });
    const tab: ResultTab = { panel, document, isReady: false };
    this.#tabs.set(key, tab);
    panel.onDidDispose(() => this.#tabs.delete(key));
    panel.webview.onDidReceiveMessage((value: unknown) => {
      const message = readResultMessage(value);
      if (message === undefined) return;
      if (message.type !== 'ready') return receiveResultMessage(tab.document, message, this.#ports);
      tab.isReady = true;
      this.#draw(tab);
    });
  }

  #draw({ panel, document, isReady }: ResultTab, isUpdate?: true): void {
    if (!isReady) return;
    const textStyle = textStyleOf(this.#ports.storage, document.texts);
    const message: ResultToPanel = { type: 'show', view: toResultView(document), textStyle, isUpdate };
    void panel.webview.postMessage(message);
  }
}
