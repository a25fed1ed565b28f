import { Buffer } from 'node:buffer';

const sampleRate = 8000;
/** In hertz; each tone lasts {@link noteSeconds}. */
const notes = [523.25, 659.25, 783.99];
const noteSeconds = 0.15;

/** @returns a WAV file in base64: three rising tones, mono, 8 bits, always the same bytes */
export function playChime(): string {
  const perNote = sampleRate * noteSeconds;
  const samples = Buffer.alloc(perNote * notes.length);
  for (let index = 0; index < samples.length; index += 1) {
    const frequency = notes[Math.floor(index / perNote)] ?? 0;
    const fade = 1 - (index % perNote) / perNote;
    samples[index] = 128 + Math.round(100 * fade * Math.sin((2 * Math.PI * frequency * index) / sampleRate));
  }
  return Buffer.concat([wavHeader(samples.length), samples]).toString('base64');
}

/** The 44 bytes before the samples of an uncompressed WAV file. */
function wavHeader(length: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(length, 40);
  return header;
}
