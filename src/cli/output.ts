/** Where a command writes. Nothing here has colours. */
export interface Output {
  /** A line of the result, on standard output. */
  readonly print: (line: string) => void;
  /** A remark, on standard error. */
  readonly note: (line: string) => void;
  readonly isVerbose: boolean;
}
