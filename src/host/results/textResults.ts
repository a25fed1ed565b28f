import { type TextDocument, window, workspace } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { singleLine } from '../platform/displayText.ts';
import { decodeSegment } from '../platform/fileName.ts';
import { copyToClipboard, openInEditor } from '../platform/sendTo.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import type { ResultDocument, RunnableAction } from './resultDocument.ts';
import type { ResultPanels } from './resultPanel.ts';

/** *Open in Editor* and *Copy*. @param text of the result as Markdown, computed when an action runs */
export function textActions(text: () => string): RunnableAction[] {
  return [
    { id: 'editor', label: 'Open in Editor', icon: 'go-to-file', run: async () => openInEditor(text()) },
    { id: 'clipboard', label: 'Copy', icon: 'copy', run: async () => copyToClipboard(text()) },
  ];
}

/**
 * The instructions a server has for models, as a text (2025-11-25, Basic / Lifecycle, `instructions`).
 * @throws {PatchbayError} `notFound` if the server has none or does not run
 */
export function instructionsDocument({ label, server }: HostServer): ResultDocument {
  const text = server.session?.instructions;
  if (text === undefined) {
    const isRunning = server.state.kind === 'running';
    const why = isRunning ? 'has no instructions' : 'is not running: start it to see its instructions';
    throw new PatchbayError('notFound', `The server "${label}" ${why}.`);
  }
  return {
    key: JSON.stringify(['instructions', label]),
    title: `Instructions: ${singleLine(label, 60)}`,
    server: label,
    result: { kind: 'text', text },
    texts: { identity: server.identity, kind: 'instructions', name: '' },
    notices: ['Written by the server for language models. Patchbay does not send them to a model by itself.'],
    actions: textActions(() => text),
  };
}

/**
 * *Show Rendered Markdown*: the document in the active editor, as the panel of results draws Markdown. There, HTML is text, a
 * picture is a link, and a link opens after a question.
 */
export function showMarkdown(panels: ResultPanels): void {
  const document = window.activeTextEditor?.document;
  if (document !== undefined && isMarkdown(document)) return panels.show(rendered(document));
  void window.showInformationMessage('Open Markdown from a server, a model or an app first.');
}

/** Draws what {@link showMarkdown} shows again when the document changes. */
export function followMarkdown(panels: ResultPanels): Disposable {
  return workspace.onDidChangeTextDocument(({ document }) => {
    if (isMarkdown(document)) panels.update(keyOf(document), () => rendered(document));
  });
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
