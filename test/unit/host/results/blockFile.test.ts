import { describe, expect, it } from 'vitest';
import { toBlockFile } from '../../../../src/host/results/blockFile.ts';
import type { ContentBlock } from '../../../../src/protocol/mcp/content.ts';

const hello = Buffer.from('hello').toString('base64');

function saved(block: ContentBlock): readonly [name: string | undefined, text: string | undefined] {
  const file = toBlockFile(block);
  return [file?.name, file && Buffer.from(file.bytes()).toString()];
}

describe('fileOf', () => {
  it.each<[string, ContentBlock, string]>([
    ['a picture', { type: 'image', data: hello, mimeType: 'image/png' }, 'image.png'],
    ['a sound', { type: 'audio', data: hello, mimeType: 'audio/x-wav' }, 'audio.wav'],
    [
      'a document',
      { type: 'resource', resource: { uri: 'demo://a/report', mimeType: 'application/pdf', blob: hello } },
      'report.pdf',
    ],
    ['any other bytes', { type: 'resource', resource: { uri: 'demo://a/data.bin', blob: hello } }, 'data.bin'],
    ['a text', { type: 'resource', resource: { uri: 'demo://a/notes.md', text: 'hello' } }, 'notes.md'],
  ])('makes a file of %s', (_name, block, name) => {
    expect(saved(block)).toEqual([name, 'hello']);
  });

  it("takes a name that is no place on the disk, whatever the server's address", () => {
    const name = (uri: string): string | undefined =>
      toBlockFile({ type: 'resource', resource: { uri, text: '' } })?.name;
    expect(name('x:/a/..%2F..%2F.ssh%2Fconfig')).toBe('.._.._.ssh_config');
    expect(name('x:/..')).toBe('resource');
    expect(name('x:/a.ipynb')).toBe('a.ipynb.json');
  });
});
