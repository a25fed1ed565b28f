import type { Logger } from '../../base/logger.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import type { ResultAction } from '../../shared/resultMessages.ts';

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
