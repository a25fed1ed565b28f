import { relativeTime } from '../base/relativeTime.ts';
import { element, setText } from './dom.ts';

/** How often the times of a page are looked at. */
const refreshMs = 20_000;

/** Times of a page, which stay right: one timer for all that are in `root`, however many there are. */
export function createRelativeTimes(root: HTMLElement) {
  const selector = 'time.relative';
  const draw = (made: HTMLTimeElement): void => setText(made, relativeTime(Date.parse(made.dateTime), Date.now()));
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
