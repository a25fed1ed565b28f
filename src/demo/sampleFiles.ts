import { Buffer } from 'node:buffer';
import type { Icon } from '../protocol/mcp/base.ts';
import logos from './logo.json' with { type: 'json' };

/** @returns the logo, a small patch bay, as a PNG file in base64. @param size width and height in pixels */
export function logoPng(size: 32 | 48 | 96 | 128): string {
  return logos[size];
}

export function createLogoIcons(): readonly Icon[] {
  return [{ src: `data:image/png;base64,${logoPng(32)}`, mimeType: 'image/png', sizes: ['32x32'] }];
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
  const header = [
    Buffer.from('RIFF'),
    littleEndian(36 + samples.length),
    Buffer.from('WAVEfmt '),
    // The length of the format; PCM and one channel; samples and bytes a second; bytes of a sample and its bits.
    littleEndian(16, 0x1_0001, sampleRate, sampleRate, 0x8_0001),
    Buffer.from('data'),
    littleEndian(samples.length),
  ];
  return Buffer.concat([...header, samples]).toString('base64');
}

function littleEndian(...words: readonly number[]): Buffer {
  return Buffer.from(Uint32Array.from(words).buffer);
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
