import { writeJsonInPieces } from '../../base/jsonPreview.ts';

/** A value of any size as the bytes of a JSON file. Rests between the pieces, so that the editor goes on however long it takes. */
export async function wholeBytes(value: unknown): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (const piece of writeJsonInPieces(value)) {
    pieces.push(Buffer.from(piece, 'utf8'));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Buffer.concat([...pieces, Buffer.from('\n')]);
}
