import { describe, expect, it } from 'vitest';
import { sampleSeal } from '../sampleSeal.ts';
import { readSkillUri, skillFileUri, skillPaths, toSkillUri } from '../../../../src/host/skills/skillFeature.ts';
import { readSkillsPage, type Skill } from '../../../../src/protocol/mcp/skills.ts';
import { formsUri, skillEntry, skillUri } from '../../../fixtures/skills.ts';

function skillWith(...files: string[]): Skill {
  const entry = skillEntry(Object.fromEntries([skillUri, ...files].map((uri) => [uri, uri])));
  return readSkillsPage({ skills: [entry] }).items[0] ?? expect.unreachable('left out');
}

const seal = sampleSeal();

describe('the documents of skills', () => {
  it('are told apart by server and skill, and bring both back', () => {
    const address = { server: 'A/b', skill: skillUri, path: 'references/FORMS.md' };
    const uri = toSkillUri(seal, address);
    expect(uri.path).toMatch(/\/pdf\/references\/FORMS\.md$/);
    expect(readSkillUri(seal, uri)).toEqual(address);
    expect(toSkillUri(seal, { ...address, server: 'other' }).authority).not.toBe(uri.authority);
    expect(readSkillUri(seal, { ...uri, path: uri.path.slice(0, uri.path.indexOf('/references')) })).toMatchObject({
      path: '',
    });
  });

  const made = toSkillUri(seal, { server: 'a', skill: skillUri, path: 'x.md' });
  const [, sealed = '', encoded = ''] = made.path.split('/');

  it.each([
    ['above all skills', { path: '/' }],
    ['above one', { path: `/${sealed}/${encoded}` }],
    ['of another server', { authority: 'b' }],
    ['of another scheme', { scheme: 'patchbay-resource' }],
    [
      'with the seal of another skill',
      { path: made.path.replace(sealed, seal.of('patchbay-skill', 'a', 'skill://b/SKILL.md')) },
    ],
    ['with the seal of a resource', { path: made.path.replace(sealed, seal.of('patchbay-resource', 'a', skillUri)) }],
    ['without a seal', { path: made.path.replace(`/${sealed}`, '') }],
    ['with another name', { path: `/${sealed}/${encoded}/other/x.md` }],
    ['with a path that leads out of the folder', { path: `/${sealed}/${encoded}/pdf/a/../../../x.md` }],
  ])('are nothing %s', (_, change) => {
    expect(readSkillUri(seal, made)).toEqual({ server: 'a', skill: skillUri, path: 'x.md' });
    expect(readSkillUri(seal, { ...made, ...change })).toBeUndefined();
  });

  it('have the paths their files have, so that links between them lead somewhere', () => {
    expect([...skillPaths(skillWith(formsUri))]).toEqual([
      ['SKILL.md', skillUri],
      ['references/FORMS.md', formsUri],
    ]);
    expect(skillFileUri(skillUri, 'a b/c.md')).toBe('skill://acme/pdf/a%20b/c.md');
  });

  it('never run anything, nor hide one another', () => {
    const folder = 'skill://acme/pdf/';
    const paths = skillPaths(skillWith(`${folder}a.ipynb`, `${folder}x%01.md`, `${folder}x_.md`, `${folder}x:.md`));
    expect([...paths.keys()]).toEqual(['SKILL.md', 'a.ipynb.json', expect.any(String), 'x_.md', 'x_ (2).md']);
  });
});
