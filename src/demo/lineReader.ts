/** Splits a stream of bytes into lines. */
export interface LineReader {
  /** Adds the next bytes. */
  push(chunk: Uint8Array): void;
  /** Ends the input; a last line without a line break is a line too. */
  end(): void;
}

/**
 * Splits UTF-8 at `\n` only: a JSON string may contain the other line separators of Unicode.
 * @param onLine called with each line, without its line break
 */
export function createLineReader(onLine: (line: string) => void): LineReader {
  const decoder = new TextDecoder();
  let pending: string[] = [];

  function accept(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      pending.push(text.slice(start, end));
      const line = pending.join('');
      pending = [];
      start = end + 1;
      onLine(line);
    }
    if (start < text.length) pending.push(text.slice(start));
  }

  return {
    push: (chunk) => accept(decoder.decode(chunk, { stream: true })),
    end() {
      accept(decoder.decode());
      if (pending.length > 0) accept('\n');
    },
  };
}
