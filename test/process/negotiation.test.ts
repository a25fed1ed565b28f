import { describe, expect, it, vi } from 'vitest';
import type { LogEntry } from '../../src/base/logger.ts';
import type { ServerOptions } from '../../src/config/serverDefinition.ts';
import type { HeadlessServer } from '../../src/headless.ts';
import { closeLater } from '../fixtures/closeLater.ts';
import { openHeadless } from '../fixtures/headlessServer.ts';
import { createHttpPartner, createStdioPartner, type Partner } from '../fixtures/partners.ts';
import { serveHttp } from '../fixtures/servers/partner/httpHost.mjs';
import { serveRawOverHttp } from '../fixtures/servers/partner/raw.mjs';
import { serveSdk1OverHttp, serveSdk1OverSse } from '../fixtures/servers/partner/sdk1.mjs';
import { serveSdk2OverHttp } from '../fixtures/servers/partner/sdk2.mjs';

let partner: Partner;
let logs: LogEntry[];

/** A host that knows only how to reach the server. */
function open(reached: Partner, options: ServerOptions = {}): HeadlessServer {
  partner = closeLater(reached);
  logs = [];
  return openHeadless({ ...partner.definition, patchbay: options }, { onLog: (entry) => logs.push(entry) });
}

function methods(): readonly unknown[] {
  return partner.received().map(({ method }) => method);
}

describe('a local server', () => {
  const raw = (revision: string, ...flags: string[]): Partner =>
    createStdioPartner('rawServer.mjs', [`--revision=${revision}`, ...flags], revision);

  it.each(['-32601', '-32602', '-32600', '-32000'])(
    'of 2024-11-05 that answers the probe with %s gets a handshake [probe-any-error]',
    async (code) => {
      const server = open(raw('2024-11-05', `--stranger=${code}`));
      await server.start();
      expect(server.protocolVersion).toBe('2024-11-05');
      expect(server.tools.length).toBeGreaterThan(10);
    },
  );

  it('that exits when probed is started again, and not probed the next time [probe-exit] [era-remembered]', async () => {
    const server = open(raw('2024-11-05', '--stranger=exit'));
    await server.start();
    expect(server.protocolVersion).toBe('2024-11-05');
    await server.stop();
    await server.start();
    expect(methods().filter((method) => method === 'server/discover')).toHaveLength(1);
  });

  it('that never answers the probe gets a handshake [probe-no-answer]', async () => {
    const server = open(raw('2025-06-18', '--stranger=silence'));
    await server.start();
    expect(server.protocolVersion).toBe('2025-06-18');
  });

  it('that answers nothing more once probed is started again, and not probed the next time [probe-hang]', async () => {
    const server = open(raw('2025-06-18', '--stranger=hang'), { timeouts: { connectMs: 3_000 } });
    await server.start();
    expect(server.protocolVersion).toBe('2025-06-18');
    await server.stop();
    await server.start();
    expect(methods().filter((method) => method === 'server/discover')).toHaveLength(1);
  });

  it('without a handshake is never asked for one [probe-first] [discover]', async () => {
    const server = open(raw('2026-07-28', '--stranger=exit'));
    await server.start();
    expect(server.protocolVersion).toBe('2026-07-28');
    expect(methods()).not.toContain('initialize');
    expect((await server.callTool('echo', { text: 'yes' })).content).toEqual([{ type: 'text', text: 'yes' }]);
  });

  it('of both kinds is used without a handshake, unless another revision is set for it [version-pinned]', async () => {
    const both = (): Partner => createStdioPartner('partnerServer.mjs', ['--sdk=2'], '2025-06-18');
    const newest = open(both());
    await newest.start();
    expect(newest.protocolVersion).toBe('2026-07-28');
    const pinned = open(both(), { revision: '2025-06-18' });
    await pinned.start();
    expect(pinned.protocolVersion).toBe('2025-06-18');
    expect(methods()).not.toContain('server/discover');
  });

  it('that refuses the revision set for it says what it speaks [probe-supported]', async () => {
    const server = open(raw('2026-07-28', '--stranger=-32022'), { revision: '2025-11-25' });
    await expect(server.start()).rejects.toThrow('2026-07-28');
  });

  it('of 2025-03-26 may send everything in batches [batch-receive] [batch-answered]', async () => {
    const server = open(raw('2025-03-26', '--batches'));
    await server.start();
    expect(server.tools.length).toBeGreaterThan(10);
    expect((await server.callTool('echo', { text: 'yes' })).content).toEqual([{ type: 'text', text: 'yes' }]);
    expect(partner.batches()[0]).toMatchObject([{ result: {} }, { result: {} }]);
  });

  it('that ends by itself is started again when it is needed [stdio-server-ends]', async () => {
    const server = open(raw('2024-11-05'));
    await server.start();
    await server.stop();
    expect(server.state).toBe('stopped');
    await server.start();
    expect(server.state).toBe('running');
  });
});

describe('a server over HTTP', () => {
  it('with sessions gets a handshake after its 4xx [probe-http]', async () => {
    const server = open(createHttpPartner(await serveSdk1OverHttp('2025-03-26')));
    await server.start();
    expect(server.protocolVersion).toBe('2025-03-26');
    expect(methods().slice(0, 2)).toEqual(['server/discover', 'initialize']);
  });

  it('of HTTP+SSE is found behind the same address [sse-fallback]', async () => {
    const server = open(createHttpPartner(await serveSdk1OverSse('2024-11-05')));
    await server.start();
    expect(server.protocolVersion).toBe('2024-11-05');
    expect(server.tools.length).toBeGreaterThan(10);
  });

  it.each(['raw', 'SDK 2'])(
    'without a handshake is never asked for one: %s [probe-first] [http-error-body]',
    async (make) => {
      const served = make === 'raw' ? serveRawOverHttp({ revision: '2026-07-28' }) : serveSdk2OverHttp('2026-07-28');
      const server = open(createHttpPartner(await served));
      await server.start();
      expect(server.protocolVersion).toBe('2026-07-28');
      expect(methods()).not.toContain('initialize');
      expect((await server.callTool('locate', { region: 'Köln' })).content).toEqual([{ type: 'text', text: 'Köln' }]);
      await expect(server.readResource('memo:///nowhere')).rejects.toThrow('Resource not found: memo:///nowhere');
    },
  );

  it('of 2025-03-26 may send everything in batches [batch-receive] [batch-answered]', async () => {
    const server = open(createHttpPartner(await serveRawOverHttp({ revision: '2025-03-26', batches: true })));
    await server.start();
    expect((await server.callTool('echo', { text: 'yes' })).content).toEqual([{ type: 'text', text: 'yes' }]);
    expect(logs.some(({ message }) => message.includes('before'))).toBe(true);
    await vi.waitFor(() => expect(partner.batches()[0]).toMatchObject([{ result: {} }, { result: {} }]));
  });

  it.each([401, 403])('that wants sign-in with %i is signed in to first [probe-sign-in]', async (status) => {
    const refusing = await serveHttp({ revision: '2025-11-25' }, async (_request, response) => {
      response.writeHead(status, { 'www-authenticate': 'Bearer' }).end();
    });
    const server = open(createHttpPartner(refusing));
    await expect(server.start()).rejects.toThrow(/./);
    expect(methods()).not.toContain('initialize');
    // Requests for its authorization metadata are fine, a request for the stream of the older transport is not.
    const accepted = partner.requests.filter(({ method }) => method === 'GET').map(({ headers }) => headers.accept);
    expect(accepted.filter((types) => types?.includes('event-stream'))).toEqual([]);
  });

  it('that does not listen is an error that says so [probe-no-verdict]', async () => {
    const gone = await serveRawOverHttp({ revision: '2026-07-28' });
    await gone.close();
    await expect(open(createHttpPartner(gone)).start()).rejects.toMatchObject({ code: 'unreachable' });
  });
});
