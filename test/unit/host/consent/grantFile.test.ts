import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../../src/base/clock.ts';
import { type ToolGrant, ToolGrants } from '../../../../src/client/toolCalls/toolGrants.ts';
import { createGrantFile } from '../../../../src/host/consent/consentFiles.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

const clock = createSystemClock();
let path = '';

const grant: ToolGrant = {
  server: 'demo',
  identity: 'one',
  tool: 'remove',
  digest: 'd',
  reach: 'own',
  app: undefined,
  coversUnchecked: false,
};

function open(owner: string): ToolGrants {
  return new ToolGrants(createGrantFile(path, { clock, owner, reachWindow: async () => {} }));
}

async function tamper(content: unknown): Promise<ToolGrants> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return open('two');
}

describe('the file of what may be called without a question', () => {
  beforeEach(async () => {
    path = join(await temporaryFolder(), 'storage', 'tool-approvals.json');
  });

  it('is read by another window, private, and gone with the last entry', async () => {
    const one = open('one');
    await one.add(grant);
    await one.add({ ...grant, app: 'ui://map', reach: 'everyone' });
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    const two = open('two');
    expect(await two.find(grant)).toEqual(grant);
    expect(await two.find({ ...grant, app: 'ui://map' })).toMatchObject({ reach: 'everyone' });
    for (const other of [{ server: 'x' }, { identity: 'x' }, { tool: 'x' }, { digest: 'x' }, { app: 'x' }])
      expect(await two.find({ ...grant, ...other })).toBeUndefined();
    for (const each of two.all) await two.revoke(each);
    expect(await one.find(grant)).toBeUndefined();
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it('has those of a server that was renamed under its new name, and none of another one', async () => {
    const one = open('one');
    await one.add(grant);
    await one.add({ ...grant, identity: 'other' });
    await one.rename(grant, 'better');
    const two = open('two');
    expect(await two.find({ ...grant, server: 'better' })).toMatchObject({ reach: 'own' });
    expect(await two.find(grant)).toBeUndefined();
    expect(await two.find({ ...grant, identity: 'other' })).toBeDefined();
    expect(await two.find({ ...grant, server: 'better', identity: 'other' })).toBeUndefined();
  });

  it.each([
    ['a word in place of it', 'all'],
    ['no name of a tool', { ...grant, tool: undefined }],
    ['a number for the server', { ...grant, identity: 1 }],
    ['a reach that there is not', { ...grant, reach: 'all' }],
    ['a text that is too long', { ...grant, tool: 'x'.repeat(2_001) }],
    ['a word for a truth', { ...grant, coversUnchecked: 'yes' }],
  ])('has nothing of an entry that Patchbay would not have written: %s', async (_what, entry) => {
    const grants = await tamper({ version: 1, grants: [entry, { ...grant, tool: 'other' }] });
    await grants.load();
    expect(grants.all.map(({ tool }) => tool)).toEqual(['other']);
  });

  it.each([
    ['cut short', '{"version":1,"grants":[{"server":'],
    ['of another version', { version: 2, grants: [grant] }],
    ['no list', { version: 1, grants: { 0: grant } }],
    ['too large', { version: 1, grants: [grant], more: 'x'.repeat(1024 ** 2) }],
  ])('allows nothing where it is %s', async (_what, content) => {
    const grants = await tamper(content);
    expect(await grants.find(grant)).toBeUndefined();
  });

  it('has at most 200 entries, the newest', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ ...grant, tool: `t${index}` }));
    const grants = await tamper({ version: 1, grants: many });
    await grants.load();
    expect([grants.all.length, grants.all[0]?.tool]).toEqual([200, 't100']);
    await grants.add(grant);
    expect([grants.all.length, grants.all[0]?.tool]).toEqual([200, 't101']);
  });

  it('takes no entry that could not be read again', async () => {
    const grants = open('one');
    await expect(grants.add({ ...grant, tool: 'x'.repeat(2_001) })).rejects.toThrow('cannot be kept');
    expect(await readdir(dirname(dirname(path)))).not.toContain('tool-approvals.json');
    expect(grants.all).toEqual([]);
  });

  it.runIf(process.platform !== 'win32')('is not read through a link', async () => {
    await tamper({ version: 1, grants: [grant] });
    const link = join(dirname(path), 'link.json');
    await symlink(path, link);
    path = link;
    expect(await open('two').find(grant)).toBeUndefined();
  });
});
