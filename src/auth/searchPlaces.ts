import { isPatchbayError } from '../base/errors.ts';

/** What was found, or why it may be somewhere although it was not found. */
export interface SearchResult<T> {
  readonly found: T | undefined;
  readonly failure: unknown;
}

/**
 * Looks at one place after the other. One that fails does not end the search, but a cancellation does.
 * @param look returns `undefined` where there is nothing
 * @returns the first that was found; otherwise the failure that matters most: that something there cannot be used, before that a
 *   place did not answer
 */
export async function searchPlaces<P, T>(
  places: readonly P[],
  look: (place: P) => Promise<T | undefined>,
): Promise<SearchResult<T>> {
  let failure: unknown;
  for (const place of places) {
    try {
      const found = await look(place);
      if (found !== undefined) return { found, failure: undefined };
    } catch (error) {
      if (!isPatchbayError(error)) throw error;
      if (failure === undefined || (isPatchbayError(failure, 'unreachable') && error.code !== 'unreachable'))
        failure = error;
    }
  }
  return { found: undefined, failure };
}
