import { DecodedBuilder, type DecodedText } from './decodedText.ts';
import { addBytesAsText } from './encodedBytes.ts';

/**
 * A line of `xxd`, `hexdump -C` or `od -tx1`: where its bytes are in a file, the bytes, and mostly the same as text. Two blanks end
 * the bytes, or are in the middle of sixteen.
 */
const dumpLine =
  /^[ \t>+-]{0,20}[0-9a-f]{6,16}:?[ \t]{1,4}((?:[0-9a-f]{2} ){8} (?:[0-9a-f]{2}(?: |$)){1,8}|(?:(?:[0-9a-f]{2}){1,4}(?: |$)){1,16}).{0,200}/gim;

/** Reads the lines of a dump as bytes, one after the other. */
export function* decodeDump(source: DecodedText): Generator<DecodedText> {
  const bytes: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const match of source.text.matchAll(dumpLine)) {
    const [line, digits = ''] = match;
    const from = match.index + line.indexOf(digits, line.search(/[0-9a-f]{6}/i) + 6);
    for (const { 0: pair, index } of digits.matchAll(/[0-9a-f]{2}/gi)) {
      bytes.push(Number.parseInt(pair, 16));
      starts.push(from + index);
      // The text at the end of the line has the same in it.
      ends.push(match.index + line.length);
    }
  }
  if (bytes.length === 0) return;
  const builder = new DecodedBuilder(source, bytes.length * 2);
  addBytesAsText(builder, Uint8Array.from(bytes), {
    from: 0,
    to: bytes.length,
    startOf: (index) => starts[index] ?? 0,
    endOf: (index) => ends[index] ?? 0,
  });
  yield builder.built();
}
