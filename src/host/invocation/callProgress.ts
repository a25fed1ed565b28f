import { ProgressLocation, window } from 'vscode';
import { linkAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import type { Progress } from '../../protocol/progress.ts';
import { notificationText } from '../platform/displayText.ts';

/** Milliseconds before the notification appears. */
const showAfterMs = 400;

interface CallProgressOptions {
  /** Plain text; may come from a server. */
  readonly title: string;
  readonly clock: Clock;
  /** The work begins with a question and calls `begin` after it: until then nothing is shown. */
  readonly asksFirst?: boolean;
}

/**
 * Runs an operation with a notification that shows its progress and can cancel it.
 * @param run gets the signal that cancels it, a callback for progress, and one to call when no question is left
 * @throws the errors of `run`; a {@link CancelledError} through the signal
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

/** One update: `percent` of the total, where that is known, and by how much more than before. */
interface ProgressStep {
  readonly message: string;
  readonly increment?: number;
  readonly percent?: number;
}

const intervalMs = 100;

/** Turns the progress of a server into steps as VS Code's notifications take them, at a limited rate. */
export function createProgressSteps(clock: Clock) {
  let latest: Progress | undefined;
  let write: ((step: ProgressStep) => void) | undefined;
  let pause: Disposable | undefined;
  let percentShown = 0;
  let isMeasured = false;

  function flush(): void {
    if (write === undefined || latest === undefined || pause !== undefined) return;
    const { message, percent } = describe(latest);
    latest = undefined;
    // The bar never moves back, even if the server's progress does.
    const increment = Math.max(0, (percent ?? percentShown) - percentShown);
    percentShown += increment;
    // A step without a total leaves the bar where it is.
    isMeasured ||= percent !== undefined;
    write({ message, ...(percent !== undefined && { increment }), ...(isMeasured && { percent: percentShown }) });
    pause = clock.after(intervalMs, () => {
      pause = undefined;
      flush();
    });
  }

  return {
    report(progress: Progress): void {
      latest = progress;
      flush();
    },
    /** Sets the listener for steps; it gets the latest progress at once. */
    show(target: (step: ProgressStep) => void): void {
      write = target;
      flush();
    },
    dispose(): void {
      write = undefined;
      pause?.dispose();
    },
  };
}

function describe({ progress, total, message }: Progress): { message: string; percent: number | undefined } {
  const isMeasured = total !== undefined && total > 0 && Number.isFinite(progress / total);
  const percent = isMeasured ? Math.min(100, Math.max(0, (progress / total) * 100)) : undefined;
  const fallback = percent === undefined ? String(progress) : `${Math.floor(percent)} %`;
  return { message: notificationText(message ?? '', 120) || fallback, percent };
}
