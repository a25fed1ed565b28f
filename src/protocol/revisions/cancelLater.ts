import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { CallAnswer } from './taskChannel.ts';

/** Ends the task that a call may still become when nobody waits for it any more. */
export function cancelLater(
  answer: Promise<CallAnswer>,
  cancel: (taskId: string) => Promise<void>,
  logger: Logger,
): void {
  const abandon = async (): Promise<void> => {
    const late = await answer;
    if (late.kind !== 'task') return;
    late.progress.dispose();
    await cancel(late.task.taskId);
  };
  abandon().catch((error: unknown) => logger.debug(() => `A task was left to itself: ${messageOf(error)}`));
}
