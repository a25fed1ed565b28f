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
  const body = await readPieces(response, maximumBytes);
  if (body.isCut) throw new BodyTooLarge();
  const text = decode(body);
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

/** Reads a body as text up to about a limit and lets the rest go. Bytes that are not UTF-8 become U+FFFD. */
export async function readText(response: Response, maximumBytes: number): Promise<string> {
  return decode(await readPieces(response, maximumBytes));
}

interface Pieces {
  readonly pieces: readonly Uint8Array[];
  /** Bytes altogether. */
  readonly length: number;
  /** There was more than the limit allows. */
  readonly isCut: boolean;
}

async function readPieces({ body }: Response, maximumBytes: number): Promise<Pieces> {
  const pieces: Uint8Array[] = [];
  if (body === null) return { pieces, length: 0, isCut: false };
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { pieces, length, isCut: false };
    pieces.push(value);
    length += value.length;
    if (length > maximumBytes) {
      reader.cancel().catch(() => {});
      return { pieces, length, isCut: true };
    }
  }
}

/** Lets go of a body nobody wants. One that has arrived already leaves the connection usable. */
export function discardBody({ body }: Response): void {
  // It may have failed already; nobody wants it anyway.
  body?.cancel().catch(() => {});
}

const maximumDrainedBytes = 64 * 1024;

/** Like {@link discardBody}, for one that is likely to be short or empty: read to its end, the connection stays usable. */
export async function drainBody(response: Response): Promise<void> {
  const length = declaredLength(response);
  if (length === undefined || length > maximumDrainedBytes) discardBody(response);
  else await response.arrayBuffer().catch(() => {});
}

function declaredLength({ headers }: Response): number | undefined {
  const length = headers.get('content-length');
  // It counts compressed bytes where there are such.
  return length === null || headers.has('content-encoding') ? undefined : Number(length);
}

/** Joined before they are decoded: a long body takes half the time that way. */
function decode({ pieces, length }: Pieces): string {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return new TextDecoder().decode(bytes);
}
