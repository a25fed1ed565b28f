/** `1,234`. Not by `toLocaleString`: its first call loads tables for tens of milliseconds, while the window opens. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** At most `maximum` characters of `text`, and never half of one; what is missing is said in its place. */
export function truncateWithCount(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  return `${truncate(text, maximum)}… (${formatCount(text.length - maximum)} more characters)`;
}

/** At most `maximum` characters of `text`, and never half of one. */
export function truncate(text: string, maximum: number): string {
  return text.length <= maximum ? text : text.slice(0, maximum).replace(/[\ud800-\udbff]$/, '');
}
