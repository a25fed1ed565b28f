import { describe, expect, it } from 'vitest';
import { readSkillUri, skillFileUri, skillPaths, toSkillUri } from '../../../../src/host/skills/skillUri.ts';
import { readSkillsPage, type Skill } from '../../../../src/protocol/mcp/skills.ts';
import { formsUri, skillEntry, skillUri } from '../../../fixtures/skills.ts';

function skillWith(...files: string[]): Skill {
  const entry = skillEntry(Object.fromEntries([skillUri, ...files].map((uri) => [uri, uri])));
  return readSkillsPage({ skills: [entry] }).items[0] ?? expect.unreachable('left out');
}

describe('the documents of skills', () => {
  it('are told apart by server and skill, and bring both back', () => {
    const address = { server: 'A/b', skill: skillUri, path: 'references/FORMS.md' };
    const uri = toSkillUri(address);
    expect(uri.path).toMatch(/\/pdf\/references\/FORMS\.md$/);
    expect(readSkillUri(uri)).toEqual(address);
    expect(toSkillUri({ ...address, server: 'other' }).authority).not.toBe(uri.authority);
    expect(readSkillUri({ ...uri, path: uri.path.slice(0, uri.path.indexOf('/references')) })).toMatchObject({
      path: '',
    });
  });

  it.each([
    { scheme: 'patchbay-skill', authority: 'a', path: '/' },
    { scheme: 'patchbay-skill', authority: 'a', path: '/skill' },
    { scheme: 'patchbay-skill', authority: 'A', path: '/skill/name/x' },
    { scheme: 'file', authority: 'a', path: '/skill/name/x' },
  ])('are nothing else: %j', (uri) => expect(readSkillUri(uri)).toBeUndefined());

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
