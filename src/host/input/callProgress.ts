import { ProgressLocation, window } from 'vscode';
import { linkAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import type { Progress } from '../../protocol/mcp/progress.ts';
import { notificationText } from '../notificationText.ts';
import { createProgressSteps } from './progressSteps.ts';

/** What is over sooner than this needs no notification. */
const showAfterMs = 400;

export interface CallProgressOptions {
  /** Plain text; may come from a server. */
  readonly title: string;
  readonly clock: Clock;
  /** The work begins with a question, and says itself when that is over: until then nothing is shown. */
  readonly asksFirst?: boolean;
}

/**
 * Runs something that may take a while, with a notification that shows how far it has come and can cancel it.
 * @param run gets the signal to stop on, a function to pass progress to, and one to say that nothing is left to ask
 * @throws whatever `run` throws; {@link CancelledError} by way of the signal
 */
export async function withCallProgress<T>(
  { title, clock, asksFirst = false }: CallProgressOptions,
  run: (signal: AbortSignal, report: (progress: Progress) => void, begin: () => void) => Promise<T>,
): Promise<T> {
  const abort = linkAbort();
  const steps = createProgressSteps(clock);
  let timer: Disposable | undefined;
  const begin = (): void => void (timer ??= clock.after(showAfterMs, show));
  const work = run(abort.signal, (progress) => steps.report(progress), begin);
  if (!asksFirst) begin();
  const ended = work.then(
    () => {},
    () => {},
  );
  function show(): void {
    const options = { location: ProgressLocation.Notification, cancellable: true, title: notificationText(title) };
    void window.withProgress(options, async (progress, token) => {
      const subscription = token.onCancellationRequested(() => abort.abort(new CancelledError()));
      steps.show((step) => progress.report(step));
      await ended;
      subscription.dispose();
    });
  }
  try {
    return await work;
  } finally {
    timer?.dispose();
    steps.dispose();
  }
}
