/**
 * Reads something again and again, where an earlier reading may end after a later one.
 * @returns a function that reads, and resolves to `undefined` if it was called again in the meantime: only the reading that
 *   was asked for last counts
 */
export function createLatestReading<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let asked = 0;
  return async () => {
    asked += 1;
    const mine = asked;
    const found = await read();
    return mine === asked ? found : undefined;
  };
}
