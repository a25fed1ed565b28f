import { describe, expect, it } from 'vitest';
import { fileName, uniqueNames } from '../../../../src/host/platform/fileName.ts';
import { nameFromUri } from '../../../../src/host/platform/fileName.ts';
import { readResourceUri, toResourceUri } from '../../../../src/host/resources/resourceUri.ts';

describe('resource URIs', () => {
  it.each([
    ['demo', 'demo://readme'],
    ['Demo', 'demo://README'],
    ['', ''],
    ['a/b:c@d', 'file:///C:/x%20y/../z?q=1&r=%2F#f'],
    ['~', '~7e'],
    ['..', '.'],
    ['日本 🎌', 'x:日本\u0000\ufeff'],
    ['demo', `data:,${'x'.repeat(5_000)}`],
  ])('bring %j and %j back exactly', (server, uri) => {
    const made = toResourceUri(server, uri, { text: 'Name' });
    expect(readResourceUri(made)).toEqual({ kind: 'resource', server, uri, part: undefined });
    expect(readResourceUri({ ...made, path: `${made.path}/part.txt` })).toEqual({
      kind: 'resource',
      server,
      uri,
      part: 'part.txt',
    });
    // If case were ignored, two resources would share a document.
    expect(made.authority).toBe(made.authority.toLowerCase());
    expect(made.path.split('/')[1]).toMatch(/^[a-z0-9_~-]+$/);
  });

  it('are readable where the resource is', () => {
    expect(toResourceUri('demo', 'demo://read-me', { text: 'Read me', mimeType: 'text/markdown' })).toEqual({
      scheme: 'patchbay-resource',
      authority: 'demo',
      path: '/demo~3a~2f~2fread-me/Read me.md',
    });
  });

  it.each([
    { scheme: 'file', authority: 'demo', path: '/a/b' },
    { scheme: 'patchbay-resource', authority: 'DEMO', path: '/a/b' },
    { scheme: 'patchbay-resource', authority: '', path: '/a/b' },
    { scheme: 'patchbay-resource', authority: 'demo', path: '/~zz/b' },
    { scheme: 'patchbay-resource', authority: 'demo', path: '/~ff/b' },
    { scheme: 'patchbay-resource', authority: 'demo', path: '/a/b/c/d' },
    { scheme: 'patchbay-resource', authority: 'demo', path: '/../b' },
  ])('that nobody made mean nothing: %j', (uri) => {
    expect(readResourceUri(uri)).toBeUndefined();
  });

  it('have folders above them', () => {
    expect(readResourceUri({ scheme: 'patchbay-resource', authority: 'demo', path: '/' })).toEqual({ kind: 'above' });
    expect(readResourceUri({ scheme: 'patchbay-resource', authority: 'demo', path: '/a' })).toEqual({ kind: 'above' });
  });
});

describe('fileName', () => {
  it.each([
    ['Read me', 'text/markdown; charset=utf-8', 'Read me.md'],
    ['README.markdown', 'text/markdown', 'README.markdown'],
    ['main.ts', 'text/plain', 'main.ts'],
    ['main.ts', 'text/html', 'main.ts'],
    ['logo', 'image/png', 'logo.png'],
    ['logo.v2', 'image/png', 'logo.v2.png'],
    ['logo.PNG', 'image/png', 'logo.PNG'],
    ['data', undefined, 'data'],
    ['data', 'application/x-unheard-of', 'data'],
    ['.env', 'text/plain', '.env.txt'],
    ['', 'text/plain', 'resource.txt'],
    ['..', undefined, 'resource'],
    ['a/b\\c:d\u202e\n', undefined, 'a_b_c_d'],
    ['book.ipynb', 'application/x-ipynb+json', 'book.ipynb.json'],
    ['x.code-workspace', undefined, 'x.code-workspace.json'],
  ])('makes of %j, %j: %j', (text, mimeType, expected) => {
    expect(fileName(text, mimeType)).toBe(expected);
  });

  it('keeps the end of a long name', () => {
    const name = fileName(`${'x'.repeat(300)}-the-end.py`);
    expect(name.length).toBeLessThanOrEqual(80);
    expect(name).toMatch(/^x+….*-the-end\.py$/);
  });
});

describe('uniqueNames', () => {
  it('tells the same names apart before their extension', () => {
    expect(uniqueNames(['a.md', 'A.md', 'a.md', 'b', 'b'])).toEqual(['a.md', 'A (2).md', 'a (3).md', 'b', 'b (2)']);
  });
});

describe('nameFromUri', () => {
  it.each([
    ['file:///x/y%20z.md?q#f', 'y z.md'],
    ['demo://folder/', 'folder'],
    ['x:100%', 'x:100%'],
    ['', ''],
  ])('of %j is %j', (uri, name) => expect(nameFromUri(uri)).toBe(name));
});
