import { describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../../src/base/clock.ts';
import { CancelledError, PatchbayError } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { createLogger } from '../../../../src/base/logger.ts';
import { type ServerCheckPorts, ServerChecks } from '../../../../src/host/testing/serverChecks.ts';
import type { RunOrigin } from '../../../../src/host/testing/testSource.ts';
import type { CheckResult } from '../../../../src/workshop/checks/checkResult.ts';

const logger = createLogger(
  () => {},
  () => 'error',
);

function createChecks(prepare: ServerCheckPorts['prepare'], state = 'stopped', answer = true) {
  const asked: string[] = [];
  const confirm = async (label: string): Promise<boolean> => (asked.push(label), answer);
  const changes = new Emitter<void>();
  const server = {
    label: 'my/notes@1',
    isStale: false,
    definition: {},
    configured: { source: {} },
    server: { state: { kind: state } },
  };
  const servers = [server];
  const registry = { servers, get: (label: string) => servers.find((entry) => entry.label === label) };
  const ports = { registry: { ...registry, onDidChangeServers: changes.event }, prepare, clock: createSystemClock() };
  const createTransport = () => Promise.reject(new PatchbayError('spawnFailed', 'It has no program for tok-5f1e77ab.'));
  const token = { value: 'tok-5f1e77ab', kind: 'secretInput', what: 'the token of its sign-in' } as const;
  const knownSecrets = { collector: async () => {}, current: () => [token] };
  const suite = async () => ({ missing: 'Not installed.' });
  const more = { createTransport, knownSecrets, suite, confirm, logger };
  const checks = new ServerChecks({ ...ports, ...more } as unknown as ServerCheckPorts);
  const run = async (origin: RunOrigin): Promise<readonly CheckResult[]> => {
    const results: CheckResult[] = [];
    const { signal } = new AbortController();
    for await (const result of checks.run(checks.idsOf(server.label), signal, origin)) results.push(result);
    return results;
  };
  return { checks, run, asked, servers, changes };
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

  const plan = { kind: 'stdio', command: 'none', args: [], cwd: undefined, env: {} } as const;

  it.each(['stopped', 'running'])(
    'are left out of a run of all tests while the person has not begun them (%s)',
    async (state) => {
      const { run, asked } = createChecks(never, state);
      const message = expect.stringContaining('Run the tests of this server alone');
      expect(await run('all')).toMatchObject([{ id, verdict: 'notRun', message }]);
      expect(asked).toEqual([]);
    },
  );

  it('ask once where another extension may have begun them', async () => {
    const { run, asked } = createChecks(async () => plan, 'running');
    await run('selection');
    await run('selection');
    expect(await run('all')).toMatchObject([{ id, verdict: 'failed' }]);
    expect(asked).toEqual(['my/notes@1']);
    const declined = createChecks(never, 'running', false);
    expect(await declined.run('selection')).toMatchObject([{ id, verdict: 'notRun' }]);
  });

  it('are left out where the person does not agree, and fail where the server cannot start', async () => {
    const declined = () => Promise.reject(new CancelledError());
    expect(await createChecks(declined).run('command')).toMatchObject([{ id, verdict: 'notRun' }]);
    const untrusted = () => Promise.reject(new PatchbayError('needsTrust', 'Not trusted.'));
    expect(await createChecks(untrusted, 'running').run('command')).toMatchObject([{ id, verdict: 'notRun' }]);
    const { run, asked } = createChecks(async () => plan);
    // Without the token that only the sign-in knows.
    expect(await run('command')).toMatchObject([{ id, verdict: 'failed', message: 'It has no program for ••••••••.' }]);
    expect(asked).toEqual([]);
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
