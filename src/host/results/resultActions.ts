import { PatchbayError } from '../../base/errors.ts';
import { singleLine } from '../platform/displayText.ts';
import { copyToClipboard, openInEditor } from '../platform/sendTo.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import type { ResultDocument, RunnableAction } from './resultDocument.ts';

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
    const why =
      server.state.kind === 'running' ? 'has no instructions' : 'is not running: start it to see its instructions';
    throw new PatchbayError('notFound', `The server "${label}" ${why}.`);
  }
  return {
    key: JSON.stringify(['instructions', label]),
    title: `Instructions: ${singleLine(label, 60)}`,
    server: label,
    result: { kind: 'text', text },
    texts: { identity: server.identity, kind: 'instructions', name: '' },
    notices: ['Written by the server for language models. Patchbay gives them to no model by itself.'],
    actions: textActions(() => text),
  };
}
