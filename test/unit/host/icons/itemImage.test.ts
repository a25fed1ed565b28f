import { describe, expect, it } from 'vitest';
import { createPng } from '../../../fixtures/png.ts';
import { itemImage, readImageSize } from '../../../../src/host/icons/itemImage.ts';

const png = `data:image/png;base64,${createPng(32)}`;
const other = `data:image/png;base64,${createPng(16)}`;
const jpegData =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAACAAMBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z';
const pictures: readonly (readonly [kind: string, mimeType: string, data: string, width: number, height: number])[] = [
  ['PNG', 'image/png', createPng(32), 32, 32],
  ['JPEG', 'image/jpeg', jpegData, 3, 2],
  ['WebP, lossy', 'image/webp', 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 1, 1],
  ['WebP, lossless', 'image/webp', 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 1, 1],
  [
    'WebP, extended',
    'image/webp',
    'UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==',
    1,
    1,
  ],
];

function bytesOf(data: string): Uint8Array {
  return new Uint8Array(Buffer.from(data, 'base64'));
}

describe('readImageSize', () => {
  it.each(pictures)('reads the header of %s', (_, mimeType, data, width, height) => {
    expect(readImageSize(bytesOf(data))).toEqual({ mimeType, width, height });
  });

  it.each(pictures)('takes no part of a header for one: %s', (_, mimeType, data) => {
    const bytes = bytesOf(data);
    for (let length = 0; length < 16; length += 1) expect(readImageSize(bytes.subarray(0, length))).toBeUndefined();
    expect(mimeType).toMatch(/^image/);
  });
});

describe('itemImage', () => {
  it.each(pictures)('shows %s', (_, mimeType, data) => {
    const src = `data:${mimeType};base64,${data}`;
    expect(itemImage([{ src }])).toEqual({ light: src, dark: src });
  });

  it('chooses by theme', () => {
    const themed = [
      { src: png, theme: 'light' },
      { src: other, theme: 'dark' },
    ];
    expect(itemImage(themed)).toEqual({ light: png, dark: other });
    expect(itemImage([{ src: png }, { src: other, theme: 'dark' }])).toEqual({ light: png, dark: other });
    expect(itemImage([{ src: png, theme: 'dark' }])).toEqual({ light: png, dark: png });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no list', { src: png }],
    ['no icon', [null, 'x', { src: 1 }]],
    ['an address', [{ src: 'https://example.com/icon.png' }]],
    ['a script', [{ src: 'javascript:alert(1)' }]],
    ['SVG', [{ src: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}` }]],
    ['a type that is not that of its bytes', [{ src: png.replace('png', 'webp') }]],
    ['what is no picture', [{ src: `data:image/png;base64,${btoa('<script>')}` }]],
    ['text around the data', [{ src: `${png}") url("https://example.com` }]],
    ['parameters', [{ src: png.replace(';', ';charset=x;') }]],
    ['a picture of many bytes', [{ src: `${png.replaceAll('=', '')}${'A'.repeat(16_000)}` }]],
    ['a picture of many pixels', [{ src: withWidth(100_000) }]],
    ['more icons than anybody needs', [...Array.from({ length: 10 }, () => ({})), { src: png }]],
  ])('shows no picture for %s [icons-safe]', (_, icons) => {
    expect(itemImage(icons)).toBeUndefined();
  });
});

function withWidth(width: number): string {
  const bytes = Buffer.from(createPng(32), 'base64');
  bytes.writeUInt32BE(width, 16);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}
