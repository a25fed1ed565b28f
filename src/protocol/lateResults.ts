import type { RequestId } from './jsonRpc.ts';

/** Of servers that take a cancellation to heart no answer ever comes. */
const maximumExpected = 100;

/** Results that may still come for requests that were given up. */
export class LateResults {
  /** The oldest first. */
  readonly #expected = new Map<RequestId, (result: unknown) => void>();

  expect(id: RequestId, hear: (result: unknown) => void): void {
    this.#expected.set(id, hear);
    const [oldest] = this.#expected.keys();
    if (this.#expected.size > maximumExpected && oldest !== undefined) this.#expected.delete(oldest);
  }

  /** @returns false when nobody wants it */
  take(id: RequestId, result: unknown): boolean {
    const hear = this.#expected.get(id);
    if (hear === undefined) return false;
    this.#expected.delete(id);
    hear(result);
    return true;
  }
}
