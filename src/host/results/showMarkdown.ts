import { type TextDocument, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { CommandIds } from '../commandIds.ts';
import { singleLine } from '../platform/displayText.ts';
import { decodeSegment } from '../platform/fileName.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import type { ResultDocument } from './resultDocument.ts';
import type { ResultPanels } from './resultPanel.ts';

/**
 * *Show Rendered Markdown*: the document in the active editor, as the panel of results draws Markdown. There, HTML is text, a
 * picture is a link, and a link opens after a question.
 */
export function registerShowMarkdown(logger: Logger, panels: () => Promise<ResultPanels>): Disposable {
  const store = new DisposableStore();
  let loaded: ResultPanels | undefined;
  store.add(
    registerCommand({ logger }, CommandIds.showMarkdown, async () => {
      const document = window.activeTextEditor?.document;
      if (document === undefined || !isMarkdown(document))
        return window.showInformationMessage('Open Markdown that a server, a model or an app wrote first.');
      loaded = await panels();
      return loaded.show(rendered(document));
    }),
  );
  store.add(
    workspace.onDidChangeTextDocument(({ document }) => {
      if (isMarkdown(document)) loaded?.update(keyOf(document), () => rendered(document));
    }),
  );
  return store;
}

function isMarkdown({ languageId }: TextDocument): boolean {
  return languageId === 'patchbay-markdown';
}

function keyOf({ uri }: TextDocument): string {
  return JSON.stringify(['markdown', uri.toString()]);
}

function rendered(document: TextDocument): ResultDocument {
  const { path, authority } = document.uri;
  const name = singleLine(path.slice(path.lastIndexOf('/') + 1), 60);
  const text = document.getText();
  return {
    key: keyOf(document),
    title: `Rendered: ${name}`,
    // Documents of servers have the label in their address; of others, their name says where a link comes from.
    server: (authority === '' ? undefined : decodeSegment(authority)) ?? name,
    result: { kind: 'text', text, mimeType: 'text/markdown' },
    notices: text.trim() === '' ? ['This document is empty.'] : [],
    actions: [],
  };
}
