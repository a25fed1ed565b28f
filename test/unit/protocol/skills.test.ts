import { describe, expect, it } from 'vitest';
import {
  maximumSkillBytes,
  maximumSkillFiles,
  readGetSkillResult,
  readSkillsPage,
  skillFilePath,
} from '../../../src/protocol/mcp/skills.ts';
import { formsUri, skillEntry, skillUri } from '../../fixtures/skills.ts';

const good = skillEntry();
const holding = (...resources: readonly unknown[]) => ({ ...good, resources });
const [manifest, forms] = good.resources;
const file = (uri: string, size = 1) => ({ uri, digest: `sha256:${'0'.repeat(64)}`, size });

describe('the entries of skills', () => {
  it('hold the frontmatter as it is written, and every file', () => {
    const { items, problems } = readSkillsPage({ skills: [good] });
    expect(problems).toEqual([]);
    expect(items).toEqual([
      {
        uri: skillUri,
        name: 'pdf',
        description: 'Fills in PDF forms',
        frontmatter: good.frontmatter,
        prefix: 'acme',
        files: good.resources.map(({ uri, digest, size }) => ({
          uri,
          path: uri.slice('skill://acme/pdf/'.length),
          size,
          sha256: digest.slice('sha256:'.length),
        })),
      },
    ]);
    expect(readGetSkillResult({ skill: good })).toEqual(items[0]);
  });

  it('may leave the files open, in any scheme', () => {
    const uri = 'github://owner/repo/skills/refunds/SKILL.md';
    const dynamic = { uri, frontmatter: { name: 'refunds', description: 'x' }, resources: 'dynamic' };
    const { items } = readSkillsPage({ skills: [dynamic] });
    expect(items).toMatchObject([{ files: 'dynamic', name: 'refunds', prefix: 'github://owner/repo/skills' }]);
  });

  it.each([
    ['no URI', { ...good, uri: undefined }, 'does not end in /SKILL.md'],
    ['another name of the file', { ...good, uri: 'skill://pdf/skill.md' }, 'does not end in /SKILL.md'],
    ['no frontmatter', { ...good, frontmatter: [] }, 'has no frontmatter'],
    ['no description', { ...good, frontmatter: { name: 'pdf' } }, 'lacks a name or a description'],
    ['a name that is not its folder', { ...good, frontmatter: { name: 'x', description: 'x' } }, 'name of its folder'],
    ['no folder', { ...good, uri: '/SKILL.md', frontmatter: { name: '', description: 'x' } }, 'name of its folder'],
    ['no files', { ...good, resources: undefined }, 'neither a list nor "dynamic"'],
    ['another word for files', { ...good, resources: 'none' }, 'neither a list nor "dynamic"'],
    ['files without its own', holding(forms), 'SKILL.md is not among its files'],
    ['a file twice', holding(manifest, forms, file('skill://acme/pdf/references/FORMS%2Emd')), 'twice'],
    ['a file of another skill', holding(manifest, file('skill://acme/other/x')), 'outside of its folder'],
    ['a file above it', holding(manifest, file('skill://acme/pdf/%2e%2e/x')), 'outside of its folder'],
    ['a short digest', holding(manifest, { ...forms, digest: 'sha256:00' }), 'SHA-256 digest'],
    ['a digest in capitals', holding({ ...manifest, digest: manifest?.digest.toUpperCase() }), 'digest'],
    ['a negative size', holding(manifest, { ...forms, size: -1 }), 'or a size'],
  ])('with %s are left out, and the reason is told', (_, entry, reason) => {
    const { items, problems } = readSkillsPage({ skills: [entry, good] });
    expect(items).toHaveLength(1);
    expect(problems).toEqual([expect.stringContaining(reason)]);
    expect(() => readGetSkillResult({ skill: entry })).toThrow(reason);
  });

  it('are taken up to the limits every host has to accept, and no further [skill-limits]', () => {
    const folder = 'skill://acme/pdf/';
    const files = (count: number): object[] =>
      Array.from({ length: count }, (_, index) => (index === 0 ? file(skillUri) : file(`${folder}${index}`)));
    const sized = (bytes: number) => holding(file(skillUri, bytes - 1), file(formsUri));
    const countOf = (entry: object): number => readSkillsPage({ skills: [entry] }).items.length;
    expect(countOf(holding(...files(maximumSkillFiles)))).toBe(1);
    expect(countOf(holding(...files(maximumSkillFiles + 1)))).toBe(0);
    expect(countOf(sized(maximumSkillBytes))).toBe(1);
    expect(countOf(sized(maximumSkillBytes + 1))).toBe(0);
  });

  it('that are bad do not fill the memory with complaints', () => {
    const skills = Array.from({ length: 5_000 }, () => ({}));
    expect(readSkillsPage({ skills }).problems).toHaveLength(100);
  });
});

it.each([
  [formsUri, 'references/FORMS.md'],
  ['skill://acme/pdf/a%20b.md', 'a b.md'],
  ['skill://acme/pdf/100%.md', '100%.md'],
  ['skill://acme/pdf/', undefined],
  ['skill://acme/pdf', undefined],
  ['skill://acme/pdfs/x', undefined],
  ['skill://acme/pdf/a/../../x', undefined],
  ['skill://acme/pdf/a%2Fb', undefined],
  ['skill://acme/pdf/a%5Cb', undefined],
  ['skill://acme/pdf/a?b', undefined],
  ['skill://acme/pdf/a#b', undefined],
])('the path of a file in its skill of %s is %s', (uri, path) => expect(skillFilePath(skillUri, uri)).toBe(path));
