import { cutDeepJson } from '../../base/deepJson.ts';
import { JsonScan } from '../../base/jsonScan.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { type MessageExcess, MessageTooLarge } from '../messageLimits.ts';

/**
 * Reads a whole body as JSON, within limits that count decompressed bytes and what they hold; no more is read than that.
 * @returns `undefined` for an empty body
 * @throws {SyntaxError} for what is no JSON
 * @throws {MessageTooLarge}; or what the platform throws when the connection breaks
 */
export async function readJson(response: Response, limits: MessageLimits): Promise<unknown> {
  const length = declaredLength(response);
  if (length !== undefined && length > limits.bytes) {
    discardBody(response);
    throw new MessageTooLarge('bytes');
  }
  const scan = new JsonScan(limits);
  // HTTP itself keeps the body to the declared length, and the platform reads it fastest.
  if (length !== undefined && length > 0 && length <= scan.harmlessBytes) return (await response.json()) as unknown;
  const body = await readPieces(response, limits.bytes, scan);
  if (body.excess !== undefined) throw new MessageTooLarge(body.excess);
  const text = decode(body);
  if (text === '') return undefined;
  const value: unknown = JSON.parse(text);
  if (scan.hasSeenDeep) cutDeepJson(value, limits.keptDepth ?? limits.depth);
  return value;
}

/** Reads a body as text up to about a limit and lets the rest go. Bytes that are not UTF-8 become U+FFFD. */
export async function readText(response: Response, maximumBytes: number): Promise<string> {
  return decode(await readPieces(response, maximumBytes));
}

interface Pieces {
  readonly pieces: readonly Uint8Array[];
  /** Bytes altogether. */
  readonly length: number;
  /** The limit that was met; the rest was not read. */
  readonly excess?: MessageExcess;
}

async function readPieces({ body }: Response, maximumBytes: number, scan?: JsonScan): Promise<Pieces> {
  const pieces: Uint8Array[] = [];
  if (body === null) return { pieces, length: 0 };
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { pieces, length };
    pieces.push(value);
    length += value.length;
    const excess = length > maximumBytes ? 'bytes' : scan?.scan(value);
    if (excess === undefined) continue;
    reader.cancel().catch(() => {});
    return { pieces, length, excess };
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
