import type { HttpResponse } from '../../base/httpClient.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { MessageTooLarge } from '../messageLimits.ts';
import { JsonReader } from './jsonReader.ts';

/**
 * Reads a body as JSON, within limits for decompressed bytes and structure. It stops reading at the first excess.
 * @returns `undefined` for an empty body
 * @throws {SyntaxError} for invalid JSON
 * @throws {MessageTooLarge}; or what the platform throws when the connection breaks
 */
export async function readJson(response: HttpResponse, limits: MessageLimits): Promise<unknown> {
  const length = declaredLength(response);
  if (length !== undefined && length > limits.bytes) {
    response.body.cancel();
    throw new MessageTooLarge('bytes');
  }
  const { body } = response;
  const reader = new JsonReader(limits);
  try {
    for (let chunk = await body.read(); chunk !== undefined; chunk = await body.read()) {
      const excess = reader.write(chunk);
      if (excess !== undefined) throw new MessageTooLarge(excess);
    }
  } catch (error) {
    body.cancel();
    throw error;
  }
  return reader.end();
}

/** Reads a body as text up to about `maximumBytes` and discards the rest. Invalid UTF-8 becomes U+FFFD. */
export async function readText({ body }: HttpResponse, maximumBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (let chunk = await body.read(); chunk !== undefined; chunk = await body.read()) {
    text += decoder.decode(chunk, { stream: true });
    length += chunk.length;
    if (length <= maximumBytes) continue;
    body.cancel();
    break;
  }
  return text + decoder.decode();
}

const maximumDrainedBytes = 64 * 1024;

/** Discards a body. A short one is read to its end, so that the connection stays usable. */
export async function drainBody(response: HttpResponse): Promise<void> {
  const length = declaredLength(response);
  if (length === undefined || length > maximumDrainedBytes) response.body.cancel();
  else await readText(response, maximumDrainedBytes).catch(() => {});
}

function declaredLength({ headers }: HttpResponse): number | undefined {
  const length = headers.get('content-length');
  // With a content encoding it counts compressed bytes.
  return length === undefined || headers.get('content-encoding') !== undefined ? undefined : Number(length);
}

/** The media type of a response in lower case, without parameters; empty without `Content-Type`. */
export function mediaType({ headers }: HttpResponse): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase();
}
