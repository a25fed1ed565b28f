import { describe, expect, it } from 'vitest';
import { toContentView } from '../../../../src/host/panels/contentView.ts';

describe('toContentView', () => {
  it('makes data URIs of media types on the list only', () => {
    expect(toContentView({ type: 'image', data: 'AAAA', mimeType: 'Image/PNG; charset=x' })).toEqual({
      kind: 'image',
      mimeType: 'image/png',
      source: 'data:image/png;base64,AAAA',
    });
    expect(toContentView({ type: 'audio', data: 'AA\nAA', mimeType: 'audio/wav' })).toMatchObject({
      source: 'data:audio/wav;base64,AAAA',
    });
  });

  it.each([
    ['image', 'text/html', 'AAAA'],
    ['image', 'audio/wav', 'AAAA'],
    ['audio', 'image/png', 'AAAA'],
    ['image', 'image/png,<script>', 'AAAA'],
    ['image', 'image/png', 'AA"AA'],
    ['image', 'image/png', ''],
    ['audio', 'audio/wav', 'A'.repeat(30_000_000)],
  ] as const)('does not draw %s of type %s', (type, mimeType, data) => {
    expect(toContentView({ type, mimeType, data })).toMatchObject({ kind: 'omitted', mimeType });
  });

  it('tells the size of what it leaves out', () => {
    expect(toContentView({ type: 'image', data: 'AAAAAA==', mimeType: 'image/tiff' })).toMatchObject({ bytes: 4 });
  });

  it('shows text, pictures and plain facts of embedded resources', () => {
    const view = (resource: { uri: string; mimeType?: string; text?: string; blob?: string }) =>
      toContentView({ type: 'resource', resource });
    expect(view({ uri: 'a:b', text: 'é' })).toEqual({
      kind: 'resource',
      uri: 'a:b',
      mimeType: 'text/plain',
      text: 'é',
      bytes: 2,
    });
    expect(view({ uri: 'a:b', mimeType: 'image/png', blob: 'AAAA' })).toMatchObject({
      media: { kind: 'image' },
      bytes: 3,
    });
    expect(view({ uri: 'a:b', blob: 'AAAA' })).toEqual({
      kind: 'resource',
      uri: 'a:b',
      mimeType: 'application/octet-stream',
      text: undefined,
      bytes: 3,
    });
  });

  it('names links by title, then name, then address', () => {
    const link = { type: 'resource_link', uri: 'a:b', name: 'n' } as const;
    expect(toContentView({ ...link, title: 't' })).toEqual({ kind: 'link', uri: 'a:b', title: 't' });
    expect(toContentView(link)).toMatchObject({ title: 'n' });
    expect(toContentView({ ...link, name: '' })).toMatchObject({ title: 'a:b' });
  });

  it('keeps content it does not know as JSON', () => {
    expect(toContentView({ type: 'unknown', original: { type: 'video' } })).toEqual({
      kind: 'json',
      json: '{\n  "type": "video"\n}',
    });
  });
});
