/**
 * The one part in which two texts differ, so that cursors and marks beyond it stay: that of `before` from `start` to `end`
 * becomes `text`. Offsets in UTF-16 units.
 */
export function textDifference(before: string, after: string) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  // Both halves of a character are changed: an editor has no place between them.
  if (/[\ud800-\udbff]/.test(before[start - 1] ?? '')) start -= 1;
  if (/[\udc00-\udfff]/.test(before[before.length - tail] ?? '')) tail -= 1;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}
