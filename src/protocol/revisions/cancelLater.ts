import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { CallAnswer } from './taskChannel.ts';

/** For a call that was given up: cancels the task that it may still become. Failures are logged. */
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
