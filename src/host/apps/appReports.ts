import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { AppView } from '../../shared/appMessages.ts';

const maximumBlocked = 20;
const maximumLogged = 30;

/** The least time between two views with new logs, in milliseconds. */
const logIntervalMs = 250;

type Reports = Pick<AppView, 'blocked' | 'isKeptFromCode' | 'logged'>;

const none: Reports = { blocked: [], isKeptFromCode: false, logged: [] };

/** What one document of an app has reported of itself, as its page shows it. */
export function createAppReports(clock: Clock, didChange: () => void) {
  let view = none;
  // Logs may be many: the page gets them together.
  const logs = new Coalescer(clock, logIntervalMs, didChange);
  const show = (next: Reports): void => {
    view = next;
    didChange();
  };
  return {
    get view(): Reports {
      return view;
    },
    /** @param text what its policy has blocked, which is listed once */
    blocked(text: string): void {
      const { blocked } = view;
      if (blocked.length < maximumBlocked && !blocked.includes(text)) show({ ...view, blocked: [...blocked, text] });
    },
    /** Its policy has kept it from running code that it makes. */
    keptFromCode: () => view.isKeptFromCode || show({ ...view, isKeptFromCode: true }),
    log(text: string): void {
      view = { ...view, logged: [...view.logged, truncateWithCount(text, 500)].slice(-maximumLogged) };
      logs.request();
    },
    /** For the next document. */
    clear: () => view === none || show(none),
    dispose: () => logs.dispose(),
  };
}
