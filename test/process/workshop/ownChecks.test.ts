import { describe, expect, it } from 'vitest';
import { ownChecks, ownChecksOf } from '../../../src/workshop/own/ownChecks.ts';
import { check, faultsIn, nodeServer } from './checkHarness.ts';

const families = ['own'] as const;
const everything = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const broken = (fault: string, era: string) =>
  nodeServer('test/fixtures/servers/brokenServer.mjs', `--fault=${fault}`, `--era=${era}`);

describe("Patchbay's own checks", () => {
  it('pass for a server that follows the specification, in both eras', async () => {
    for (const era of ['handshake', 'stateless'] as const) {
      const results = await check(broken('', era), { families });
      expect(faultsIn(results)).toEqual([]);
      const suffix = era === 'stateless' ? '@2026-07-28' : '';
      expect(results.map(({ id }) => id)).toEqual(ownChecksOf(era).map(({ id }) => `own/${id}${suffix}`));
      for (const { references } of results) expect(references[0]?.url).toMatch(/^https:\/\/modelcontextprotocol\.io\//);
    }
  });

  it.each(ownChecks.filter(({ era }) => era !== 'stateless').map(({ id }) => id))('find the fault %s', async (id) => {
    expect(faultsIn(await check(broken(id, 'handshake'), { families }))).toContain(`own/${id}`);
  });

  it.each(['missing-meta', 'unknown-revision', 'result-type', 'identity', 'unknown-resource'])(
    'find the fault %s in 2026-07-28',
    async (id) => {
      expect(faultsIn(await check(broken(id, 'stateless'), { families }))).toEqual([`own/${id}@2026-07-28`]);
    },
  );

  it('find no failure in a published server, whose start they share with no one', async () => {
    const results = await check(nodeServer(everything, 'stdio'), { families });
    expect(results.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(12);
  });

  it('find both eras of one server', async () => {
    const partner = nodeServer('test/fixtures/servers/partnerServer.mjs', '--sdk=2', '--transport=stdio');
    const ids = (await check(partner, { families })).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['own/start', 'own/start@2026-07-28']));
  });

  it('are one failure for a server that does not start', async () => {
    const plan = { kind: 'stdio', command: 'no-such-server', args: [], cwd: undefined, env: {} } as const;
    const results = await check(plan, { families });
    expect(results.map(({ id, verdict }) => [id, verdict])).toEqual([['own/start', 'failed']]);
    expect(results[0]?.message).toContain('"no-such-server" was not found');
  });
});
