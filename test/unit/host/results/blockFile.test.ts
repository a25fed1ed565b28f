import { describe, expect, it } from 'vitest';
import { toBlockFile } from '../../../../src/host/results/blockFile.ts';

describe('fileOf', () => {
  it("takes a name that is no place on the disk, whatever the server's address", () => {
    const name = (uri: string): string | undefined =>
      toBlockFile({ type: 'resource', resource: { uri, text: '' } })?.name;
    expect(name('x:/a/..%2F..%2F.ssh%2Fconfig')).toBe('.._.._.ssh_config');
    expect(name('x:/..')).toBe('resource');
    expect(name('x:/a.ipynb')).toBe('a.ipynb.json');
  });
});
