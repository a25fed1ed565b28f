import { PatchbayError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { singleLine } from '../displayText.ts';
import type { ResultDocument } from '../panels/resultDocument.ts';
import type { HostServer } from '../serverRegistry.ts';
import { handleActions } from './resultActions.ts';
import { copyToClipboard, openInEditor } from './sendTo.ts';
import { showError } from './showError.ts';

/**
 * What a server tells models of itself, to be read as the Markdown it is (2025-11-25, basic/lifecycle, `instructions`).
 * @throws {PatchbayError} `notFound` where it has none, or does not run
 */
export function instructionsDocument({ label, server }: HostServer, logger: Logger): ResultDocument {
  const text = server.session?.instructions;
  if (text === undefined) {
    const why =
      server.state.kind === 'running' ? 'has no instructions' : 'is not running: start it to see its instructions';
    throw new PatchbayError('notFound', `The server "${label}" ${why}.`);
  }
  const actions = [
    { id: 'editor', label: 'Open in Editor', icon: 'go-to-file', run: () => openInEditor(text) },
    { id: 'clipboard', label: 'Copy', icon: 'copy', run: () => copyToClipboard(text) },
  ];
  return {
    key: JSON.stringify(['instructions', label]),
    title: `Instructions: ${singleLine(label, 60)}`,
    server: label,
    result: { kind: 'text', text },
    notices: ['Written by the server for language models. Patchbay gives them to no model by itself.'],
    ...handleActions(actions, logger, showError),
  };
}
