import { describe, expect, it } from 'vitest';
import { settle } from '../../../fixtures/manualClock.ts';
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
    await expect(server.readSkillFile(skillUri, formsUri)).rejects.toMatchObject({ code: 'notVerified' });
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
      await expect(server.readSkillFile(skillUri, skillUri)).rejects.toMatchObject({
        code: 'notVerified',
        message: expect.stringContaining(reason),
      });
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
    await expect(server.readSkillFile(skillUri, 'skill://acme/pdf/new.md')).rejects.toMatchObject({
      code: 'notVerified',
    });
    await expect(server.readSkillFile(skillUri, 'file:///etc/passwd')).rejects.toMatchObject({ code: 'notVerified' });
    expect(scripted.sentFor('resources/read')).toEqual([]);
  });

  it.each([
    [[]],
    [
      [
        { uri: skillUri, text: skillText },
        { uri: formsUri, text: formsText },
      ],
    ],
  ])('is refused when it is not one content: %j', async (contents) => {
    const { server, scripted } = await start();
    scripted.on('resources/read', () => ({ contents }));
    await expect(server.readSkillFile(skillUri, skillUri)).rejects.toThrow('exactly one content');
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
    latest().on('skills/get', () => {
      throw { code: -32602, message: 'No such skill' };
    });
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
    await expect(server.readSkillFile(skillUri, 'skill://acme/pdf/added.md')).rejects.toMatchObject({
      code: 'notVerified',
    });
    await clock.advance(0);
    await expect(server.readSkillFile(skillUri, formsUri)).rejects.toMatchObject({ code: 'notVerified' });
    expect((await server.readSkillFile(skillUri, formsUri)).contents.text).toBe('new');
  });

  it('of a skill made anew each time is held against its frontmatter and its folder alone', async () => {
    const { server, scripted } = await start({ ...skillEntry(), resources: 'dynamic' });
    await server.readSkillFile(skillUri, skillUri);
    await server.readSkillFile(skillUri, 'skill://acme/pdf/any.md');
    await expect(server.readSkillFile(skillUri, 'skill://acme/x.md')).rejects.toMatchObject({ code: 'notVerified' });
    scripted.on('resources/read', ({ uri }) => ({ contents: [{ uri, text: '---\nname: other\n---\n' }] }));
    await expect(server.readSkillFile(skillUri, skillUri)).rejects.toThrow('frontmatter differs');
    scripted.on('resources/read', ({ uri }) => ({ contents: [{ uri, text: 'x'.repeat(16 * 1024 * 1024 + 1) }] }));
    await expect(server.readSkillFile(skillUri, formsUri)).rejects.toThrow('larger than a skill may be');
  });
});
