const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** "2 min ago"; a date where that is more than a week. A clock that was set back makes nothing of the future. */
export function relativeTime(at: number, now: number): string {
  const passed = now - at;
  if (passed < minuteMs) return 'just now';
  if (passed < hourMs) return `${Math.floor(passed / minuteMs)} min ago`;
  if (passed < dayMs) return `${Math.floor(passed / hourMs)} h ago`;
  const days = Math.floor(passed / dayMs);
  if (days < 7) return days === 1 ? '1 day ago' : `${days} days ago`;
  return new Date(at).toLocaleDateString();
}

/** The time of day to the millisecond: "09:05:07.042". */
export function preciseTime(milliseconds: number): string {
  const time = new Date(milliseconds);
  return `${time.toTimeString().slice(0, 8)}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}
