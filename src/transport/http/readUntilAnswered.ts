import { MessageTooLarge } from '../messageLimits.ts';
import type { EventStream } from './eventStream.ts';
import { tooLarge } from './httpProblems.ts';
import type { PendingAnswer } from './inbox.ts';
import type { Wire } from './wire.ts';

/** How long a server may leave a stream open once it has answered on it. */
const tailMs = 5_000;

/**
 * Reads until the answer was delivered; what comes after it on the same stream is read in the background.
 * @returns false when the stream is over without the answer
 */
export async function readUntilAnswered(stream: EventStream, pending: PendingAnswer, wire: Wire): Promise<boolean> {
  try {
    while (!pending.isAnswered) if (!(await stream.read())) return pending.isAnswered;
  } catch (error) {
    throw error instanceof MessageTooLarge ? tooLarge(wire.address, error.excess, wire.limits) : error;
  }
  void readTail(stream, wire);
  return true;
}

async function readTail(stream: EventStream, { clock, streams }: Wire): Promise<void> {
  const closing = streams.add({ dispose: () => stream.close() });
  const timer = clock.after(tailMs, () => stream.close());
  try {
    while (await stream.read());
  } catch {
    // An event beyond the limit that nobody waits for: the stream has been closed.
  } finally {
    timer.dispose();
    streams.delete(closing);
  }
}
