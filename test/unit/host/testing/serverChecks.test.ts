import { describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../../src/base/clock.ts';
import { CancelledError, PatchbayError } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { createLogger } from '../../../../src/base/logger.ts';
import { type ServerCheckPorts, ServerChecks } from '../../../../src/host/testing/serverChecks.ts';
import type { CheckResult } from '../../../../src/workshop/checks/checkResult.ts';

const logger = createLogger(
  () => {},
  () => 'error',
);

function createChecks(prepare: ServerCheckPorts['prepare'], state = 'stopped') {
  const changes = new Emitter<void>();
  const server = { label: 'my/notes@1', isStale: false, configured: {}, server: { state: { kind: state } } };
  const servers = [server];
  const registry = { servers, get: (label: string) => servers.find((entry) => entry.label === label) };
  const ports = { registry: { ...registry, onDidChangeServers: changes.event }, prepare, clock: createSystemClock() };
  const createTransport = () => Promise.reject(new PatchbayError('spawnFailed', 'It has no program.'));
  const suite = async () => ({ missing: 'Not installed.' });
  const checks = new ServerChecks({ ...ports, createTransport, suite, logger } as unknown as ServerCheckPorts);
  const run = async (isChosen: boolean): Promise<readonly CheckResult[]> => {
    const results: CheckResult[] = [];
    const { signal } = new AbortController();
    for await (const result of checks.run(checks.idsOf(server.label), signal, isChosen)) results.push(result);
    return results;
  };
  return { checks, run, servers, changes };
}

describe('the checks of servers in Test Explorer', () => {
  const never = () => Promise.reject(new Error('It was started'));
  const id = `my%2Fnotes@1/own/start`;

  it('are grouped by server and family, whatever the name of the server is', async () => {
    const entries = await createChecks(never).checks.items();
    expect(new Set(entries.map(({ id: of }) => of)).size).toBe(entries.length);
    expect(new Set(entries.map(({ groups }) => groups.map(({ label }) => label).join(' > ')))).toEqual(
      new Set(['my/notes@1 > Protocol (own checks)', 'my/notes@1 > Official suite']),
    );
    expect(entries.map(({ id: of }) => of)).toContain(id);
  });

  it('start no server that does not run, where all tests are run', async () => {
    const results = await createChecks(never).run(false);
    expect(results).toMatchObject([{ id, verdict: 'notRun', message: expect.stringContaining('does not run') }]);
  });

  it('are left out where the person does not agree, and fail where the server cannot start', async () => {
    const declined = () => Promise.reject(new CancelledError());
    expect(await createChecks(declined).run(true)).toMatchObject([{ id, verdict: 'notRun' }]);
    const untrusted = () => Promise.reject(new PatchbayError('needsTrust', 'Not trusted.'));
    expect(await createChecks(untrusted, 'running').run(false)).toMatchObject([{ id, verdict: 'notRun' }]);
    const plan = { kind: 'stdio', command: 'none', args: [], cwd: undefined, env: {} } as const;
    const results = await createChecks(async () => plan).run(true);
    expect(results).toMatchObject([{ id, verdict: 'failed', message: 'It has no program.' }]);
  });

  it('keep what a run has found beside them, until their server goes', async () => {
    const { checks, servers, changes } = createChecks(never);
    let changed = 0;
    checks.onDidChange(() => (changed += 1));
    const found = `my%2Fnotes@1/suite/caching/sep-2549-ttl-non-negative@2026-07-28`;
    const result = { id: found, title: 'TTL', verdict: 'passed', subject: { kind: 'server' }, references: [] } as const;
    expect(checks.entryFor(result)?.groups.at(-1)?.label).toBe('Official suite, 2026-07-28');
    expect((await checks.items()).map(({ id: of }) => of)).toContain(found);
    servers.pop();
    changes.fire();
    expect(changed).toBe(1);
    expect(await checks.items()).toEqual([]);
  });
});
