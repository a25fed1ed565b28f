import { beforeEach, expect, it, vi } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { UnrequestedStartError } from '../../../../src/host/configuration/requester.ts';
import { offerReview } from '../../../../src/host/servers/startOffers.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { sampleRegistry, sampleServer } from '../sampleServer.ts';

const editor = vi.hoisted(() => ({
  shown: [] as string[],
  close: [] as ((answer?: string) => void)[],
}));
vi.mock('vscode', () => ({
  window: {
    showInformationMessage: (text: string) => {
      editor.shown.push(text);
      return new Promise((resolve) => editor.close.push(resolve));
    },
  },
}));

const onDidChangeAny = new Emitter<HostServer>();
const clock = createManualClock();
const started: string[] = [];
const registry = Object.assign(sampleRegistry(waits('c')), { onDidChangeAny: onDidChangeAny.event });
offerReview(registry, { start: async (label) => void started.push(label) }, clock);

function waits(label: string): HostServer {
  return sampleServer(label, { state: { kind: 'failed', error: new UnrequestedStartError(label, 'it is new') } });
}

beforeEach(() => {
  Object.assign(editor, { shown: [], close: [] });
});

it('tells once of all servers that wait, and opens nothing by itself', async () => {
  const [a, b] = [waits('a'), waits('b')];
  for (const host of [a, b, a]) onDidChangeAny.fire(host);
  await clock.advance(1_000);
  onDidChangeAny.fire(waits('c'));
  await clock.advance(1_000);
  expect(editor.shown).toEqual(['2 MCP servers need your approval before they start: “a”, “b”.']);
  expect(started).toEqual([]);
  editor.close[0]?.();
  await vi.waitUntil(() => editor.shown.length === 2);
  expect(editor.shown[1]).toBe('1 MCP server needs your approval before it starts: “c”.');
  editor.close[1]?.('Review…');
  await vi.waitUntil(() => started.length === 1);
  expect(started).toEqual(['c']);
});

it('says nothing of servers a person has refused', async () => {
  const error = new PatchbayError('needsTrust', 'You said no.');
  onDidChangeAny.fire(sampleServer('refused', { state: { kind: 'failed', error } }));
  await clock.advance(1_000);
  expect(editor.shown).toEqual([]);
});
