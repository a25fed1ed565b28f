/** Searches by halves. @param fits true for all entries up to one, and for none after it. @returns its index; -1 for none */
export function lastWhere<T>(entries: readonly T[], fits: (entry: T) => boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(entries[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
