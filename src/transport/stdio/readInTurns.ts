import type { Readable } from 'node:stream';

/** Takes the bytes of a stream. */
export interface ChunkReader {
  /** @returns what is left of the chunk, to be written in a later turn of the event loop */
  write(chunk: Buffer): Buffer | undefined;
  /** Nothing more comes. */
  end(): void;
}

/**
 * Hands what a stream brings to a reader that takes as much in one turn as does not hold everything else up; the stream waits
 * meanwhile.
 * @returns resolves when the stream has closed and all it brought was read
 */
export function readInTurns(stream: Readable, reader: ChunkReader): Promise<void> {
  /** More than one only where the stream went on though it should wait, as at the end of its process. */
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
