import { expect, vi } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import { isRecord } from '../../../../src/base/json.ts';
import type { Progress } from '../../../../src/protocol/progress.ts';
import { type Feature, isHandshake, lastParams, receivedFor, textOf } from '../feature.ts';

const metaPrefix = 'io.modelcontextprotocol/';

export const baseFeatures: readonly Feature[] = [
  {
    name: 'handshake',
    shows: ['initialize-first', 'initialized-after', 'version-accept', 'version-offer'],
    until: '2025-11-25',
    async run(bench) {
      expect(bench.server.protocolVersion).toBe(bench.revision);
      const methods = bench.partner.received().map(({ method }) => method);
      const opening = methods.indexOf('initialize');
      expect(methods.slice(0, opening).every((method) => method === 'server/discover')).toBe(true);
      expect(methods[opening + 1]).toBe('notifications/initialized');
      expect(receivedFor(bench, 'initialize').at(-1)?.['params']).toMatchObject({
        protocolVersion: '2025-11-25',
        clientInfo: { name: 'patchbay' },
      });
    },
  },
  {
    name: 'discovery',
    shows: [
      'envelope-every-request',
      'envelope-client-info',
      'envelope-capabilities',
      'no-removed-methods',
      'probe-first',
    ],
    since: '2026-07-28',
    async run({ server, partner, revision }) {
      expect(server.protocolVersion).toBe(revision);
      const [first] = partner.received();
      expect(first).toMatchObject({ method: 'server/discover' });
      for (const { method, params } of partner.received()) {
        expect(method).not.toMatch(/initialize|ping|setLevel|subscribe$|roots/);
        if (method !== 'notifications/cancelled') {
          expect(params).toMatchObject({
            _meta: {
              [`${metaPrefix}protocolVersion`]: revision,
              [`${metaPrefix}clientInfo`]: { name: 'patchbay', version: expect.any(String) },
              [`${metaPrefix}clientCapabilities`]: { roots: {}, sampling: {}, elicitation: {} },
            },
          });
        }
      }
    },
  },
  {
    name: 'ids',
    shows: ['json-rpc', 'id-unique'],
    async run({ partner }) {
      const ids = partner
        .received()
        .flatMap(({ id, method }) => (method === undefined || id === undefined ? [] : [id]));
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(['string', 'number']).toContain(typeof id);
    },
  },
  {
    name: 'pages',
    shows: ['pagination', 'cursor-opaque'],
    async run({ server, partner }) {
      expect(server.tools.length).toBeGreaterThan(15);
      expect(server.resources).toHaveLength(8);
      expect(server.resourceTemplates).toHaveLength(6);
      expect(server.prompts).toHaveLength(7);
      const cursors = partner
        .received()
        .filter(({ method }) => method === 'tools/list')
        .map(({ params }) => (params as { cursor?: string } | undefined)?.cursor);
      expect(cursors.slice(0, 4)).toEqual([undefined, '5', '10', '15']);
    },
  },
  {
    name: 'progress',
    shows: ['progress-token', 'progress-shown'],
    async run(bench) {
      const heard: Progress[] = [];
      const onProgress = (progress: Progress): void => void heard.push(progress);
      expect(textOf(await bench.server.callTool('count', { to: 3 }, { onProgress }))).toBe('3');
      expect(heard.map(({ progress, total }) => [progress, total])).toEqual([
        [1, 3],
        [2, 3],
        [3, 3],
      ]);
      expect(await lastParams(bench, 'tools/call')).toMatchObject({ _meta: { progressToken: expect.anything() } });
    },
  },
  {
    name: 'cancellation',
    shows: ['cancel-sends', 'cancel-own-requests', 'cancel-late-answer'],
    async run(bench) {
      const { server, transport, revision } = bench;
      const controller = new AbortController();
      const reason = new CancelledError();
      const waiting = server.callTool(
        'wait',
        {},
        { signal: controller.signal, onProgress: () => controller.abort(reason) },
      );
      await expect(waiting).rejects.toBe(reason);
      expect(textOf(await server.callTool('was_cancelled'))).toBe('1');
      const isSent = transport === 'stdio' || isHandshake(revision);
      const cancelled = receivedFor(bench, 'notifications/cancelled');
      expect(cancelled).toHaveLength(isSent ? 1 : 0);
      if (!isSent) return;
      const call = bench.partner
        .received()
        .find(({ params }) => (params as { name?: unknown } | undefined)?.name === 'wait');
      expect(cancelled[0]?.['params']).toMatchObject({ requestId: call?.['id'] });
    },
  },
  {
    name: 'batches',
    shows: ['batch-receive', 'batch-answered'],
    since: '2025-03-26',
    until: '2025-03-26',
    transports: ['stdio', 'Streamable HTTP'],
    async run({ server, partner }) {
      expect(textOf(await server.callTool('echo', { text: 'in a batch' }))).toBe('in a batch');
      // Requests arrive in batches too, and their answers are sent as one batch; no other batch is sent.
      await vi.waitFor(() => expect(partner.batches()).not.toEqual([]));
      for (const batch of partner.batches())
        expect(batch).toMatchObject([
          { id: expect.stringMatching(/^ping-/), result: {} },
          { id: expect.stringMatching(/^again-/), result: {} },
        ]);
    },
  },
  {
    name: 'ping',
    shows: ['ping-sends'],
    until: '2025-11-25',
    async run(bench) {
      expect(await bench.server.ping()).toBeGreaterThanOrEqual(0);
      expect(receivedFor(bench, 'ping')).not.toEqual([]);
    },
  },
  {
    name: 'logging',
    shows: ['log-level'],
    async run(bench) {
      const { server, logs, revision } = bench;
      const heard = (): readonly string[] =>
        logs.map(({ message }) => message).filter((text) => text.includes('"said"'));
      await server.setLogLevel('warning');
      await server.callTool('log', { level: 'info' });
      await server.callTool('log', { level: 'error' });
      await vi.waitFor(() => expect(heard()).toEqual(['[error] {"said":"error"}']));
      if (isHandshake(revision))
        expect(await lastParams(bench, 'logging/setLevel')).toMatchObject({ level: 'warning' });
      else {
        const { _meta: meta } = await lastParams(bench, 'tools/call');
        expect(meta).toMatchObject({ [`${metaPrefix}logLevel`]: 'warning' });
      }
    },
  },
];

/** Tests that end the connection come last. */
export const closingFeatures: readonly Feature[] = [
  {
    name: 'stopping with an open call',
    shows: ['cancel-on-close'],
    async run(bench) {
      const { server, transport, revision, partner } = bench;
      // An earlier test may have ended the connection too.
      await server.start();
      const earlier = receivedFor(bench, 'notifications/cancelled').length;
      let waiting: Promise<unknown> | undefined;
      await new Promise<void>((resolve, reject) => {
        waiting = server.callTool('wait', {}, { onProgress: () => resolve() });
        waiting.catch(reject);
      });
      await server.stop();
      await expect(waiting).rejects.toMatchObject({ code: 'connectionClosed' });
      const call = partner
        .received()
        .findLast(({ params }) => (params as { name?: unknown } | undefined)?.name === 'wait');
      const isSent = transport === 'stdio' || isHandshake(revision);
      const cancelled = receivedFor(bench, 'notifications/cancelled').slice(earlier);
      const ofTheCall = cancelled.filter(({ params }) => isRecord(params) && params['requestId'] === call?.['id']);
      expect(ofTheCall).toHaveLength(isSent ? 1 : 0);
      const { requests } = partner;
      const goodbye = requests.findLastIndex(({ method }) => method === 'DELETE');
      if (goodbye !== -1)
        expect(requests.findLastIndex(({ message }) => message === ofTheCall[0])).toBeLessThan(goodbye);
    },
  },
];
