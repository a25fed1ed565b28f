import { isCancellation, messageOf, PatchbayError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ResultAction } from '../../shared/resultMessages.ts';
import { singleLine } from '../platform/displayText.ts';
import { copyToClipboard, openInEditor } from '../platform/sendTo.ts';
import { showError } from '../platform/showError.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import type { ResultDocument } from './resultDocument.ts';

/** A button of a result, with what it does. */
export interface RunnableAction extends ResultAction {
  run(): Promise<void>;
}

export interface ActionHandling {
  readonly actions: readonly ResultAction[];
  readonly onAction: (id: string) => void;
}

/** @param onError shows an error to the user; cancellations never get there */
export function handleActions(
  actions: readonly RunnableAction[],
  logger: Logger,
  onError: (error: unknown) => void,
): ActionHandling {
  return {
    actions: actions.map(({ id, label, icon }) => ({ id, label, icon })),
    onAction(id) {
      const action = actions.find((candidate) => candidate.id === id);
      action?.run().catch((error: unknown) => {
        if (isCancellation(error)) return;
        logger.error(() => `${action.label}: ${messageOf(error)}`);
        onError(error);
      });
    },
  };
}

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
