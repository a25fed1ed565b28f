import type { RequestId } from './jsonRpc.ts';

/** Servers that obey a cancellation never answer, so old entries are removed. */
const maximumExpected = 100;

/** Requests that were cancelled or timed out, whose results may still arrive. */
export class LateResults {
  /** In insertion order, the oldest first. */
  readonly #expected = new Map<RequestId, (result: unknown) => void>();

  expect(id: RequestId, hear: (result: unknown) => void): void {
    this.#expected.set(id, hear);
    const [oldest] = this.#expected.keys();
    if (this.#expected.size > maximumExpected && oldest !== undefined) this.#expected.delete(oldest);
  }

  /** Passes a late result to its handler. @returns false where there is none */
  take(id: RequestId, result: unknown): boolean {
    const hear = this.#expected.get(id);
    if (hear === undefined) return false;
    this.#expected.delete(id);
    hear(result);
    return true;
  }
}
