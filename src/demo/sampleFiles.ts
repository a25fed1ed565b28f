import { Buffer } from 'node:buffer';
import { deflateSync } from 'node:zlib';
import type { Icon } from '../protocol/mcp/base.ts';

type Colour = readonly [red: number, green: number, blue: number];

const panel: Colour = [38, 50, 56];
const socket: Colour = [144, 164, 174];
const orange: Colour = [255, 138, 61];
const teal: Colour = [38, 198, 180];

/** Samples along each side of a pixel, for antialiasing. */
const samplesPerSide = 3;

/**
 * Draws a small patch bay: six sockets and two cables, always the same bytes.
 * @param size width and height in pixels
 * @returns a PNG file in base64
 */
export function createLogoPng(size: number): string {
  const rows = Array.from({ length: size }, (_, y) => drawRow(size, y));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits for each channel of red, green, blue and alpha.
  header.set([8, 6], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const body = [pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(Buffer.concat(rows))), pngChunk('IEND')];
  return Buffer.concat([signature, ...body]).toString('base64');
}

export function createLogoIcons(): readonly Icon[] {
  return [{ src: `data:image/png;base64,${createLogoPng(32)}`, mimeType: 'image/png', sizes: ['32x32'] }];
}

/** One row of pixels, after the byte for the filter (none). */
function drawRow(size: number, y: number): Buffer {
  const row = Buffer.alloc(1 + size * 4);
  for (let x = 0; x < size; x += 1) row.set(drawPixel(size, x, y), 1 + x * 4);
  return row;
}

function drawPixel(size: number, x: number, y: number): readonly number[] {
  const hits: Colour[] = [];
  for (let sample = 0; sample < samplesPerSide * samplesPerSide; sample += 1) {
    const offsetX = ((sample % samplesPerSide) + 0.5) / samplesPerSide;
    const offsetY = (Math.floor(sample / samplesPerSide) + 0.5) / samplesPerSide;
    const colour = colourAt((x + offsetX) / size, (y + offsetY) / size);
    if (colour !== undefined) hits.push(colour);
  }
  if (hits.length === 0) return [0, 0, 0, 0];
  const channels = [0, 1, 2].map((channel) => hits.reduce((sum, hit) => sum + (hit[channel] ?? 0), 0) / hits.length);
  return [...channels, (255 * hits.length) / samplesPerSide ** 2].map(Math.round);
}

/** The colour at a point of the unit square; `undefined` is transparent. */
function colourAt(x: number, y: number): Colour | undefined {
  if (distanceToSquare(x, y) > 0.12) return undefined;
  if (isOnCable(x, y, 0.25, 0.75)) return orange;
  if (isOnCable(x, y, 0.5, 0.25)) return teal;
  const column = Math.round(x * 4) / 4;
  const row = y < 0.5 ? 0.28 : 0.72;
  const isInside = column >= 0.25 && column <= 0.75;
  return isInside && Math.hypot(x - column, y - row) < 0.085 ? socket : panel;
}

/** The distance of a point from the square that becomes the front panel when rounded by 0.12. */
function distanceToSquare(x: number, y: number): number {
  return Math.hypot(Math.max(Math.abs(x - 0.5) - 0.36, 0), Math.max(Math.abs(y - 0.5) - 0.36, 0));
}

/** Whether a point is on the cable from the upper socket at `from` to the lower one at `to`, plugs included. */
function isOnCable(x: number, y: number, from: number, to: number): boolean {
  if (Math.hypot(x - from, y - 0.28) < 0.05 || Math.hypot(x - to, y - 0.72) < 0.05) return true;
  if (y < 0.28 || y > 0.72) return false;
  const way = (y - 0.28) / 0.44;
  const eased = way * way * (3 - 2 * way);
  return Math.abs(x - (from + (to - from) * eased)) < 0.03;
}

function pngChunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(named.length + 8);
  frame.writeUInt32BE(data.length, 0);
  frame.set(named, 4);
  frame.writeUInt32BE(crc32(named), named.length + 4);
  return frame;
}

/** The checksum of PNG chunks; `node:zlib` has it only since Node 20.15. */
function crc32(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

const sampleRate = 8000;
/** In hertz; each tone lasts {@link noteSeconds}. */
const chimeFrequencies = [523.25, 659.25, 783.99];
const noteSeconds = 0.15;

/** @returns a WAV file in base64: three rising tones, mono, 8 bits, always the same bytes */
export function createChimeWav(): string {
  const perNote = sampleRate * noteSeconds;
  const samples = Buffer.alloc(perNote * chimeFrequencies.length);
  for (let index = 0; index < samples.length; index += 1) {
    const frequency = chimeFrequencies[Math.floor(index / perNote)] ?? 0;
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

const leafletLines = [
  'A leaflet of the Patchbay demo server.',
  'An editor shows no PDF: save it, and open it with a program of yours.',
];

/** @returns a PDF file with one page in base64, always the same bytes */
export function createLeafletPdf(): string {
  const text = `BT /F1 18 Tf 40 160 Td 26 TL ${leafletLines.map((line) => `(${line}) Tj T*`).join(' ')} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 640 240] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  file += `${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1').toString('base64');
}
