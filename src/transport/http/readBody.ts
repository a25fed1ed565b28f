import type { HttpResponse } from '../../base/httpClient.ts';
import { JsonScanner, truncateDepth } from '../../base/jsonScanner.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { type MessageExcess, MessageTooLarge } from '../messageLimits.ts';

/**
 * Reads a body as JSON, within limits for decompressed bytes and structure. It stops reading at the first excess.
 * @returns `undefined` for an empty body
 * @throws {SyntaxError} for invalid JSON
 * @throws {MessageTooLarge}; or what the platform throws when the connection breaks
 */
export async function readJson(response: HttpResponse, limits: MessageLimits): Promise<unknown> {
  const length = declaredLength(response);
  if (length !== undefined && length > limits.bytes) {
    discardBody(response);
    throw new MessageTooLarge('bytes');
  }
  const scan = new JsonScanner(limits);
  const body = await readPieces(response, limits.bytes, scan);
  if (body.excess !== undefined) throw new MessageTooLarge(body.excess);
  const text = decode(body);
  if (text === '') return undefined;
  const value: unknown = JSON.parse(text);
  if (scan.hasSeenDeep) truncateDepth(value, limits.keptDepth ?? limits.depth);
  return value;
}

/** Reads a body as text up to about `maximumBytes` and discards the rest. Invalid UTF-8 becomes U+FFFD. */
export async function readText(response: HttpResponse, maximumBytes: number): Promise<string> {
  return decode(await readPieces(response, maximumBytes));
}

interface Pieces {
  readonly pieces: readonly Uint8Array[];
  /** Total bytes. */
  readonly length: number;
  /** The limit that was exceeded; the rest was not read. */
  readonly excess?: MessageExcess;
}

async function readPieces({ body }: HttpResponse, maximumBytes: number, scan?: JsonScanner): Promise<Pieces> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const value = await body.read();
    if (value === undefined) return { pieces, length };
    pieces.push(value);
    length += value.length;
    const excess = length > maximumBytes ? 'bytes' : scan?.scan(value);
    if (excess === undefined) continue;
    body.cancel();
    return { pieces, length, excess };
  }
}

/** Discards a body. If it has already arrived, the connection stays usable. */
export function discardBody({ body }: HttpResponse): void {
  body.cancel();
}

const maximumDrainedBytes = 64 * 1024;

/** Like {@link discardBody}, but reads a short body to its end, so that the connection stays usable. */
export async function drainBody(response: HttpResponse): Promise<void> {
  const length = declaredLength(response);
  if (length === undefined || length > maximumDrainedBytes) discardBody(response);
  else await readPieces(response, maximumDrainedBytes).catch(() => {});
}

function declaredLength({ headers }: HttpResponse): number | undefined {
  const length = headers.get('content-length');
  // With a content encoding it counts compressed bytes.
  return length === undefined || headers.get('content-encoding') !== undefined ? undefined : Number(length);
}

/** Joins the pieces before decoding, which halves the time for a long body. */
function decode({ pieces, length }: Pieces): string {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return new TextDecoder().decode(bytes);
}

/** The media type of a response in lower case, without parameters; empty without `Content-Type`. */
export function mediaType({ headers }: HttpResponse): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase();
}
