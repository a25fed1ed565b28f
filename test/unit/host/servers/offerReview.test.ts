import { beforeEach, expect, it, vi } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { UnrequestedStartError } from '../../../../src/host/configuration/requester.ts';
import { offerReview } from '../../../../src/host/servers/startOffers.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { sampleRegistry, sampleServer } from '../sampleServer.ts';
import { editor } from '../../../fixtures/vscode.ts';

const close: ((answer?: string) => void)[] = [];

const onDidChangeAny = new Emitter<HostServer>();
const clock = createManualClock();
const started: (readonly string[])[] = [];
const registry = Object.assign(sampleRegistry(waits('c'), waits('d'), sampleServer('e')), {
  onDidChangeAny: onDidChangeAny.event,
});
offerReview(registry, async (labels) => void started.push(labels), clock);

function waits(label: string): HostServer {
  return sampleServer(label, { state: { kind: 'failed', error: new UnrequestedStartError(label, 'it is new') } });
}

beforeEach(() => {
  editor.answer = () => new Promise((resolve) => close.push(resolve));
});

it('tells once of all servers that wait, and opens nothing by itself', async () => {
  const [a, b] = [waits('a'), waits('b')];
  for (const host of [a, b, a]) onDidChangeAny.fire(host);
  await clock.advance(1_000);
  onDidChangeAny.fire(waits('c'));
  await clock.advance(1_000);
  expect(editor.said).toEqual(['2 MCP servers need your approval before they start: “a”, “b”.']);
  expect(started).toEqual([]);
  close[0]?.();
  await vi.waitUntil(() => editor.said.length === 2);
  expect(editor.said[1]).toBe('1 MCP server needs your approval before it starts: “c”.');
  close[1]?.('Review…');
  await vi.waitUntil(() => started.length === 1);
  expect(started).toEqual([['c']]);
});

it('reviews all of them together, but for those that wait no longer', async () => {
  for (const label of ['c', 'd', 'e']) onDidChangeAny.fire(waits(label));
  await clock.advance(1_000);
  close.at(-1)?.('Review…');
  await vi.waitUntil(() => started.length === 2);
  expect(started[1]).toEqual(['c', 'd']);
});

it('says nothing of servers a person has refused', async () => {
  const error = new PatchbayError('needsTrust', 'You said no.');
  onDidChangeAny.fire(sampleServer('refused', { state: { kind: 'failed', error } }));
  await clock.advance(1_000);
  expect(editor.said).toEqual([]);
});
