import { linkAbort, type LinkedAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError, isCancellation } from '../../base/errors.ts';
import type { Completion } from '../../protocol/mcp/completion.ts';

export interface CompleterOptions {
  readonly clock: Clock;
  readonly fetch: (value: string, signal: AbortSignal) => Promise<Completion>;
  /** @param value what the completion is for */
  readonly onResult: (value: string, completion: Completion) => void;
  readonly onBusy: (isBusy: boolean) => void;
  /** A completion that fails is worth a line in the log, never a message. */
  readonly onError: (error: unknown) => void;
}

/** Asks for completions while somebody types: one question at a time, and only the last answer counts. */
export interface Completer extends Disposable {
  /** @param delayMs how long to wait for more to be typed */
  request(value: string, delayMs?: number): void;
}

const typingPauseMs = 150;
/** A server may send longer values than anybody could choose from. */
const maximumLength = 10_000;

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
