import type { Arbitrary } from 'fast-check';

/** One kind of input that a stranger decides, and what has to hold whatever it is. */
export interface Target<Case = unknown> {
  readonly name: string;
  /** One line for the list of targets. */
  readonly title: string;
  /** What cases need to run; made once for many of them. */
  open(): Promise<OpenTarget<Case>>;
}

export interface OpenTarget<Case = unknown> {
  /** Plain JSON, so that a finding can be kept. */
  readonly cases: Arbitrary<Case>;
  /** Rejects with an error that says what does not hold. */
  run(input: Case): Promise<void>;
  /** @returns what is still there and should not be, such as processes */
  close(): Promise<readonly string[]>;
}

/** Errors that the host makes or hands on, for a person to read. Any other is a fault of the host. */
const expected = ['PatchbayError', 'JsonRpcError', 'AbortError'];

/** Throws errors that were not made for a person, and takes all others for an outcome like any. */
export function assertExpected(error: unknown): void {
  if (!(error instanceof Error) || !expected.includes(error.name)) throw error;
}
