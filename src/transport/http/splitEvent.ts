import type { MessageLimits } from '../../base/limits.ts';
import type { MessageExcess } from '../messageLimits.ts';
import { ByteBuffer, decodeUtf8 } from './byteBuffer.ts';
import { JsonReader } from './jsonReader.ts';

const space = 0x20;
const colon = 0x3a;
const lineFeed = new Uint8Array([0x0a]);
const dataField = new Uint8Array([0x64, 0x61, 0x74, 0x61, colon]);
const nameLength = dataField.length - 1;
/** Bytes that are kept of a line that is not data. */
const maximumOtherBytes = 64 * 1024;
/** Data of at most so many bytes is kept as text too. */
const maximumTextBytes = 64 * 1024;
/** Bytes of longer data that are given as text. */
const headBytes = 1_000;

/**
 * An event of several chunks. Its data is read as JSON while it arrives; the other lines are text for `eventsource-parser`.
 */
export class SplitEvent {
  readonly #json: JsonReader;
  /** The start of the data, with a line feed after each line. */
  readonly #text = new ByteBuffer();
  /** Bytes of the data. */
  #length = 0;
  #isJson = true;
  /** Number of bytes of {@link dataField} with which the line starts; one more after the space that may follow. */
  #matched = 0;
  /** The line, when it is not data. */
  #other: ByteBuffer | undefined;

  constructor(limits: MessageLimits) {
    this.#json = new JsonReader(limits);
  }

  get isWhole(): boolean {
    return this.#length <= maximumTextBytes;
  }

  /** The data; its first characters if it is long. */
  get data(): string {
    if (this.isWhole) return decodeUtf8(this.#text.bytes.subarray(0, -1));
    // As in a stream, so that a character that is cut is left out.
    return new TextDecoder().decode(this.#text.bytes.subarray(0, headBytes), { stream: true });
  }

  /** @returns the data as JSON; `undefined` for anything else. Can be called once. */
  json(): unknown {
    return this.#tryJson(() => this.#json.end());
  }

  /** Reads bytes of one line. @returns the limit that the data exceeds */
  write(piece: Uint8Array): MessageExcess | undefined {
    const start = this.#other === undefined && this.#matched <= dataField.length ? this.#readName(piece) : 0;
    if (this.#other === undefined) return start < piece.length ? this.#readData(piece.subarray(start)) : undefined;
    this.#other.append(piece.subarray(start, start + Math.max(0, maximumOtherBytes - this.#other.length)));
    return undefined;
  }

  /** Ends a line; nothing for an empty one, which is half of CR LF. @returns the text for the parser */
  endLine(): string {
    const line = this.#other === undefined ? '' : `${decodeUtf8(this.#other.take())}\n`;
    // A line without colon is a field without value.
    if (this.#matched >= nameLength && this.#other === undefined) this.#readData(lineFeed);
    this.#matched = 0;
    this.#other = undefined;
    return line;
  }

  /** @returns the text for the parser that ends the event */
  end(): string {
    return this.#length > 0 ? 'data\n\n' : '\n';
  }

  /** Finds out whether the line is data. @returns the number of bytes that are no part of the data */
  #readName(piece: Uint8Array): number {
    let at = 0;
    for (; at < piece.length && this.#matched < dataField.length; at += 1, this.#matched += 1) {
      if (piece[at] === dataField[this.#matched]) continue;
      this.#other = new ByteBuffer();
      this.#other.append(dataField.subarray(0, this.#matched));
      return at;
    }
    if (at === piece.length) return at;
    this.#matched += 1;
    return piece[at] === space ? at + 1 : at;
  }

  #readData(bytes: Uint8Array): MessageExcess | undefined {
    this.#length += bytes.length;
    const room = maximumTextBytes - this.#text.length;
    if (room > 0) this.#text.append(bytes.subarray(0, room));
    return this.#tryJson(() => this.#json.write(bytes));
  }

  #tryJson<T>(read: () => T): T | undefined {
    try {
      return this.#isJson ? read() : undefined;
    } catch {
      this.#isJson = false;
      return undefined;
    }
  }
}
