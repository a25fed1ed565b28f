export const noBytes = new Uint8Array(0);

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** @returns the text of whole characters; a byte order mark stays, and invalid bytes become U+FFFD */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Collects bytes in memory that grows by doubling, so that the copying is linear in the bytes. */
export class ByteBuffer {
  #memory: Uint8Array = noBytes;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes so far, valid until the next change. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  /** @param bytes the caller must not reuse their memory: the first ones are not copied */
  append(bytes: Uint8Array): void {
    if (this.#length === 0) this.#memory = bytes;
    const length = this.#length + bytes.length;
    if (length > this.#memory.length) {
      const longer = new Uint8Array(Math.max(length, 2 * this.#memory.length));
      longer.set(this.bytes);
      this.#memory = longer;
    }
    if (this.#length > 0) this.#memory.set(bytes, this.#length);
    this.#length = length;
  }

  /** Empties it. @returns the bytes, whose memory is not used again */
  take(): Uint8Array {
    const { bytes } = this;
    this.#memory = noBytes;
    this.#length = 0;
    return bytes;
  }
}
