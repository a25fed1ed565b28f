import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { HeadlessServer } from '../../src/headless.ts';
import { openHeadless } from '../fixtures/headlessServer.ts';

const script = fileURLToPath(new URL('../fixtures/servers/skillServer.mjs', import.meta.url));
const pdf = 'skill://pdf-processing/SKILL.md';
const forms = 'skill://pdf-processing/references/FORMS.md';

describe.each(['2025-11-25', '2026-07-28'])('skills of a server of the official SDK in %s', (revision) => {
  async function start(): Promise<HeadlessServer> {
    const server = openHeadless({ command: process.execPath, args: [script], patchbay: { revision } });
    await server.start();
    return server;
  }

  it('are listed and read, file by file', async () => {
    const server = await start();
    expect(server.protocolVersion).toBe(revision);
    expect(server.skills.map(({ name }) => name)).toEqual(['pdf-processing', 'changed']);
    expect((await server.readSkill(pdf)).contents.text).toContain('references/FORMS.md');
    expect((await server.readSkillFile(pdf, forms)).contents.text).toBe('# Forms\n');
  });

  it('are not handed out when they are not what their entry says', async () => {
    const server = await start();
    await expect(server.readSkill('skill://changed/SKILL.md')).rejects.toMatchObject({ code: 'notVerified' });
  });

  it('are found by their URI when they are not listed', async () => {
    const server = await start();
    const { skill, contents } = await server.readSkill('skill://unlisted/SKILL.md');
    expect(skill.name).toBe('unlisted');
    expect(contents.text).toContain('Ask for me by name.');
    await expect(server.readSkill('skill://nobody/SKILL.md')).rejects.toMatchObject({ code: -32602 });
  });
});
