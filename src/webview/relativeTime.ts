import { element, setText } from './dom.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** "2 min ago"; a date where that is more than a week. A clock that was set back makes no call of the future. */
function relativeTime(at: number): string {
  const passed = Date.now() - at;
  if (passed < minuteMs) return 'just now';
  if (passed < hourMs) return `${Math.floor(passed / minuteMs)} min ago`;
  if (passed < dayMs) return `${Math.floor(passed / hourMs)} h ago`;
  const days = Math.floor(passed / dayMs);
  if (days < 7) return days === 1 ? '1 day ago' : `${days} days ago`;
  return new Date(at).toLocaleDateString();
}

/** How often the times of a page are looked at. */
const refreshMs = 20_000;

/** Times of a page, which stay right: one timer for all that are in `root`, however many there are. */
export function createRelativeTimes(root: HTMLElement) {
  const selector = 'time.relative';
  const draw = (made: HTMLTimeElement): void => setText(made, relativeTime(Date.parse(made.dateTime)));
  const refresh = (): void => root.querySelectorAll<HTMLTimeElement>(selector).forEach(draw);
  setInterval(refresh, refreshMs);
  // Timers of a hidden page may rest.
  document.addEventListener('visibilitychange', refresh);
  return (at: number): HTMLTimeElement => {
    const date = new Date(at);
    const made = element('time', { class: 'relative', datetime: date.toISOString(), title: date.toLocaleString() });
    draw(made);
    return made;
  };
}

export type RelativeTimes = ReturnType<typeof createRelativeTimes>;
