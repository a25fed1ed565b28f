import { PassThrough, pipeline, type Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';

/** A server that nests more encodings only wants to keep its clients busy. */
const maximumEncodings = 5;

type CreateDecoder = (options: { readonly params: Readonly<Record<number, number>> }) => Transform;

/** Node has Zstandard from 22.15 on. */
const createZstdDecoder = Reflect.get(zlib, 'createZstdDecompress') as CreateDecoder | undefined;
/** A larger window is not allowed over HTTP (RFC 9659, section 3). */
const zstdOptions = { params: { [Reflect.get(zlib.constants, 'ZSTD_d_windowLogMax') as number]: 23 } };

export const acceptedEncodings = createZstdDecoder === undefined ? 'gzip, deflate, br' : 'gzip, deflate, br, zstd';

/** Decompresses a body as far as it is read (RFC 9110, section 8.4); not one in an unknown encoding. */
export function decodedBody(body: Readable, encodings: string | undefined): Readable {
  if (encodings === undefined) return body;
  const names = encodings.toLowerCase().split(',');
  if (names.length > maximumEncodings) return body.destroy(new Error('The body has too many content encodings.'));
  // The last one was applied last.
  return names.reduceRight((encoded, name) => decodedOnce(encoded, name.trim()), body);
}

function decodedOnce(body: Readable, encoding: string): Readable {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return through(body, zlib.createGunzip(zlibOptions));
    case 'deflate':
      return inflated(body);
    case 'br':
      return through(body, zlib.createBrotliDecompress(brotliOptions));
    case 'zstd':
      return createZstdDecoder === undefined ? body : through(body, createZstdDecoder(zstdOptions));
    default:
      return body;
  }
}

// Event streams must be readable while they are sent, and some servers do not end what they compress.
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
const zlibOptions = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
const brotliOptions = { flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH };

function through(body: Readable, decoder: Transform): Readable {
  // An error destroys both ends: the reader of the decoder receives it.
  pipeline(body, decoder, () => {});
  return decoder;
}

/** `deflate` means the zlib format, but some servers send its content alone. */
function inflated(body: Readable): Readable {
  const output = new PassThrough();
  body.once('error', (error) => output.destroy(error));
  body.once('readable', () => {
    const head = body.read() as Buffer | null;
    if (head === null) {
      output.end();
      return;
    }
    body.unshift(head);
    const isZlib = ((head[0] ?? 0) & 0x0f) === 0x08;
    pipeline(body, isZlib ? zlib.createInflate(zlibOptions) : zlib.createInflateRaw(zlibOptions), output, () => {});
  });
  return output;
}
