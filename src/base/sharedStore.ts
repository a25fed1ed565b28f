/** Port that keeps a value which windows share. */
export interface SharedStore<T> {
  /**
   * Makes a change of what is there at that moment; it is stored when the promise resolves.
   * @param change may be called again, with what another window has stored meanwhile
   * @returns the value afterwards
   * @throws an error where it cannot be stored: the change is not made then
   */
  update(change: (value: T) => T): Promise<T>;
}
