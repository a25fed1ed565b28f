import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Progress } from '../../protocol/mcp/progress.ts';
import { notificationText } from '../notificationText.ts';

/** What a progress notification is told: `increment` in percent of the whole. */
export interface ProgressStep {
  readonly message: string;
  readonly increment?: number;
}

/** Turns a server's progress into steps of a notification, a few a second however fast it comes. */
export interface ProgressSteps extends Disposable {
  report(progress: Progress): void;
  /** Where steps go from now on; the latest progress goes there at once. */
  show(write: (step: ProgressStep) => void): void;
}

const intervalMs = 100;

export function createProgressSteps(clock: Clock): ProgressSteps {
  let latest: Progress | undefined;
  let write: ((step: ProgressStep) => void) | undefined;
  let pause: Disposable | undefined;
  let percentShown = 0;

  function flush(): void {
    if (write === undefined || latest === undefined || pause !== undefined) return;
    const { message, percent } = describe(latest);
    latest = undefined;
    // The bar only ever grows; a server whose progress goes back is not followed.
    const increment = Math.max(0, (percent ?? percentShown) - percentShown);
    percentShown += increment;
    write({ message, ...(percent !== undefined && { increment }) });
    pause = clock.after(intervalMs, () => {
      pause = undefined;
      flush();
    });
  }

  return {
    report(progress) {
      latest = progress;
      flush();
    },
    show(target) {
      write = target;
      flush();
    },
    dispose() {
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
