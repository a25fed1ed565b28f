import type { Arbitrary } from 'fast-check';

/** One kind of untrusted input, and what must be true for all of it. */
export interface Target<Case = unknown> {
  readonly name: string;
  /** One line for the list of targets. */
  readonly title: string;
  /** The environment of the cases; created once for many of them. */
  open(): Promise<OpenTarget<Case>>;
}

export interface OpenTarget<Case = unknown> {
  /** Plain JSON, so that a failing case can be saved. */
  readonly cases: Arbitrary<Case>;
  /** Rejects with an error that describes the failure. */
  run(input: Case): Promise<void>;
  /** @returns the leftovers, such as processes */
  close(): Promise<readonly string[]>;
}

/** Errors that the host creates or passes on for users. All others are bugs of the host. */
const expected = ['PatchbayError', 'JsonRpcError', 'AbortError'];

/** Throws errors that are not for users; errors for users are a valid outcome. */
export function assertExpected(error: unknown): void {
  if (!(error instanceof Error) || !expected.includes(error.name)) throw error;
}

/** Runs what may throw an error for users. */
export function attempt(action: () => void): void {
  try {
    action();
  } catch (error) {
    assertExpected(error);
  }
}
