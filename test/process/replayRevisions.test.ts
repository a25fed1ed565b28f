import { describe, expect, it, onTestFinished } from 'vitest';
import type { ReplayMode } from '../../src/base/launchPlan.ts';
import type { HeadlessOptions, HeadlessServer } from '../../src/headless.ts';
import { handshakeRevisions } from '../../src/protocol/session/revision.ts';
import { compareSessions } from '../../src/workshop/sessions/compareSessions.ts';
import { createHttpPartner, createStdioPartner, type Partner } from '../fixtures/partners.ts';
import { record, replayOf, saidByServer } from '../fixtures/recordedSessions.ts';
import { serveSdk1OverHttp, serveSdk1OverSse } from '../fixtures/servers/partner/sdk1.mjs';
import { serveSdk2OverHttp } from '../fixtures/servers/partner/sdk2.mjs';
import { isHandshake, type Revision, until } from './matrix/feature.ts';

const stateless: Revision = '2026-07-28';

function stdio(revision: Revision): Promise<Partner> {
  const flags = [`--sdk=${revision === stateless ? '2' : '1'}`, `--revision=${revision}`];
  return Promise.resolve(createStdioPartner('partnerServer.mjs', flags, revision));
}

async function http(revision: Revision): Promise<Partner> {
  return createHttpPartner(await (revision === stateless ? serveSdk2OverHttp : serveSdk1OverHttp)(revision));
}

async function sse(revision: Revision): Promise<Partner> {
  return createHttpPartner(await serveSdk1OverSse(revision), 'sse');
}

/** Every pair that the specification has, and HTTP+SSE with the later revisions that servers use it with. */
const cells: readonly (readonly [string, Revision, (revision: Revision) => Promise<Partner>])[] = [
  ...[...handshakeRevisions, stateless].map((revision) => ['stdio', revision, stdio] as const),
  ...[...handshakeRevisions.filter((revision) => revision !== '2024-11-05'), stateless].map(
    (revision) => ['Streamable HTTP', revision, http] as const,
  ),
  ...handshakeRevisions.map((revision) => ['HTTP+SSE', revision, sse] as const),
];

/** How the person answers. */
const answers: Partial<HeadlessOptions> = {
  roots: [{ uri: 'file:///work', name: 'work' }],
  onSampling: () =>
    Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'yes' }, model: 'one', stopReason: 'endTurn' }),
  onElicitation: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }),
};

/** Uses all that a session may hold; what depends on another message waits for it, and only that. */
function useAll(revision: Revision): (server: HeadlessServer) => Promise<void> {
  return async (server) => {
    const call = (name: string, args: object = {}): Promise<unknown> => server.callTool(name, args).catch(() => {});
    expect(server.resources.length).toBeGreaterThan(5);
    await Promise.all(['one', 'two', ''].map((text) => call('echo', { text })));
    for (const [name, args] of [['add', { a: 1, b: 2 }], ['fail'], ['missing'], ['show', { kinds: [] }]] as const)
      await call(name, args);
    await server.callTool('count', { to: 3 }, { onProgress: () => {} });
    await call('show', { kinds: ['text', 'image', 'resource'] });
    await server.setLogLevel('info');
    await call('log', { level: 'debug' });
    await call('log', { level: 'error' });
    await server.readResource('memo:///picture');
    await server.readResource('memo:///nowhere').catch(() => {});
    await server.getPrompt('greet', { name: 'Ada' });
    await server.complete({ type: 'ref/prompt', name: 'greet' }, { name: 'name', value: 'A' });
    await call('ask_roots');
    await call('ask_model');
    if (revision >= '2025-06-18') {
      await call('ask_form');
      await call('ask_in_turn');
      await server.getPrompt('asking');
    }
    await server.subscribe('memo:///text');
    const updated = until(server.onDidUpdateResource, () => true);
    await Promise.all([call('touch', { uri: 'memo:///text' }), updated]);
    await server.unsubscribe('memo:///text');
    const abort = new AbortController();
    const cancelled = server.callTool('wait', {}, { signal: abort.signal, onProgress: () => abort.abort() });
    await cancelled.catch(() => {});
    await call('was_cancelled');
    const listed = until(server.onDidChange, () => server.tools.some(({ name }) => name === 'extra'));
    await Promise.all([call('add_tool'), listed]);
    if (isHandshake(revision)) await server.ping();
  };
}

/** Groups the answers to what was asked at the same time; all else stays in order. */
function byOpening(said: readonly string[]): readonly (readonly string[])[] {
  const isTogether = (text: string): boolean =>
    /"id":"(?:\w+(?:\/templates)?\/list |tools\/call .{0,30}echo)/.test(text);
  const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
  return [
    said.filter((text) => !isTogether(text)),
    ...[...lists].map((method) => said.filter((text) => text.includes(`"id":"${method} `))),
    said.filter((text) => /"id":"tools\/call .{0,30}echo/.test(text)).toSorted(),
  ];
}

describe.each(cells)('a session over %s of %s', (_, revision, open) => {
  it.each<ReplayMode>(['strict', 'lenient'])('is played as it was, byte by byte and in order: %s', async (mode) => {
    const partner = await open(revision);
    onTestFinished(() => partner.close());
    const first = await record(partner.definition, useAll(revision), answers);
    expect(first.problem).toBeUndefined();
    const again = await record(replayOf(first.path, mode), useAll(revision), answers);
    const [was, is] = [saidByServer(first), saidByServer(again)];
    if (mode === 'strict') expect(is).toEqual(was);
    // Requests that are open at the same time are answered as they come: their order is no part of a lenient replay.
    else expect(byOpening(is)).toEqual(byOpening(was));
    expect(compareSessions(first, again)).toMatchObject({ changes: [] });
  });
});
