import type { MessageTraces } from '../servers/messageTraces.ts';

/** Messages of one call that are kept, and characters of all of them. */
const bounds = { messages: 500, characters: 2_000_000 };

/** The messages between the host and a server during a call. */
export interface CallMessages {
  /** From now on; before that, a server may have been started. */
  start(): void;
  /** Ends it. @returns the messages as text, without secrets; `undefined` if there were none */
  stop(): string | undefined;
}

/** Collects the messages of a server while a call is on its way: those of other calls at the same time are among them. */
export function collectMessages(traces: Pick<MessageTraces, 'capture'>, server: string): CallMessages {
  const entries: string[] = [];
  let characters = 0;
  let left = 0;
  let capture: ReturnType<MessageTraces['capture']> | undefined;
  return {
    start() {
      capture ??= traces.capture(server, (entry) => {
        characters += entry.length;
        if (entries.length >= bounds.messages || characters > bounds.characters) left += 1;
        else entries.push(entry);
      });
    },
    stop() {
      capture?.dispose();
      if (entries.length === 0) return undefined;
      return [...entries, ...(left === 0 ? [] : [`… ${left} more left out`]), ''].join('\n');
    },
  };
}
