import type { Readable } from 'node:stream';

/** Reads the bytes of a stream. */
export interface ChunkReader {
  /** @returns the rest of the chunk, to be written in a later turn of the event loop */
  write(chunk: Buffer): Buffer | undefined;
  /** The stream has ended. */
  end(): void;
}

/**
 * Passes the chunks of a stream to a reader that takes a limited part in each turn of the event loop. The stream is paused
 * while a rest is left.
 * @returns resolves when the stream has closed and everything was read
 */
export function readInTurns(stream: Readable, reader: ChunkReader): Promise<void> {
  /** More than one only if the stream continued although it was paused, as at the end of its process. */
  const waiting: Buffer[] = [];
  let isClosed = false;
  return new Promise((resolve) => {
    function finish(): void {
      reader.end();
      resolve();
    }

    function take(chunk: Buffer): void {
      const rest = reader.write(chunk);
      if (rest !== undefined) waiting.unshift(rest);
      if (waiting.length === 0) return;
      stream.pause();
      setImmediate(takeNext);
    }

    function takeNext(): void {
      const next = waiting.shift();
      if (next !== undefined) take(next);
      if (waiting.length > 0) return;
      if (isClosed) finish();
      else stream.resume();
    }

    stream.on('data', (chunk: Buffer) => (waiting.length > 0 ? waiting.push(chunk) : take(chunk)));
    stream.on('close', () => {
      isClosed = true;
      if (waiting.length === 0) finish();
    });
  });
}
