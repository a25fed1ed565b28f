import { commands, type Uri, type WebviewPanel } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import {
  openWholeAction,
  readResultMessage,
  type ResultFromPanel,
  type ResultToPanel,
} from '../../shared/resultMessages.ts';
import { CommandIds } from '../commandIds.ts';
import { openLink } from '../platform/openLink.ts';
import { saveAs } from '../platform/sendTo.ts';
import { showError } from '../platform/showError.ts';
import { openWebviewPanel } from '../platform/webviewPanel.ts';
import {
  blocksOf,
  resourceUrisOf,
  type ResultDocument,
  type RunnableAction,
  toBlockFile,
  toResultView,
  wholeOf,
} from './resultDocument.ts';
import type { WholeValue } from './wholeDocuments.ts';

/** The tabs that show results. Disposing closes them. */
export interface ResultPanels extends Disposable {
  /** Shows `document` in the tab of its key, opening one where there is none. */
  show(document: ResultDocument): void;
  /** The result in the active editor, whole. */
  readonly active: WholeValue | undefined;
}

/** Shows the results of prompts and tools in editor tabs. Not restored after a reload. */
export function createResultPanels({
  extensionUri,
  logger,
}: {
  readonly extensionUri: Uri;
  readonly logger: Logger;
}): ResultPanels {
  const tabs = new Map<string, ResultTab>();
  return {
    show(document) {
      const open = tabs.get(document.key);
      if (open !== undefined) return open.show(document);
      const panel = openWebviewPanel({ extensionUri, name: 'result', title: document.title });
      panel.onDidDispose(() => tabs.delete(document.key));
      tabs.set(document.key, new ResultTab(panel, document, logger));
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
  readonly #logger: Logger;
  #document: ResultDocument;
  #isReady = false;

  constructor(panel: WebviewPanel, document: ResultDocument, logger: Logger) {
    this.#panel = panel;
    this.#document = document;
    this.#logger = logger;
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
    if (message.type !== 'ready') return receiveResultMessage(this.#document, message, this.#logger);
    this.#isReady = true;
    this.#draw();
  }

  #draw(): void {
    const message: ResultToPanel = { type: 'show', view: toResultView(this.#document) };
    void this.#panel.webview.postMessage(message);
  }
}

/** Does what a page asks for that shows a result: runs a button, opens a link or a resource, saves a block. */
export function receiveResultMessage(
  document: ResultDocument,
  message: Exclude<ResultFromPanel, { readonly type: 'ready' }>,
  logger: Logger,
): void {
  switch (message.type) {
    case 'action':
      if (message.id === openWholeAction.id) void commands.executeCommand(CommandIds.openWhole);
      return runAction(
        document.actions.find((action) => action.id === message.id),
        logger,
      );
    case 'openLink':
      openLink(message.uri, document.server).catch(showError);
      return;
    case 'openResource':
      return openMentioned(document, message.uri);
    case 'save':
      return saveBlock(document, message.index);
  }
}

function runAction(action: RunnableAction | undefined, logger: Logger): void {
  action?.run().catch((error: unknown) => {
    if (isCancellation(error)) return;
    logger.error(() => `${action.label}: ${messageOf(error)}`);
    showError(error);
  });
}

function openMentioned({ server, result, opensResources }: ResultDocument, uri: string): void {
  if (opensResources !== true || !resourceUrisOf(result).has(uri)) return;
  void commands.executeCommand(CommandIds.openResource, { server, uri });
}

function saveBlock({ result }: ResultDocument, index: number): void {
  const block = blocksOf(result)[index];
  const file = block && toBlockFile(block);
  if (file !== undefined) saveAs(file.name, () => file.bytes()).catch(showError);
}
