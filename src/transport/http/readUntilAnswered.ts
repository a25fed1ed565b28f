import { MessageTooLarge } from '../messageLimits.ts';
import type { EventStream } from './eventStream.ts';
import { tooLarge } from './httpProblems.ts';
import type { PendingAnswer } from './inbox.ts';
import type { Wire } from './wire.ts';

/** Milliseconds for which a stream may stay open after the response. */
const tailMs = 5_000;

/**
 * Reads a stream until the response was delivered; the rest of the stream is read in the background.
 * @returns false when the stream ended without the response
 * @throws {PatchbayError} `messageTooLarge`
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
    // An event after the response exceeds a limit: the stream was closed.
  } finally {
    timer.dispose();
    streams.delete(closing);
  }
}
