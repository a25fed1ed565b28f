/** A body went beyond its limit; the rest was not read. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/**
 * Reads a whole body as JSON, within a limit that counts decompressed bytes.
 * @returns `undefined` for an empty body
 * @throws {SyntaxError} for what is no JSON
 * @throws {BodyTooLarge}; or what the platform throws when the connection breaks
 */
export async function readJson(response: Response, maximumBytes: number): Promise<unknown> {
  const length = declaredLength(response);
  if (length !== undefined && length > maximumBytes) {
    discardBody(response);
    throw new BodyTooLarge();
  }
  // HTTP itself keeps the body to the declared length, and the platform reads it fastest.
  if (length !== undefined && length > 0) return (await response.json()) as unknown;
  const { text, isCut } = await readText(response, maximumBytes);
  if (isCut) throw new BodyTooLarge();
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

/** Reads a body as text up to a limit and lets the rest go. Bytes that are not UTF-8 become U+FFFD. */
export async function readText(
  { body }: Response,
  maximumBytes: number,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  if (body === null) return { text: '', isCut: false };
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: decode(pieces, length), isCut: false };
    pieces.push(value);
    length += value.length;
    if (length > maximumBytes) {
      reader.cancel().catch(() => {});
      return { text: decode(pieces, length).slice(0, maximumBytes), isCut: true };
    }
  }
}

/** Lets go of a body nobody wants. One that has arrived already leaves the connection usable. */
export function discardBody({ body }: Response): void {
  // It may have failed already; nobody wants it anyway.
  body?.cancel().catch(() => {});
}

const maximumDrainedBytes = 64 * 1024;

/** Like {@link discardBody}, for one that is likely to be short or empty: the connection stays usable. */
export function drainBody(response: Response): void {
  const length = declaredLength(response);
  if (length === undefined || length > maximumDrainedBytes) discardBody(response);
  else response.arrayBuffer().catch(() => {});
}

function declaredLength({ headers }: Response): number | undefined {
  const length = headers.get('content-length');
  // It counts compressed bytes where there are such.
  return length === null || headers.has('content-encoding') ? undefined : Number(length);
}

function decode(pieces: readonly Uint8Array[], length: number): string {
  return new TextDecoder().decode(joinBytes(pieces, length));
}

/** @param length of all pieces together */
export function joinBytes(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
