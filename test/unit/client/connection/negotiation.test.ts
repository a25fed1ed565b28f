import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { problem } from '../../../fixtures/problem.ts';
import {
  crash,
  type ServerSetUp,
  setUpServer,
  startServer,
  statelessSetUp,
  withTools,
} from '../../../fixtures/scriptedManagedServer.ts';
import type { ScriptedServer } from '../../../fixtures/scriptedServer.ts';

const unknown = { verdict: 'unknown' } as const;
const discovered = { supportedVersions: ['2026-07-28'], capabilities: {}, resultType: 'complete' };

function refuse(code: number, data?: object): () => never {
  return () => {
    throw { code, message: 'No', data };
  };
}

/** A server of unknown era that answers the probe so. */
function probed(answer: Parameters<ScriptedServer['on']>[1]): ServerSetUp {
  return { ...unknown, script: (scripted) => scripted.on('server/discover', answer) };
}

function silent(server: ScriptedServer): void {
  server.silence('server/discover', 'initialize');
}

/** A start that is under way. */
async function begin(setUp: ServerSetUp) {
  const set = setUpServer({ ...unknown, ...setUp });
  const started = set.server.start();
  started.catch(() => {});
  await settle();
  return { ...set, started };
}

function methods(server: ScriptedServer): unknown[] {
  return server.sent.map(({ method }) => method);
}

describe('the era of a local server', () => {
  it('is found with server/discover, before anything else is sent [probe-first] [discover]', async () => {
    const { server, latest, verdicts } = await startServer({
      ...unknown,
      script(scripted) {
        scripted.on('server/discover', () => ({ ...discovered, capabilities: { tools: {} } }));
        scripted.on('tools/list', () => ({ tools: [{ name: 'add' }], resultType: 'complete' }));
      },
    });
    expect(methods(latest())[0]).toBe('server/discover');
    expect(methods(latest())).not.toContain('initialize');
    expect(server.session).toMatchObject({ protocolVersion: '2026-07-28', negotiation: 'probed' });
    expect(server.contents.tools).toHaveLength(1);
    expect(verdicts).toEqual(['stateless']);
  });

  it.each([-32601, -32602, -32600, -32603, -32000, -32001, 0])(
    'is the old one for a server that answers the probe with %d [probe-any-error]',
    async (code) => {
      const { server, launches, verdicts } = await startServer({
        ...unknown,
        ...withTools,
        script(scripted) {
          withTools.script(scripted);
          scripted.on('server/discover', refuse(code));
        },
      });
      expect(server.session).toMatchObject({ protocolVersion: '2025-11-25', negotiation: 'probed' });
      expect(launches).toHaveLength(1);
      expect(verdicts).toEqual(['handshake']);
    },
  );

  it('is the old one for a server that never answers the probe, which is not cancelled either [probe-no-answer]', async () => {
    const set = await begin({ script: (scripted) => scripted.silence('server/discover') });
    const { clock, server, latest, started } = set;
    await clock.advance(2_999);
    expect(methods(latest())).toEqual(['server/discover']);
    await clock.advance(1);
    await started;
    expect(server.session?.protocolVersion).toBe('2025-11-25');
    expect(methods(latest())).not.toContain('notifications/cancelled');
  });

  it('is the new one for a slow server that answers the probe after the handshake was tried', async () => {
    const { clock, server, latest, started } = await begin({ script: silent });
    await clock.advance(3_000);
    latest().reply('server/discover', discovered);
    await started;
    expect(server.session?.protocolVersion).toBe('2026-07-28');
    expect(methods(latest())).not.toContain('notifications/initialized');
  });

  it('is the old one for a server that answers nothing more once probed: it is started again [probe-hang]', async () => {
    const set = await begin({ script: (scripted, launch) => launch === 1 && silent(scripted) });
    const { clock, launches, verdicts, started } = set;
    await clock.advance(59_999);
    expect(launches).toHaveLength(1);
    await clock.advance(1);
    await started;
    expect(launches).toHaveLength(2);
    expect(launches[0]?.isDisposed).toBe(true);
    expect(methods(launches[1] as ScriptedServer)[0]).toBe('initialize');
    expect(verdicts).toEqual(['handshake']);
  });

  it('is found out for a slow server without a handshake that was started again for nothing [probe-hang]', async () => {
    const { clock, server, launches, started } = await begin({
      script(scripted, launch) {
        silent(scripted);
        if (launch === 2) scripted.on('initialize', refuse(-32601));
      },
    });
    await clock.advance(60_000);
    await settle();
    await clock.advance(14_000);
    expect(launches).toHaveLength(3);
    launches[2]?.reply('server/discover', discovered);
    await started;
    expect(server.session?.protocolVersion).toBe('2026-07-28');
  });

  it('has the whole time again when it was started again [probe-hang]', async () => {
    const { clock, server, latest, started } = await begin({ script: silent });
    await clock.advance(60_000 + 59_999);
    expect(server.state.kind).toBe('starting');
    expect(latest().isDisposed).toBe(false);
    await clock.advance(1);
    await expect(started).rejects.toEqual(problem('timeout', 'did not finish its handshake within 60 s'));
    expect(clock.waiting).toBe(0);
  });

  it('tells of the refusal of a server that ends after it [version-older]', async () => {
    const { server } = setUpServer({
      verdict: 'handshake',
      script(scripted) {
        scripted.on('initialize', ({ protocolVersion }) =>
          protocolVersion === '2025-11-25' ? refuse(-32000)() : crash(scripted),
        );
        scripted.on('server/discover', () => crash(scripted));
      },
    });
    await expect(server.start()).rejects.toMatchObject({ message: expect.stringContaining('"No" (code -32000)') });
  });

  it('answers what a server asks before it answers the probe [early-requests]', async () => {
    const roots = { roots: [{ uri: 'file:///w' }] };
    const { server, latest, started } = await begin({
      answerers: { roots: () => roots.roots },
      script: (scripted) => scripted.silence('server/discover'),
    });
    const logged: unknown[] = [];
    server.onDidLog((message) => logged.push(message));
    expect(await latest().ask('ping')).toMatchObject({ result: {} });
    expect(await latest().ask('roots/list')).toMatchObject({ result: roots });
    latest().notify('notifications/message', { level: 'info', data: 'starting' });
    await settle();
    expect(logged).toMatchObject([{ data: 'starting' }]);
    expect(methods(latest())).not.toContain('initialize');
    latest().reply('server/discover', discovered);
    await started;
  });

  it('does not matter for a server that exits anyway: the first reason is told', async () => {
    const { server, launches } = setUpServer({
      ...unknown,
      script(scripted, launch) {
        const lastOutput = `launch ${launch}`;
        for (const method of ['server/discover', 'initialize'])
          scripted.on(method, () => scripted.close({ kind: 'exited', code: 1, signal: null, lastOutput }));
      },
    });
    await expect(server.start()).rejects.toEqual(problem('crashed', 'launch 1'));
    expect(launches).toHaveLength(2);
  });

  it('is asked for once more where the server names the revision in its refusal [probe-supported]', async () => {
    let asked = 0;
    const { server } = await startServer(
      probed(() => {
        asked += 1;
        return asked === 1 ? refuse(-32022, { supported: ['2026-07-28'] })() : discovered;
      }),
    );
    expect(asked).toBe(2);
    expect(server.session?.protocolVersion).toBe('2026-07-28');
  });

  it('is the old one where a refusal or an answer names old revisions only', async () => {
    for (const answer of [
      refuse(-32022, { supported: ['2025-06-18'] }),
      () => ({ supportedVersions: ['2025-11-25'] }),
    ]) {
      const { server } = await startServer(probed(answer));
      expect(server.session?.protocolVersion).toBe('2025-11-25');
    }
  });

  it('is an error that names revisions where all are newer than ours [probe-supported]', async () => {
    const { server } = setUpServer(probed(refuse(-32022, { supported: ['2031-01-01'] })));
    await expect(server.start()).rejects.toEqual(problem('unsupportedRevision', '2031-01-01'));
  });

  it('is not taken for old after an error that only new servers know [probe-recognized]', async () => {
    const { server, latest } = setUpServer(probed(refuse(-32021, { requiredCapabilities: { sampling: {} } })));
    await expect(server.start()).rejects.toMatchObject({ code: -32021 });
    expect(methods(latest())).not.toContain('initialize');
  });
});

describe('what was found before', () => {
  it('is not that a server wants a handshake where the probe only failed [era-remembered]', async () => {
    const { server, verdicts } = await startServer({
      ...unknown,
      plan: statelessSetUp.plan,
      script: (scripted) => scripted.fail('server/discover', new PatchbayError('answerLost', 'The connection broke.')),
    });
    expect(server.session?.protocolVersion).toBe('2025-11-25');
    expect(verdicts).toEqual([]);
  });

  it('spares a server with a handshake the probe [era-remembered]', async () => {
    const { server, latest } = await startServer({ verdict: 'handshake' });
    expect(methods(latest())[0]).toBe('initialize');
    expect(server.session?.negotiation).toBe('remembered');
  });

  it('is found out anew when it does not hold any more [era-remembered]', async () => {
    const { server, launches, verdicts } = await startServer({
      verdict: 'handshake',
      script(scripted) {
        scripted.on('initialize', refuse(-32022, { supported: ['2026-07-28'] }));
        scripted.on('server/discover', () => discovered);
      },
    });
    expect(launches).toHaveLength(2);
    expect(server.session).toMatchObject({ protocolVersion: '2026-07-28', negotiation: 'probed' });
    expect(verdicts.at(-1)).toBe('stateless');
  });

  it('lets a server that has become old again shake hands', async () => {
    const { server, verdicts } = await startServer({ verdict: 'stateless' });
    expect(server.session).toMatchObject({ protocolVersion: '2025-11-25', negotiation: 'probed' });
    expect(verdicts.at(-1)).toBe('handshake');
  });
});

describe('a pinned revision', () => {
  it('is asked for without a probe where it has a handshake', async () => {
    const { server, latest } = await startServer({ ...unknown, options: { revision: '2025-03-26' } });
    expect(latest().sent[0]).toMatchObject({ method: 'initialize', params: { protocolVersion: '2025-03-26' } });
    expect(server.session).toMatchObject({ protocolVersion: '2025-03-26', negotiation: 'pinned' });
  });

  it('without a handshake is never given up for one [version-pinned]', async () => {
    const { server, latest } = setUpServer({ ...unknown, options: { revision: '2026-07-28' } });
    await expect(server.start()).rejects.toEqual(problem('unsupportedRevision', '2026-07-28'));
    expect(methods(latest())).not.toContain('initialize');
  });

  it('that nobody knows is refused by name', async () => {
    const { server } = setUpServer({ ...unknown, options: { revision: '2024-01-01' } });
    await expect(server.start()).rejects.toMatchObject({ message: expect.stringContaining('"2024-01-01"') });
  });
});

it('a restarted server is told again what it was subscribed to and which level to log at [stdio-restart]', async () => {
  const { clock, server, launches, latest } = await startServer({
    capabilities: { resources: { subscribe: true }, logging: {} },
    script(scripted) {
      for (const method of ['resources/subscribe', 'logging/setLevel']) scripted.on(method, () => ({}));
    },
  });
  await server.subscribe('file:///a');
  await server.subscribe('file:///a');
  await server.setLogLevel('warning');
  expect(latest().sentFor('resources/subscribe')).toHaveLength(1);
  crash(latest());
  await settle();
  await clock.advance(1_000);
  expect(launches).toHaveLength(2);
  expect(latest().sentFor('resources/subscribe')).toMatchObject([{ params: { uri: 'file:///a' } }]);
  expect(latest().sentFor('logging/setLevel')).toMatchObject([{ params: { level: 'warning' } }]);
});
