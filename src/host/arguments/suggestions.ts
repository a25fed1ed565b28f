import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError, isCancellation } from '../../base/errors.ts';
import type { Completion } from '../../protocol/mcp/completion.ts';

export interface CompleterPorts {
  readonly fetch: (value: string, signal: AbortSignal) => Promise<Completion>;
  /** @param value what the completion is for */
  readonly onResult: (value: string, completion: Completion) => void;
  readonly onBusy: (isBusy: boolean) => void;
  /** Failed completions are logged, never shown. */
  readonly onError: (error: unknown) => void;
}

const typingPauseMs = 150;
/** Longer values are omitted: no one can choose between them. */
const maximumLength = 10_000;

/** Asks for completions while a person types: after a pause, one request at a time; a new text cancels the request before. */
export function createCompleter(clock: Clock, { fetch, onBusy, onError, onResult }: CompleterPorts) {
  let timer: Disposable | undefined;
  let running: AbortController | undefined;

  function dispose(): void {
    timer?.dispose();
    timer = undefined;
    running?.abort(new CancelledError());
    running = undefined;
  }

  async function run(value: string): Promise<void> {
    const abort = new AbortController();
    running = abort;
    onBusy(true);
    let completion: Completion = { values: [] };
    try {
      completion = await fetch(value, abort.signal);
    } catch (error) {
      if (!isCancellation(error)) onError(error);
    }
    if (running !== abort) return;
    running = undefined;
    onBusy(false);
    const values = completion.values.filter(({ length }) => length <= maximumLength);
    onResult(value, { ...completion, values: [...new Set(values)] });
  }

  return {
    /** @param delayMs how long to wait for more to be typed */
    request(value: string, delayMs = typingPauseMs): void {
      dispose();
      if (delayMs === 0) void run(value);
      else
        timer = clock.after(delayMs, () => {
          timer = undefined;
          void run(value);
        });
    },
    /** An answer is to come. */
    get isBusy(): boolean {
      return timer !== undefined || running !== undefined;
    },
    dispose,
  };
}

export interface Suggestions {
  readonly values: readonly string[];
  /** How many the server has for the text, where it says so and there are more. */
  readonly total?: number;
  /** There are more values than these: the server said so, or it sent more than are shown. */
  readonly hasMore: boolean;
}

const maximumShown = 100;

/**
 * The completions of one input that match its text. A complete list is filtered here, ignoring case: many servers send all
 * values for every text, or match case-sensitively. An incomplete list is left to the server to match. While a request runs,
 * earlier values that fit the text remain.
 */
export class SuggestionList {
  #latest: readonly string[] = [];
  /** The latest complete answer to a beginning of the present text, which contains every match. */
  #whole: { readonly typed: string; readonly values: readonly string[] } | undefined;

  /** What fits `typed` by what is known already. */
  match(typed: string): Suggestions {
    return toSuggestions(typed, [...matching(this.#latest, typed), ...this.#known(typed)]);
  }

  /** Takes the server's answer for `typed`. @returns what fits now */
  take(typed: string, completion: Completion): Suggestions {
    const { values } = completion;
    const whole = this.#whole;
    this.#latest = values;
    if (!isComplete(completion)) return toSuggestions(typed, [...values, ...this.#known(typed)], completion);
    // The same answer to every text: the server does not match. Otherwise its own matches are shown too.
    const isUnmatched = JSON.stringify(values) === JSON.stringify(whole?.values);
    const own = matching(values, typed);
    const offered = own.length > 0 || isUnmatched ? own : values;
    const found = toSuggestions(typed, [...offered, ...this.#known(typed)]);
    if (!this.#continues(typed) || whole?.values.length === 0) this.#whole = { typed, values };
    return found;
  }

  #known(typed: string): readonly string[] {
    return this.#continues(typed) ? matching(this.#whole?.values ?? [], typed) : [];
  }

  #continues(typed: string): boolean {
    return this.#whole !== undefined && fold(typed).startsWith(fold(this.#whole.typed));
  }
}

/** The values that contain `typed`, ignoring case, in their own order. */
function matching(values: readonly string[], typed: string): readonly string[] {
  const wanted = fold(typed);
  return values.filter((value) => fold(value).includes(wanted));
}

/** How well a suggestion fits a text, ignoring case: it is the text, begins with it, contains it, or none of that (3). */
export function rankOf(value: string, typed: string): 0 | 1 | 2 | 3 {
  const [text, wanted] = [fold(value), fold(typed)];
  if (text === wanted) return 0;
  if (text.startsWith(wanted)) return 1;
  return text.includes(wanted) ? 2 : 3;
}

/** The best matches first, those that fit as well in the order they came. */
function toSuggestions(
  typed: string,
  found: readonly string[],
  { total, hasMore }: Partial<Completion> = {},
): Suggestions {
  const ranked = [...new Set(found)].map((value) => ({ value, rank: value === typed ? -1 : rankOf(value, typed) }));
  const unique = ranked.toSorted((a, b) => a.rank - b.rank).map(({ value }) => value);
  const values = unique.slice(0, maximumShown);
  const isCut = values.length < unique.length;
  const said = total ?? (isCut && hasMore !== true ? unique.length : undefined);
  const isMore = said !== undefined && said > values.length;
  return { values, hasMore: hasMore === true || isCut || isMore, ...(isMore && { total: said }) };
}

function isComplete({ values, total, hasMore }: Completion): boolean {
  return hasMore !== true && (total === undefined ? hasMore === false : total <= values.length);
}

function fold(text: string): string {
  return text.toLowerCase();
}
