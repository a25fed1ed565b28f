import { expect, vi } from 'vitest';
import { type Bench, type Feature, receivedFor, textOf } from '../feature.ts';

const streamable = ['Streamable HTTP'] as const;

/** Features of HTTP only: headers, sessions, and streams that can be resumed. */
export const httpFeatures: readonly Feature[] = [
  {
    name: 'POST',
    shows: ['http-post', 'http-accepted', 'http-both-answers'],
    since: '2025-03-26',
    transports: streamable,
    async run({ partner }) {
      const posts = partner.requests.filter(({ method }) => method === 'POST');
      expect(posts.length).toBeGreaterThan(3);
      for (const { headers, message } of posts) {
        expect(headers['content-type']).toBe('application/json');
        expect(headers.accept).toMatch(/application\/json.*text\/event-stream/);
        expect(message).not.toBeInstanceOf(Array);
      }
    },
  },
  {
    name: 'revision in a header',
    shows: ['http-version-header'],
    since: '2025-06-18',
    transports: streamable,
    async run({ partner, revision }) {
      const later = afterOpening(partner.requests);
      expect(later.length).toBeGreaterThan(2);
      for (const { headers } of later) expect(headers['mcp-protocol-version']).toBe(revision);
    },
  },
  {
    name: 'session',
    shows: ['http-session', 'http-get-stream', 'http-requests-on-stream'],
    since: '2025-03-26',
    until: '2025-11-25',
    transports: streamable,
    async run({ partner }) {
      await vi.waitFor(() => expect(partner.requests.map(({ method }) => method)).toContain('GET'));
      const ids = new Set(afterOpening(partner.requests).map(({ headers }) => headers['mcp-session-id']));
      expect([...ids]).toEqual([expect.stringMatching(/^[\x21-\x7E]+$/)]);
    },
  },
  {
    name: 'stream taken up again',
    shows: ['http-resume', 'http-retry', 'http-disconnect-no-cancel'],
    since: '2025-03-26',
    until: '2025-11-25',
    transports: streamable,
    async run(bench) {
      const { server, partner } = bench;
      expect(textOf(await server.callTool('hang_up'))).toBe('still here');
      const requestId = receivedFor(bench, 'tools/call').at(-1)?.['id'];
      // A request of an earlier feature may still be cancelled.
      const cancelled = receivedFor(bench, 'notifications/cancelled').map(({ params }) => params);
      expect(cancelled).not.toContainEqual(expect.objectContaining({ requestId }));
      const resumed = partner.requests.filter(
        ({ method, headers }) => method === 'GET' && headers['last-event-id'] !== undefined,
      );
      expect(resumed).not.toEqual([]);
    },
  },
  {
    name: 'lost session',
    shows: ['http-session-lost'],
    since: '2025-03-26',
    until: '2025-11-25',
    transports: streamable,
    async run({ server, partner }) {
      const before = partner.requests.length;
      partner.forgetSessions();
      expect(textOf(await server.callTool('echo', { text: 'again' }))).toBe('again');
      const opening = partner.requests
        .slice(before)
        .find(({ message }) => (message as { method?: unknown } | undefined)?.method === 'initialize');
      expect(opening?.headers['mcp-session-id']).toBeUndefined();
      expect(opening).toBeDefined();
    },
  },
  {
    name: 'headers of a request',
    shows: ['http-standard-headers', 'http-parameter-headers', 'http-no-session'],
    since: '2026-07-28',
    transports: streamable,
    async run({ server, partner, revision }) {
      expect(textOf(await server.callTool('locate', { region: 'eu west' }))).toBe('eu west');
      await server.readResource('memo:///text');
      const named = partner.requests.filter(({ headers }) => headers['mcp-name'] !== undefined);
      expect(named.at(-1)?.headers).toMatchObject({ 'mcp-method': 'resources/read', 'mcp-name': 'memo:///text' });
      const located = named.filter(({ headers }) => headers['mcp-name'] === 'locate');
      expect(located.at(-1)?.headers).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-param-region': 'eu west' });
      for (const { method, headers, message } of partner.requests) {
        expect(method).toBe('POST');
        expect(headers).not.toHaveProperty('mcp-session-id');
        expect(headers).not.toHaveProperty('last-event-id');
        expect(headers['mcp-protocol-version']).toBe(revision);
        expect(headers['mcp-method']).toBe((message as { method?: unknown }).method);
      }
    },
  },
  {
    name: 'goodbye',
    shows: ['http-session-delete'],
    since: '2025-03-26',
    until: '2025-11-25',
    transports: streamable,
    async run({ server, partner }) {
      await server.stop();
      const last = partner.requests.findLast(({ method }) => method === 'DELETE');
      expect(last?.headers['mcp-session-id']).toEqual(expect.any(String));
    },
  },
  {
    name: 'endpoint of the stream',
    shows: ['sse-endpoint'],
    until: '2024-11-05',
    transports: ['HTTP+SSE'],
    async run({ partner }) {
      expect(partner.requests.map(({ method }) => method)).toContain('GET');
      expect(partner.received()).not.toEqual([]);
    },
  },
];

/** The probe and the request that opens a session are sent before a revision is negotiated. */
function afterOpening(requests: Bench['partner']['requests']): Bench['partner']['requests'] {
  const opening = requests.findLastIndex(
    ({ message }) => (message as { method?: unknown } | undefined)?.method === 'initialize',
  );
  return requests.slice(opening + 1);
}
