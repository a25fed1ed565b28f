import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSystemClock } from '../../src/base/clock.ts';
import type { StdioLaunchPlan } from '../../src/base/launchPlan.ts';
import { createNullLogger } from '../../src/base/logger.ts';
import { type Connection, openConnection } from '../../src/client/connection/connection.ts';
import { combineTaps } from '../../src/client/trace/connectionTap.ts';
import { findRequest, nextRequest, type SentRequest } from '../../src/client/trace/sentRequest.ts';
import { toTrafficLine } from '../../src/client/trace/trafficExport.ts';
import { describeStatus } from '../../src/client/trace/trafficFilter.ts';
import { TrafficLog } from '../../src/client/trace/trafficLog.ts';
import { defaultTimeouts } from '../../src/config/serverDefinition.ts';
import { createTransports } from '../../src/transport/launch/createTransports.ts';

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const scripted = fileURLToPath(new URL('../fixtures/servers/scriptedServer.mjs', import.meta.url));

/** Connects to a real server, with its traffic kept. */
async function open(args: readonly string[], log: TrafficLog): Promise<Connection> {
  const clock = createSystemClock();
  const env = { API_TOKEN: 'opensesame' };
  const plan: StdioLaunchPlan = { kind: 'stdio', command: process.execPath, args: [...args], cwd: undefined, env };
  const connection = await openConnection({
    plan,
    remembered: 'handshake',
    createTransport: createTransports({
      clock,
      platform: process.platform,
      environment: async () => process.env,
      random: Math.random,
      loadHttp: () => Promise.reject(new Error('no network')),
    }),
    setup: {
      clientInfo: { name: 'test', version: '1' },
      capabilities: {},
      requests: {},
      events: { listChanged: () => {}, resourceUpdated: () => {}, logged: () => {}, taskChanged: () => {} },
      revision: undefined,
      random: Math.random,
    },
    tap: { label: 'it', open: combineTaps([() => undefined, log.tap]) },
    timeouts: defaultTimeouts,
    clock,
    logger: createNullLogger(),
    signal: new AbortController().signal,
  });
  onTestFinished(() => connection.dispose());
  return connection;
}

describe('the traffic of a real server', () => {
  it('has each request with its answer, what is no message, and the end', async () => {
    const log = new TrafficLog(createSystemClock());
    const connection = await open([scripted, '--banner'], log);
    const { session } = connection;
    await session.request('tools/call', { name: 'echo', arguments: { text: 'It is opensesame.' } });
    await session.request('resources/nonsense', {}).catch(() => {});
    await connection.dispose();
    const rows = [...log.from(log.firstId)];
    const told = rows.map((row) => `${row.method || String(row.request)}: ${describeStatus(row)}`);
    // In the order of their first messages: a server may write beside them at any time.
    expect(told.toSorted()).toEqual([
      'closed: stopped: note',
      'connecting over stdio: note',
      'initialize: ok',
      'not a message: 42: note',
      'not a message: Welcome to the scripted server!: note',
      'not a message: {"unfinished":: note',
      'notifications/initialized: notification',
      'ready: notification',
      'resources/nonsense: error -32601',
      'tools/call: ok',
    ]);
    expect([told[0], told.at(-1)]).toEqual(['connecting over stdio: note', 'closed: stopped: note']);
    const lines = rows.map(toTrafficLine).join('');
    expect(lines).toContain('It is ••••••••.');
    expect(lines).not.toContain('opensesame');
  });

  it('says of each of many calls of one tool at once which messages are its own', async () => {
    const log = new TrafficLog(createSystemClock());
    const { session } = await open([everything, 'stdio'], log);
    const calls = Array.from({ length: 30 }, async (_, index) => {
      const sent: SentRequest[] = [];
      const call = { name: 'echo', arguments: { message: `number ${index}.` } };
      await session.request('tools/call', call, { onSent: (id) => void sent.push(nextRequest(log, id)) });
      return sent;
    });
    const rows = (await Promise.all(calls)).map((sent) => findRequest(log, sent));
    for (const [index, row] of rows.entries()) {
      expect(row?.request).toMatchObject({ params: { arguments: { message: `number ${index}.` } } });
      expect(JSON.stringify(row?.answer)).toContain(`number ${index}.`);
    }
  });

  it('stays within its bounds under a flood, and has the latest', async () => {
    const bounds = { bytes: 200_000, rows: 500, message: 100_000, large: 10_000 };
    const log = new TrafficLog(createSystemClock(), bounds);
    const { session } = await open([everything, 'stdio'], log);
    for (let batch = 0; batch < 20; batch += 1)
      await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          session.request('tools/call', {
            name: 'echo',
            arguments: { message: `${batch}-${index} ${'x'.repeat(500)}` },
          }),
        ),
      );
    // Nobody has looked yet: what had no room got no row.
    expect(log.weight).toBeLessThanOrEqual(bounds.bytes);
    const rows = [...log.from(log.firstId)];
    expect(log.isCut).toBe(true);
    expect(rows).not.toHaveLength(0);
    expect(log.weight).toBeLessThanOrEqual(bounds.bytes);
    expect(log.nextId - log.firstId).toBeLessThanOrEqual(bounds.rows);
    expect(rows.every((row) => row.method !== 'tools/call' || row.state === 'ok')).toBe(true);
    expect(JSON.stringify(rows.map(({ request }) => request))).toContain('19-99 xxx');
  });
});
