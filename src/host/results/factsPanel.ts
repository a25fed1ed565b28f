import type { Uri, WebviewPanel } from 'vscode';
import { isCancellation, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import {
  factsText,
  type FactsAction,
  type FactsFromPanel,
  type FactsToPanel,
  type FactsView,
  readFactsMessage,
} from '../../shared/factsMessages.ts';
import { openLink } from '../platform/openLink.ts';
import { copyToClipboard } from '../platform/sendTo.ts';
import { showError } from '../platform/showError.ts';
import { fillWebviewPanel, openWebviewPanel } from '../platform/webviewPanel.ts';
import { openPlace, shownPlaces } from './sourcePlaces.ts';
import type { WholeValue } from './wholeDocuments.ts';

/** What a tab of facts shows, and what its buttons do. */
export interface FactsDocument {
  /** A document with the key of an open tab takes that tab. */
  readonly key: string;
  readonly tabTitle: string;
  readonly view: FactsView;
  /** The label of the server that links come from. */
  readonly server: string;
  /** Does what a button of the view is for. */
  readonly run: (id: string) => unknown;
  /** What `restore` needs after a reload of the window: JSON. */
  readonly kept?: unknown;
  /** What *Open Full Content* opens; the text of the page by default. */
  readonly whole?: () => WholeValue;
}

interface FactsTab {
  readonly panel: WebviewPanel;
  document: FactsDocument;
  /** Its page takes messages. */
  isReady: boolean;
}

const copyAction: FactsAction = { id: 'copy', label: 'Copy as Text', icon: 'copy' };

export type FactsPanels = ReturnType<typeof createFactsPanels>;

/**
 * Shows facts in editor tabs, which disposing closes.
 * @param type of the tabs: whether VS Code keeps them over a reload
 * @param onClose gets the key of a closed tab
 */
export function createFactsPanels(
  extensionUri: Uri,
  logger: Logger,
  type: 'details' | 'diagnosis',
  onClose: (key: string) => void,
) {
  const tabs = new Map<string, FactsTab>();

  function open(document: FactsDocument, preserveFocus: boolean): void {
    const { tabTitle: title } = document;
    add(openWebviewPanel({ extensionUri, name: 'facts', type, title, preserveFocus }), document);
  }

  function add(panel: WebviewPanel, document: FactsDocument): void {
    const { key } = document;
    const tab: FactsTab = { panel, document, isReady: false };
    tabs.set(key, tab);
    panel.onDidDispose(() => {
      tabs.delete(key);
      onClose(key);
    });
    panel.webview.onDidReceiveMessage((value: unknown) => {
      const message = readFactsMessage(value);
      if (message !== undefined) receive(tab, message, logger);
    });
  }

  return {
    /** Shows `document` in the tab of its key, opening one where there is none. @param preserveFocus where a click only previews */
    show(document: FactsDocument, preserveFocus = false): void {
      const tab = tabs.get(document.key);
      if (tab === undefined) return open(document, preserveFocus);
      tab.document = document;
      tab.panel.title = document.tabTitle;
      tab.panel.reveal(undefined, preserveFocus);
      draw(tab, false);
    },
    /** Shows `document` in a tab that VS Code has kept over a reload. */
    restore(panel: WebviewPanel, document: FactsDocument): void {
      fillWebviewPanel(panel, { extensionUri, name: 'facts', title: document.tabTitle });
      panel.title = document.tabTitle;
      add(panel, document);
    },
    /** Draws the tab of that key again, where it is; nothing where there is none. */
    update(document: FactsDocument): void {
      const tab = tabs.get(document.key);
      if (tab === undefined) return;
      tab.document = document;
      draw(tab, true);
    },
    get active(): WholeValue | undefined {
      const document = [...tabs.values()].find(({ panel }) => panel.active)?.document;
      if (document === undefined) return undefined;
      return document.whole?.() ?? { title: `${document.tabTitle}.txt`, value: Buffer.from(factsText(document.view)) };
    },
    dispose(): void {
      for (const { panel } of tabs.values()) panel.dispose();
    },
  };
}

function draw({ panel, document, isReady }: FactsTab, isUpdate: boolean): void {
  if (!isReady) return;
  const view = { ...document.view, actions: [...document.view.actions, copyAction] };
  const places = shownPlaces(factsText(document.view));
  const message: FactsToPanel = { type: 'show', view, isUpdate, places, kept: document.kept };
  void panel.webview.postMessage(message);
}

function receive(tab: FactsTab, message: FactsFromPanel, logger: Logger): void {
  const { document } = tab;
  if (message.type === 'ready') {
    tab.isReady = true;
    return draw(tab, false);
  }
  doAsked(document, message).catch((error: unknown) => {
    if (isCancellation(error)) return;
    logger.error(() => `${document.tabTitle}, ${message.type}: ${messageOf(error)}`);
    showError(error);
  });
}

async function doAsked(document: FactsDocument, message: Exclude<FactsFromPanel, { readonly type: 'ready' }>) {
  switch (message.type) {
    case 'action':
      return act(document, message.id);
    case 'openLink':
      return follow(document, message.uri);
    case 'openPlace':
      return openPlace(factsText(document.view), message.index);
  }
}

async function act({ view, run }: FactsDocument, id: string): Promise<unknown> {
  return id === copyAction.id ? copyToClipboard(factsText(view)) : run(id);
}

/** Only what the page shows as a link is one. */
async function follow({ view, server }: FactsDocument, uri: string): Promise<unknown> {
  const parts = view.sections.flatMap((section) => section.parts);
  const isShown = parts.some(
    (part) => part.kind === 'facts' && part.facts.some(({ text, isLink }) => isLink === true && text === uri),
  );
  return isShown ? openLink(uri, server) : undefined;
}
