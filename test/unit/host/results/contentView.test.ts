import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { ContentBudget, toBlockFile, toContentView } from '../../../../src/host/results/contentView.ts';

type Block = Parameters<typeof toContentView>[0];

/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function view(block: Block) {
  return toContentView(block, new ContentBudget(limits.shown.result));
}

describe('toContentView', () => {
  it('makes data URIs of media types on the list only', () => {
    expect(view({ type: 'image', data: 'AAAA', mimeType: 'Image/PNG; charset=x' })).toEqual({
      kind: 'image',
      mimeType: 'image/png',
      source: 'data:image/png;base64,AAAA',
    });
    expect(view({ type: 'audio', data: 'AA\nAA', mimeType: 'audio/wav' })).toMatchObject({
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
    expect(view({ type, mimeType, data })).toMatchObject({ kind: 'omitted', mimeType });
  });

  it('tells the size of what it leaves out', () => {
    expect(view({ type: 'image', data: 'AAAAAA==', mimeType: 'image/tiff' })).toMatchObject({ bytes: 4 });
  });

  it('shows text, pictures and plain facts of embedded resources', () => {
    const resourceView = (resource: { uri: string; mimeType?: string; text?: string; blob?: string }) =>
      view({ type: 'resource', resource });
    expect(resourceView({ uri: 'a:b', text: 'é' })).toEqual({
      kind: 'resource',
      uri: 'a:b',
      mimeType: 'text/plain',
      text: 'é',
      bytes: 2,
    });
    expect(resourceView({ uri: 'a:b', mimeType: 'image/png', blob: 'AAAA' })).toMatchObject({
      media: { kind: 'image' },
      bytes: 3,
    });
    expect(resourceView({ uri: 'a:b', blob: 'AAAA' })).toEqual({
      kind: 'resource',
      uri: 'a:b',
      mimeType: 'application/octet-stream',
      text: undefined,
      bytes: 3,
    });
  });

  it('names links by title, then name, then address', () => {
    const link = { type: 'resource_link', uri: 'a:b', name: 'n' } as const;
    expect(view({ ...link, title: 't' })).toEqual({ kind: 'link', uri: 'a:b', title: 't' });
    expect(view(link)).toMatchObject({ title: 'n' });
    expect(view({ ...link, name: '' })).toMatchObject({ title: 'a:b' });
  });

  it('says what a server says of a block, and what is for the assistant only [audience-assistant]', () => {
    const annotations = { audience: ['assistant'], priority: 0.25, lastModified: '2025-05-03T12:00:00Z' } as const;
    expect(view({ type: 'text', text: 't', annotations }).annotations).toEqual({
      isForAssistantOnly: true,
      texts: ['For the assistant only', 'Priority 0.25 of 1', expect.stringMatching(/^Last modified .*2025/)],
    });
    expect(view({ type: 'text', text: 't', annotations: {} })).toEqual({ kind: 'text', text: 't' });
    const odd = { audience: 'all', priority: 'high', lastModified: 'yester\u202Eday' } as unknown as object;
    expect(view({ type: 'text', text: 't', annotations: odd }).annotations).toEqual({
      isForAssistantOnly: false,
      texts: ['Last modified yester⟨U+202E⟩day'],
    });
  });

  it('tells description, type, size and icon of a link', () => {
    const png = `data:image/png;base64,${pixel}`;
    const link = {
      type: 'resource_link',
      uri: 'a:b',
      name: 'n',
      description: 'd',
      mimeType: 'application/pdf',
      size: 7,
      icons: [{ src: png }],
    } as const;
    expect(view(link)).toEqual({
      kind: 'link',
      uri: 'a:b',
      title: 'n',
      description: 'd',
      mimeType: 'application/pdf',
      bytes: 7,
      icon: { light: png, dark: png },
    });
    const elsewhere = { ...link, icons: [{ src: 'https://example.org/icon.png' }] };
    expect(view(elsewhere)).not.toHaveProperty('icon');
  });
});

describe('the file of a block', () => {
  it("takes a name that is no place on the disk, whatever the server's address", () => {
    const name = (uri: string): string | undefined =>
      toBlockFile({ type: 'resource', resource: { uri, text: '' } })?.name;
    expect(name('x:/a/..%2F..%2F.ssh%2Fconfig')).toBe('.._.._.ssh_config');
    expect(name('x:/..')).toBe('resource');
    expect(name('x:/a.ipynb')).toBe('a.ipynb.json');
  });
});
