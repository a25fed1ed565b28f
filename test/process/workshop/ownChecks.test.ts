import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ownChecks, ownChecksOf } from '../../../src/workshop/own/ownChecks.ts';
import { listen } from '../../fixtures/listen.ts';
import { serveSdk1OverSse } from '../../fixtures/servers/partner/sdk1.mjs';
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

  it('check a server of which a second process cannot start', async () => {
    const holder = createServer();
    const { port, close } = await listen(holder);
    await close();
    const results = await check(nodeServer('test/fixtures/servers/aloneServer.mjs', `--port=${port}`));
    expect(results.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(results.find(({ id }) => id === 'suite/tools-list/tools-list')?.verdict).toBe('passed');
  });

  it('find HTTP+SSE behind an address that refuses Streamable HTTP', async () => {
    const server = await serveSdk1OverSse('2024-11-05');
    try {
      const plan = { kind: 'http', url: new URL(server.url), headers: {} } as const;
      const results = await check(plan, { families });
      expect(results.find(({ id }) => id === 'own/revision')).toMatchObject({ message: 'It speaks 2024-11-05.' });
    } finally {
      await server.close();
    }
  });

  it('say what a server has written before its end', async () => {
    const args = ['-e', 'throw new Error("No key")'];
    const plan = { kind: 'stdio', command: process.execPath, args, cwd: undefined, env: {} } as const;
    const [start] = await check(plan, { families });
    expect(start?.message).toBe('It exited with code 1. It wrote: Error: No key');
  });

  it('are one failure for a server that does not start', async () => {
    const plan = { kind: 'stdio', command: 'no-such-server', args: [], cwd: undefined, env: {} } as const;
    const results = await check(plan, { families });
    expect(results.map(({ id, verdict }) => [id, verdict])).toEqual([['own/start', 'failed']]);
    expect(results[0]?.message).toContain('"no-such-server" was not found');
  });
});
