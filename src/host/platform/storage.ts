/** Keeps values over restarts: the part of `vscode.Memento` needed here. */
export interface Storage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
