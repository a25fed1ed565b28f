import { StringDecoder } from 'node:string_decoder';
import { withoutColours } from '../../base/visibleText.ts';

/** Cuts a stream meant for people into lines. A line longer than `maximumLength` is delivered in parts. */
export interface TextLines {
  /** @returns what is left of the chunk, to be written in a later turn */
  write(chunk: Buffer): Buffer | undefined;
  /** The stream is over: delivers the rest. */
  end(): void;
}

/** Each of them may be a line, and what a server writes must not hold everything else up. */
const bytesPerTurn = 8_192;

/** @param onLine gets each line that is not blank, without line end and terminal control sequences */
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

/** A line as a log can show it: no colours, no white space at its end. What else a terminal would act on is for the log to show. */
export function cleanLine(line: string): string {
  return withoutColours(line).trimEnd();
}
