import { linkAbort, type LinkedAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError, isCancellation } from '../../base/errors.ts';
import type { Completion } from '../../protocol/mcp/completion.ts';

/** Where completions come from, and the callbacks that get them. */
export interface CompleterOptions {
  readonly clock: Clock;
  readonly fetch: (value: string, signal: AbortSignal) => Promise<Completion>;
  /** @param value what the completion is for */
  readonly onResult: (value: string, completion: Completion) => void;
  readonly onBusy: (isBusy: boolean) => void;
  /** Failed completions are logged, never shown. */
  readonly onError: (error: unknown) => void;
}

/** Requests completions while a person types: one request at a time, and only the latest answer is used. */
export interface Completer extends Disposable {
  /** @param delayMs how long to wait for more to be typed */
  request(value: string, delayMs?: number): void;
}

const typingPauseMs = 150;
/** Longer values are omitted: no one can choose between them. */
const maximumLength = 10_000;

/** Asks for completions while a person types: after a pause, one request at a time; a new text cancels the request before. */
export function createCompleter(options: CompleterOptions): Completer {
  let timer: Disposable | undefined;
  let running: LinkedAbort | undefined;

  function cancel(): void {
    timer?.dispose();
    timer = undefined;
    running?.abort(new CancelledError());
    running = undefined;
  }

  async function run(value: string): Promise<void> {
    const abort = linkAbort();
    running = abort;
    options.onBusy(true);
    let completion: Completion = { values: [] };
    try {
      completion = await options.fetch(value, abort.signal);
    } catch (error) {
      if (!isCancellation(error)) options.onError(error);
    }
    if (running !== abort) return;
    running = undefined;
    options.onBusy(false);
    const values = completion.values.filter(({ length }) => length <= maximumLength);
    options.onResult(value, { ...completion, values: [...new Set(values)] });
  }

  return {
    request(value, delayMs = typingPauseMs) {
      cancel();
      if (delayMs === 0) void run(value);
      else timer = options.clock.after(delayMs, () => void run(value));
    },
    dispose: cancel,
  };
}

/** What is offered for a text. */
export interface Suggestions {
  readonly values: readonly string[];
  /** How many the server has for the text, where it says so and there are more. */
  readonly total?: number;
  /** There are more values than these: the server said so, or it sent more than are shown. */
  readonly hasMore: boolean;
}

export const noSuggestions: Suggestions = { values: [], hasMore: false };

/** Values that are shown of one completion. */
const maximumShown = 100;

/**
 * Decides which completions of a server match the text. A complete list is filtered here, ignoring case: many
 * servers send all values for every text, or match case-sensitively. An incomplete list is left to the server to match.
 */
export interface SuggestionList {
  /** What fits `typed` by what is known already. */
  match(typed: string): Suggestions;
  /** Takes the server's answer for `typed`. @returns what fits now */
  take(typed: string, completion: Completion): Suggestions;
}

/** Collects the completions of one input. While a request runs, earlier values that fit the text remain. */
export function createSuggestionList(): SuggestionList {
  /** The latest answer, and the latest complete answer to a beginning of the present text, which contains every match. */
  let latest: readonly string[] = [];
  let whole: { readonly typed: string; readonly values: readonly string[] } | undefined;

  /** Values of the complete answer that fit. */
  function known(typed: string): readonly string[] {
    return whole !== undefined && fold(typed).startsWith(fold(whole.typed)) ? matching(whole.values, typed) : [];
  }

  return {
    match: (typed) => toSuggestions([...matching(latest, typed), ...known(typed)]),
    take(typed, completion) {
      const { values } = completion;
      latest = values;
      if (!isComplete(completion)) return toSuggestions([...values, ...known(typed)], completion);
      // The same answer to every text: the server does not match. Otherwise its own matches are shown too.
      const isUnmatched = whole !== undefined && isSame(values, whole.values);
      const own = matching(values, typed);
      const offered = own.length > 0 || isUnmatched ? own : values;
      const found = toSuggestions([...offered, ...known(typed)]);
      const isKept = whole !== undefined && whole.values.length > 0 && fold(typed).startsWith(fold(whole.typed));
      if (!isKept) whole = { typed, values };
      return found;
    },
  };
}

/** The values that contain `typed`, ignoring case, in their own order. */
function matching(values: readonly string[], typed: string): readonly string[] {
  const wanted = fold(typed);
  return values.filter((value) => fold(value).includes(wanted));
}

function toSuggestions(found: readonly string[], { total, hasMore }: Partial<Completion> = {}): Suggestions {
  const unique = [...new Set(found)];
  const values = unique.slice(0, maximumShown);
  const isCut = values.length < unique.length;
  const said = total ?? (isCut && hasMore !== true ? unique.length : undefined);
  const isMore = said !== undefined && said > values.length;
  return { values, hasMore: hasMore === true || isCut || isMore, ...(isMore && { total: said }) };
}

function isComplete({ values, total, hasMore }: Completion): boolean {
  return hasMore !== true && (total === undefined ? hasMore === false : total <= values.length);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

function fold(text: string): string {
  return text.toLowerCase();
}
