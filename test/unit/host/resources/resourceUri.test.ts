import { describe, expect, it } from 'vitest';
import { fileName, uniqueNames } from '../../../../src/host/platform/fileName.ts';
import { nameFromUri } from '../../../../src/host/platform/fileName.ts';
import { sampleSeal } from '../sampleSeal.ts';
import { readResourceUri, toResourceUri } from '../../../../src/host/resources/resourceFiles.ts';

const seal = sampleSeal();

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
    const made = toResourceUri(seal, { server, uri }, { text: 'Name' });
    expect(readResourceUri(seal, made)).toEqual({ server, uri, part: undefined });
    expect(readResourceUri(seal, { ...made, path: `${made.path}/part.txt` })).toEqual({
      server,
      uri,
      part: 'part.txt',
    });
    // If case were ignored, two resources would share a document.
    expect(made.authority).toBe(made.authority.toLowerCase());
    expect(made.path.split('/')[1]).toMatch(/^patchbay~[0-9a-f]{32}$/);
    expect(made.path.split('/')[2]).toMatch(/^[a-z0-9_~-]+$/);
  });

  it('are readable where the resource is', () => {
    const name = { text: 'Read me', mimeType: 'text/markdown' };
    expect(toResourceUri(seal, { server: 'demo', uri: 'demo://read-me' }, name)).toEqual({
      scheme: 'patchbay-resource',
      authority: 'demo',
      path: expect.stringMatching(/^\/patchbay~[0-9a-f]{32}\/demo~3a~2f~2fread-me\/Read me\.md$/),
    });
  });

  const made = toResourceUri(seal, { server: 'demo', uri: 'x:a' }, { text: 'b' });
  const sealed = made.path.split('/')[1] ?? '';
  const ofOther = toResourceUri(seal, { server: 'other', uri: 'x:a' }, { text: 'b' }).path.split('/')[1] ?? '';
  const ofOtherUri = toResourceUri(seal, { server: 'demo', uri: 'x:c' }, { text: 'b' }).path.split('/')[1] ?? '';
  const ofSkill = seal.of('patchbay-skill', 'demo', 'x:a', 'b');

  it.each([
    ['with another scheme', { scheme: 'file' }],
    ['with another spelling of the server', { authority: 'DEMO' }],
    ['with another server', { authority: 'other' }],
    ['without a server', { authority: '' }],
    ['without a seal', { path: '/x~3aa/b' }],
    ['with an empty seal', { path: '//x~3aa/b' }],
    ['with a short seal', { path: `/${sealed.slice(0, -1)}/x~3aa/b` }],
    ['with a wrong seal', { path: `/patchbay~${'0'.repeat(32)}/x~3aa/b` }],
    ['with capitals in its seal', { path: `/${sealed.toUpperCase()}/x~3aa/b` }],
    ['with the seal of another server', { path: `/${ofOther}/x~3aa/b` }],
    ['with the seal of another resource', { path: `/${ofOtherUri}/x~3aa/b` }],
    ['with the seal of a skill', { path: `/${ofSkill}/x~3aa/b` }],
    ['with another resource', { path: `/${sealed}/x~3ac/b` }],
    ['with another name', { path: `/${sealed}/x~3aa/b.ipynb` }],
    ['with no characters of an encoding', { path: `/${sealed}/~zz/b` }],
    ['with bytes that are no text', { path: `/${sealed}/~ff/b` }],
    ['below its parts', { path: `${made.path}/c/d` }],
    ['above it', { path: `/${sealed}/x~3aa` }],
    ['above all resources', { path: `/${sealed}` }],
    ['of the whole server', { path: '/' }],
  ])('mean nothing %s', (_, change) => {
    expect(readResourceUri(seal, made)).toBeDefined();
    expect(readResourceUri(seal, { ...made, ...change })).toBeUndefined();
  });

  it('mean nothing with the key of another workspace, and to another definition of the label', () => {
    const definitions = new Map([['demo', 'one']]);
    const bound = sampleSeal({ definitionOf: (server) => definitions.get(server) });
    const uri = toResourceUri(bound, { server: 'demo', uri: 'x:a' }, { text: 'b' });
    expect(readResourceUri(bound, uri)).toBeDefined();
    expect(readResourceUri(sampleSeal({ key: 2, definitionOf: () => 'one' }), uri)).toBeUndefined();
    definitions.set('demo', 'two');
    expect(readResourceUri(bound, uri)).toBeUndefined();
    definitions.delete('demo');
    expect(readResourceUri(bound, toResourceUri(bound, { server: 'demo', uri: 'x:a' }, { text: 'b' }))).toBeUndefined();
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
    // Windows takes them for devices, or leaves out their end.
    ['CON', undefined, '_CON'],
    ['nul', 'text/plain', '_nul.txt'],
    ['aux.json', undefined, '_aux.json'],
    ['COM1 .log', undefined, '_COM1 .log'],
    ['LPT¹.md', undefined, '_LPT¹.md'],
    ['conin$', undefined, '_conin$'],
    ['console.log', undefined, 'console.log'],
    ['com10', undefined, 'com10'],
    ['trailing.', 'text/plain', 'trailing.txt'],
    ['trailing. .', undefined, 'trailing'],
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
