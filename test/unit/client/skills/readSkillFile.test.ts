import { describe, expect, it } from 'vitest';
import { differingFields, readFrontmatter } from '../../../../src/client/skills/frontmatter.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { problem } from '../../../fixtures/problem.ts';
import { startServer } from '../../../fixtures/scriptedManagedServer.ts';
import {
  formsText,
  formsUri,
  serveSkill,
  skillEntry,
  skillsCapabilities,
  skillText,
  skillUri,
} from '../../../fixtures/skills.ts';

const notVerified = { code: 'notVerified' };

async function start(entry?: object) {
  const set = await startServer({ capabilities: skillsCapabilities, script: (server) => serveSkill(server, entry) });
  return { ...set, scripted: set.latest() };
}

describe('skills', () => {
  it('are listed, and nothing of them is read [skill-no-prefetch]', async () => {
    const { server, scripted } = await start();
    expect(server.contents.skills.map(({ uri }) => uri)).toEqual([skillUri]);
    await settle();
    expect(scripted.sentFor('resources/read')).toEqual([]);
    expect(scripted.sentFor('skills/get')).toEqual([]);
  });

  it('are not asked for where the server does not declare them [extensions]', async () => {
    const { server, latest } = await startServer({
      capabilities: { resources: {} },
      script: (scripted) => serveSkill(scripted),
    });
    await expect(server.readSkillFile(skillUri, skillUri)).rejects.toMatchObject({ code: 'capabilityMissing' });
    expect(latest().sentFor('skills/list')).toEqual([]);
    expect(latest().sentFor('resources/read')).toEqual([]);
  });

  it('are declared to every server', async () => {
    const { scripted } = await start();
    expect(scripted.sentFor('initialize')[0]?.['params']).toMatchObject({
      capabilities: { extensions: { 'io.modelcontextprotocol/skills': {} } },
    });
  });

  it('are listed again with the resources', async () => {
    const { server, scripted, clock } = await start();
    scripted.on('skills/list', () => ({ skills: [] }));
    scripted.notify('notifications/resources/list_changed');
    await clock.advance(0);
    expect(server.contents.skills).toEqual([]);
  });
});

describe('a file of a skill', () => {
  it('is handed out when it is what the entry says', async () => {
    const { server } = await start();
    expect((await server.readSkillFile(skillUri, skillUri)).contents.text).toBe(skillText);
    const forms = await server.readSkillFile(skillUri, formsUri);
    expect(forms).toMatchObject({ contents: { text: formsText }, skill: { name: 'pdf' } });
  });

  it('is verified by its bytes when it comes as base64', async () => {
    const { server, scripted } = await start();
    const answer = (text: string) => ({ contents: [{ uri: formsUri, blob: Buffer.from(text).toString('base64') }] });
    scripted.on('resources/read', () => answer(formsText));
    await server.readSkillFile(skillUri, formsUri);
    scripted.on('resources/read', () => answer(formsText.toUpperCase()));
    await expect(server.readSkillFile(skillUri, formsUri)).rejects.toMatchObject(notVerified);
    scripted.on('resources/read', () => ({ contents: [{ uri: formsUri, blob: '?' }] }));
    await expect(server.readSkillFile(skillUri, formsUri)).rejects.toThrow('not valid base64');
  });

  it.each([
    ['the same size', skillText.replace('See', 'Run'), 'SHA-256'],
    ['another size', `${skillText}more`, 'bytes'],
  ])(
    'is refused when it differs with %s, and the skills are listed again [skill-verified]',
    async (_, text, reason) => {
      const { server, scripted, clock } = await start();
      scripted.on('resources/read', ({ uri }) => ({ contents: [{ uri, text }] }));
      await expect(server.readSkillFile(skillUri, skillUri)).rejects.toEqual(problem('notVerified', reason));
      await clock.advance(0);
      expect(scripted.sentFor('skills/list')).toHaveLength(2);
      expect(scripted.sentFor('resources/read')).toHaveLength(1);
    },
  );

  it.each([
    ['differs', { name: 'pdf', description: 'Harmless', license: 'MIT' }, '"description"'],
    ['has less', { name: 'pdf', description: 'Fills in PDF forms' }, '"license"'],
    ['has more', { ...skillEntry().frontmatter, 'allowed-tools': ['Read'] }, '"allowed-tools"'],
  ])('is refused when the frontmatter of the entry %s [skill-frontmatter]', async (_, frontmatter, field) => {
    const { server } = await start({ ...skillEntry(), frontmatter });
    await expect(server.readSkillFile(skillUri, skillUri)).rejects.toThrow(field);
    // Its other files are correct.
    await server.readSkillFile(skillUri, formsUri);
  });

  it('is not even read when the entry does not list it [skill-verified]', async () => {
    const { server, scripted } = await start();
    await expect(server.readSkillFile(skillUri, 'skill://acme/pdf/new.md')).rejects.toMatchObject(notVerified);
    await expect(server.readSkillFile(skillUri, 'file:///etc/passwd')).rejects.toMatchObject(notVerified);
    expect(scripted.sentFor('resources/read')).toEqual([]);
  });

  it('is refused when it is not one content', async () => {
    const { server, scripted } = await start();
    const part = { uri: skillUri, text: skillText };
    for (const contents of [[], [part, { uri: formsUri, text: formsText }]]) {
      scripted.on('resources/read', () => ({ contents }));
      await expect(server.readSkillFile(skillUri, skillUri)).rejects.toThrow('exactly one content');
    }
  });

  it('of a skill that is not listed is verified by the entry the server gives when asked [skill-by-uri]', async () => {
    const { server, latest } = await startServer({
      capabilities: skillsCapabilities,
      script: (scripted) => {
        serveSkill(scripted);
        scripted.on('skills/list', () => ({ skills: [] }));
        scripted.on('skills/get', () => ({ skill: skillEntry() }));
      },
    });
    expect((await server.readSkillFile(skillUri, formsUri)).contents.text).toBe(formsText);
    expect(latest().sentFor('skills/get')[0]?.['params']).toEqual({ uri: skillUri });
    latest().fail('skills/get', { code: -32602, message: 'No such skill' });
    await expect(server.readSkillFile(skillUri, skillUri)).rejects.toMatchObject({ code: -32602 });
  });

  it('is fetched again, though it was to be kept, once it is not what the entry says', async () => {
    const { server, latest, clock } = await startServer({
      capabilities: skillsCapabilities,
      supportedVersions: ['2026-07-28'],
      verdict: 'stateless',
      script: (scripted) => serveSkill(scripted),
    });
    const serve = (text: string): void => {
      const contents = [{ uri: formsUri, text }];
      latest().on('skills/list', () => ({ skills: [skillEntry({ [skillUri]: skillText, [formsUri]: text })] }));
      latest().on('resources/read', () => ({ contents, ttlMs: 3_600_000, cacheScope: 'private' }));
    };
    serve(formsText);
    await server.readSkillFile(skillUri, formsUri);
    serve('new');
    await server.readSkillFile(skillUri, formsUri);
    expect(latest().sentFor('resources/read')).toHaveLength(1);
    await expect(server.readSkillFile(skillUri, 'skill://acme/pdf/added.md')).rejects.toMatchObject(notVerified);
    await clock.advance(0);
    await expect(server.readSkillFile(skillUri, formsUri)).rejects.toMatchObject(notVerified);
    expect((await server.readSkillFile(skillUri, formsUri)).contents.text).toBe('new');
  });

  it('of a skill made anew each time is held against its frontmatter and its folder alone', async () => {
    const { server, scripted } = await start({ ...skillEntry(), resources: 'dynamic' });
    await server.readSkillFile(skillUri, skillUri);
    await server.readSkillFile(skillUri, 'skill://acme/pdf/any.md');
    await expect(server.readSkillFile(skillUri, 'skill://acme/x.md')).rejects.toMatchObject(notVerified);
    scripted.on('resources/read', ({ uri }) => ({ contents: [{ uri, text: '---\nname: other\n---\n' }] }));
    await expect(server.readSkillFile(skillUri, skillUri)).rejects.toThrow('frontmatter differs');
    scripted.on('resources/read', ({ uri }) => ({ contents: [{ uri, text: 'x'.repeat(16 * 1024 * 1024 + 1) }] }));
    await expect(server.readSkillFile(skillUri, formsUri)).rejects.toThrow('larger than a skill may be');
  });
});

describe('the frontmatter of SKILL.md', () => {
  it.each([
    ['---\nname: a\n---\nbody', { name: 'a' }],
    ['\uFEFF---\r\nname: a\r\n---\r\nbody', { name: 'a' }],
    [
      '---\nname: a\nversion: 1.10\nwhen: 2026-01-02\nyes: yes\n---\n',
      { name: 'a', version: 1.1, when: '2026-01-02', yes: 'yes' },
    ],
    [
      '---\ndescription: >-\n  one\n  two\nmetadata: { a: [1, null] }\n---',
      { description: 'one two', metadata: { a: [1, null] } },
    ],
    ['---\n__proto__: { x: 1 }\n---\n', JSON.parse('{"__proto__":{"x":1}}')],
    ['---\na: |\n  ---x\n---\n', { a: '---x\n' }],
  ])('is read from %j', (text, expected) => {
    const read = readFrontmatter(text);
    expect(differingFields(read, expected as Record<string, unknown>)).toEqual([]);
    expect(Object.keys(read)).toEqual(Object.keys(expected as object));
  });

  it.each([
    ['name: a\n', 'does not begin with a frontmatter'],
    ['---\nname: a\n', 'does not begin with a frontmatter'],
    [`---\nname: ${'a'.repeat(70_000)}\n---\n`, 'does not begin with a frontmatter'],
    ['---\n- a\n---\n', 'not a list of fields'],
    ['---\na: 1\na: 2\n---\n', 'not valid YAML'],
    ['---\na: [\n---\n', 'not valid YAML'],
    [
      `---\na: &a [x, x, x]\n${Array.from({ length: 9 }, (_, i) => `${'bcdefghij'[i]}: &${'bcdefghij'[i]} [${`*${'abcdefghi'[i]}, `.repeat(9)}]`).join('\n')}\n---\n`,
      'cannot be read',
    ],
  ])('is refused: %.60j', (text, reason) => expect(() => readFrontmatter(text)).toThrow(reason));

  it.each([
    [{ a: 1 }, { a: '1' }, ['a']],
    [{ a: [1, 2] }, { a: [2, 1] }, ['a']],
    [{ a: { b: 1 } }, { a: { b: 1, c: undefined } }, ['a']],
    [{ a: null }, {}, ['a']],
    [{}, { toString: 1 }, ['toString']],
    [{ a: 1, b: { c: [] } }, { b: { c: [] }, a: 1 }, []],
  ])('%j and %j differ in %j', (one, other, fields) => expect(differingFields(one, other)).toEqual(fields));
});
