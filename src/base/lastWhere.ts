/** @returns the index of the last entry of a sorted list that is early enough, found by halves; -1 for none */
export function lastWhere<T>(sorted: readonly T[], isEarly: (entry: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isEarly(sorted[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
