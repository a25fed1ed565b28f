import { StringDecoder } from 'node:string_decoder';
import { withoutColours } from '../../base/visibleText.ts';

/** Splits a text stream into lines. A line longer than `maximumLength` is delivered in parts. */
export interface TextLines {
  /** @returns the rest of the chunk, to be written in a later turn */
  write(chunk: Buffer): Buffer | undefined;
  /** The stream has ended: delivers the rest. */
  end(): void;
}

/** Each byte may be a line, and a server must not block the event loop. */
const bytesPerTurn = 8_192;

/** @param onLine called with each non-blank line, without line end and colours */
export function createTextLines(onLine: (text: string) => void, maximumLength: number): TextLines {
  const decoder = new StringDecoder('utf8');
  let rest = '';

  function emit(line: string): void {
    const text = cleanLine(line);
    if (text !== '') onLine(text);
  }

  function take(text: string): void {
    const lines = text.split('\n');
    lines[0] = rest + (lines[0] ?? '');
    rest = lines.pop() ?? '';
    lines.forEach(emit);
    while (rest.length > maximumLength) {
      emit(rest.slice(0, maximumLength));
      rest = rest.slice(maximumLength);
    }
  }

  return {
    write(chunk) {
      take(decoder.write(chunk.subarray(0, bytesPerTurn)));
      return chunk.length > bytesPerTurn ? chunk.subarray(bytesPerTurn) : undefined;
    },
    end() {
      take(decoder.end());
      emit(rest);
      rest = '';
    },
  };
}

/** Removes colours and trailing white space. The log handles other control characters. */
export function cleanLine(line: string): string {
  return withoutColours(line).trimEnd();
}
